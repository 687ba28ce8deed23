import type { Artifact } from './artifact';
import { ColumnKind } from './column';
import { TableRole } from './connector';
import { checkLiteral, checkName, quoteIdentifier, quoteString } from './identifier';
import { Program, type ProgramBinding } from './program';
import { renderTable } from './render-table';
import { checkExpression, type ScannedSql } from './sql-scanner';
import { renderScript, type SqlScript } from './sql-script';
import { type ISqlObject, SqlTable, type SqlTableProps } from './sql-table';
import { tableReferences } from './table-references';

/** A query and what it names. */
export interface SqlQuery extends ScannedSql {
  /** Tables that it reads, through its views. */
  readonly tables: Set<SqlTable>;
  /** Views that it reads, through other views. */
  readonly views: Set<SqlView>;
}

/** A view of a program. */
export class SqlView implements ISqlObject {
  /** @internal */
  public static _of(name: string, query: SqlQuery): SqlView {
    return new SqlView(name, query);
  }

  public readonly sqlName: string;

  private constructor(
    /** Plain name. */
    public readonly name: string,
    /** @internal */
    public readonly _query: SqlQuery,
  ) {
    checkName('name of a view', name);
    this.sqlName = quoteIdentifier(name);
  }

  /** The quoted name. */
  public toString(): string {
    return this.sqlName;
  }
}

/** A function that is written in Java. */
export interface SqlFunctionProps {
  /** Class of the function, with its package. */
  readonly className: string;
  /** Jar that holds the class. @default - the class is in the image already */
  readonly jar?: Artifact;
}

/** A function of a program. */
export class SqlFunction implements ISqlObject {
  public readonly sqlName: string;

  /** @internal */
  constructor(
    /** Plain name. */
    public readonly name: string,
    /** @internal */
    public readonly _props: SqlFunctionProps,
  ) {
    checkName('name of a function', name);
    if (!/^[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*)*$/.test(_props.className)) {
      throw new Error(
        `className of function '${name}' must be a Java class name such as 'com.example.MyFunction', got '${_props.className}'`,
      );
    }
    this.sqlName = quoteIdentifier(name);
  }

  /** The quoted name. */
  public toString(): string {
    return this.sqlName;
  }
}

/** Which columns of a sink an INSERT fills. */
export interface InsertOptions {
  /** Columns of the sink, in the order of the query. @default - all physical columns in their order */
  readonly columns?: string[];
}

/** An INSERT of a program. */
export interface SqlInsert {
  readonly table: SqlTable;
  readonly query: SqlQuery;
  readonly columns: string[];
}

/**
 * A Flink SQL script as a model: tables, views, functions and the INSERTs that run as one job.
 *
 * Queries are SQL text. A table, view or function in a template string prints as its quoted name:
 * `` program.addInsert(sink, `SELECT user_id FROM ${events}`) ``.
 *
 * The program owns its tables. Handing it to a job seals it.
 */
export class SqlProgram extends Program {
  private readonly tables = new Map<string, SqlTable>();
  private readonly views = new Map<string, SqlView>();
  private readonly functions = new Map<string, SqlFunction>();
  private readonly inserts: SqlInsert[] = [];
  private readonly settings = new Map<string, string>();

  /**
   * Add a table. The connector judges it at once.
   *
   * @param name plain name, unique among tables and views
   * @param props connector, columns, keys
   */
  public addTable(name: string, props: SqlTableProps): SqlTable {
    this.checkOpen(`add table '${name}'`);
    this.checkUnique(name);
    const table = new SqlTable(name, props);
    this.tables.set(name, table);
    return table;
  }

  /**
   * Add a view over tables and earlier views.
   *
   * @param name plain name, unique among tables and views
   * @param query one SQL query without `;`
   */
  public addView(name: string, query: string): SqlView {
    this.checkOpen(`add view '${name}'`);
    this.checkUnique(name);
    const view = SqlView._of(name, this.checkQuery(`query of view '${name}'`, query));
    this.views.set(name, view);
    return view;
  }

  /**
   * Add a function from a jar.
   *
   * @param name plain name, unique among functions; Flink looks functions up in lower case
   * @param props class and jar
   */
  public addFunction(name: string, props: SqlFunctionProps): SqlFunction {
    this.checkOpen(`add function '${name}'`);
    if ([...this.functions.keys()].some((existing) => existing.toLowerCase() === name.toLowerCase())) {
      throw new Error(`function '${name}' is there already; function names are unique, whatever their case`);
    }
    const added = new SqlFunction(name, props);
    this.functions.set(name, added);
    return added;
  }

  /**
   * Add an INSERT. All INSERTs of a program run as one job.
   *
   * @param table sink of this program
   * @param query one SQL query without `;`
   * @param options columns of the sink that the query fills
   */
  public addInsert(table: SqlTable, query: string, options: InsertOptions = {}): void {
    if (!(table instanceof SqlTable)) {
      throw new Error('addInsert takes a table of this program, as addTable returns it');
    }
    this.checkOpen(`insert into '${table.name}'`);
    if (this.tables.get(table.name) !== table) {
      throw new Error(`cannot insert into '${table.name}': it is not a table of this program; add it with addTable first`);
    }
    if (table.binding.role !== TableRole.SINK) {
      throw new Error(
        `cannot insert into '${table.name}': its connector '${table.binding.identifier}' is a ${table.binding.role}; use a sink connector`,
      );
    }
    const columns = [...(options.columns ?? [])];
    if (options.columns?.length === 0) {
      throw new Error(`cannot insert into '${table.name}': columns must name one at least, got an empty list; leave it out for all`);
    }
    const writable = table.columns
      .filter((candidate) => candidate.kind !== ColumnKind.COMPUTED && !candidate.virtual)
      .map((candidate) => candidate.name);
    for (const column of columns) {
      if (!writable.includes(column)) {
        throw new Error(
          `cannot insert into '${table.name}': it has no column '${column}' that can be written; columns: ${writable.join(', ')}`,
        );
      }
    }
    if (new Set(columns).size !== columns.length) {
      throw new Error(`cannot insert into '${table.name}': each column stands once in columns, got ${columns.join(', ')}`);
    }
    this.inserts.push({ table, query: this.checkQuery(`query into '${table.name}'`, query), columns });
  }

  /**
   * Set an option of the table planner for this script (`SET 'table.…' = '…'`).
   *
   * @param key an option that begins with `table.`; any other option belongs into `flinkConfiguration` of the job
   * @param value value in Flink's notation
   */
  public set(key: string, value: string): void {
    this.checkOpen(`set '${key}'`);
    if (!/^table\.[a-z0-9.-]+$/.test(key)) {
      throw new Error(
        `a program sets options of the table planner, which begin with 'table.', got '${key}'; give any other option to flinkConfiguration of the job`,
      );
    }
    if (this.settings.has(key)) {
      throw new Error(`'${key}' is set already, to '${this.settings.get(key)}'`);
    }
    checkLiteral(`value of '${key}'`, value);
    this.settings.set(key, value);
  }

  /**
   * The script as this program alone knows it; a job adds the options that it derives.
   */
  public toSql(): string {
    return renderScript(this.script({}, {}, this._tables(), [...this.views.values()]));
  }

  /** @internal */
  public _inserts(): SqlInsert[] {
    return this.inserts;
  }

  /** @internal */
  public _settings(): { [key: string]: string } {
    return Object.fromEntries(this.settings);
  }

  /** @internal */
  public _tables(): SqlTable[] {
    return [...this.tables.values()];
  }

  /**
   * Tables that an INSERT reads or writes.
   *
   * @internal
   */
  public _usedTables(): SqlTable[] {
    const used = new Set(this.inserts.flatMap(({ table, query }) => [table, ...query.tables]));
    return this._tables().filter((table) => used.has(table));
  }

  /** @internal */
  public _bindings(): ProgramBinding[] {
    return this._usedTables().map((table) => ({ name: table.name, binding: table.binding }));
  }

  /** @internal */
  public _artifacts(): Artifact[] {
    return [...this.functions.values()].flatMap((added) => (added._props.jar ? [added._props.jar] : []));
  }

  /**
   * What the INSERTs need: an unused table has no connector, permission or secret in the job, and a view over it would fail.
   *
   * @param settings options that the job derived, beneath those of the program
   * @param tableOptions options that the job derived, by table
   *
   * @internal
   */
  public _script(settings: { [key: string]: string }, tableOptions: { [table: string]: { [key: string]: string } }): SqlScript {
    const used = new Set(this.inserts.flatMap(({ query }) => [...query.views]));
    const views = [...this.views.values()].filter((view) => used.has(view));
    return this.script(settings, tableOptions, this._usedTables(), views);
  }

  private script(
    settings: { [key: string]: string },
    tableOptions: { [table: string]: { [key: string]: string } },
    tables: SqlTable[],
    views: SqlView[],
  ): SqlScript {
    const merged = { ...settings, ...this._settings() };
    const definitions = [
      Object.keys(merged)
        .sort()
        .map((key) => `SET ${quoteString(key)} = ${quoteString(merged[key]!)};`)
        .join('\n'),
      ...[...this.functions.values()].map(
        (added) => `CREATE TEMPORARY FUNCTION ${added.sqlName} AS ${quoteString(added._props.className)} LANGUAGE JAVA;`,
      ),
      ...tables.map((table) => renderTable(table, { ...table.binding.options, ...tableOptions[table.name] })),
      ...views.map((view) => `CREATE TEMPORARY VIEW ${view.sqlName} AS\n${view._query.sql};`),
    ];
    return {
      definitions: definitions.filter((statement) => statement !== '').join('\n\n'),
      inserts: this.inserts.map(({ table, columns, query }) => ({ table: table.name, columns, query: query.sql })),
    };
  }

  private checkUnique(name: string): void {
    if (this.tables.has(name) || this.views.has(name)) {
      throw new Error(`'${name}' is there already as a ${this.tables.has(name) ? 'table' : 'view'}; names of tables and views are unique`);
    }
  }

  private checkQuery(what: string, query: string): SqlQuery {
    const scanned = checkExpression(what, query);
    const first = scanned.tokens.find((token) => token.kind !== 'symbol' || token.text !== '(');
    if (!/^(SELECT|WITH|VALUES|TABLE)$/i.test(first?.kind === 'word' ? first.text : '')) {
      throw new Error(`${what} must begin with SELECT, WITH, VALUES or TABLE, got ${JSON.stringify(query.trim().slice(0, 40))}`);
    }
    const tables: SqlTable[] = [];
    const views: SqlView[] = [];
    for (const { name, temporal } of tableReferences(scanned.tokens)) {
      const view = this.views.get(name);
      if (view) {
        views.push(view, ...view._query.views);
        tables.push(...view._query.tables);
      } else {
        tables.push(this.readableTable(what, name, temporal));
      }
    }
    return { ...scanned, tables: new Set(tables), views: new Set(views) };
  }

  private readableTable(what: string, name: string, temporal: boolean): SqlTable {
    const table = this.tables.get(name);
    if (!table) {
      const known = [...this.tables.keys(), ...this.views.keys()].join(', ');
      throw new Error(`${what} reads '${name}', which is no table or view of this program; known so far: ${known || 'none'}`);
    }
    if (table.binding.role === TableRole.SINK) {
      throw new Error(`${what} reads '${name}', which is a sink; declare a source table for reading it back`);
    }
    if (table.binding.role === TableRole.LOOKUP && !temporal) {
      throw new Error(
        `${what} reads the lookup table '${name}' as a whole, which would be read once, when the job starts; probe it for each row: JOIN ${table.sqlName} FOR SYSTEM_TIME AS OF a processing-time column (PROCTIME())`,
      );
    }
    return table;
  }
}
