import { type DataType, DataTypeRoot } from './data-type';
import { checkLiteral, checkName, commentClause, quoteIdentifier, quoteString } from './identifier';
import { instance, requireKind } from './required-props';
import { checkExpression } from './sql-scanner';

/** What a column may carry beside its name and type. */
export interface ColumnOptions {
  /** Comment of the column. @default - none */
  readonly comment?: string;
}

/** What a metadata column may carry. */
export interface MetadataColumnOptions extends ColumnOptions {
  /** Metadata key of the connector or format. @default - the name of the column */
  readonly from?: string;
  /** Whether the column is left out when rows are written: needed for a key that cannot be written. @default false */
  readonly virtual?: boolean;
}

/** Where the value of a column comes from. */
export enum ColumnKind {
  /** The row itself. */
  PHYSICAL = 'physical',
  /** An expression over the other columns. */
  COMPUTED = 'computed',
  /** The connector: an offset, a record timestamp, headers. */
  METADATA = 'metadata',
}

/** A column of a table. */
export class Column {
  /**
   * A column that stands in the row.
   *
   * @param name name of the column
   * @param type type of the column, any but INTERVAL, which only expressions take
   * @param options comment
   */
  public static physical(name: string, type: DataType, options: ColumnOptions = {}): Column {
    checkColumnType(name, type);
    return new Column(ColumnKind.PHYSICAL, name, `${type}`, options, type);
  }

  /**
   * A column computed from others when the row is read, such as `PROCTIME()`.
   *
   * @param name name of the column
   * @param expression SQL expression
   * @param options comment
   */
  public static computed(name: string, expression: string, options: ColumnOptions = {}): Column {
    return new Column(ColumnKind.COMPUTED, name, `AS ${checkExpression(`expression of column '${name}'`, expression).sql}`, options);
  }

  /**
   * A column that the connector or the format supplies, such as the `timestamp` of a Kafka record.
   *
   * @param name name of the column
   * @param type type of the column
   * @param options metadata key, whether it is left out of writes, comment
   */
  public static metadata(name: string, type: DataType, options: MetadataColumnOptions = {}): Column {
    checkColumnType(name, type);
    checkLiteral(`metadata key of column '${name}'`, options.from ?? '');
    const from = options.from === undefined ? '' : ` FROM ${quoteString(options.from)}`;
    return new Column(
      ColumnKind.METADATA,
      name,
      `${type} METADATA${from}${options.virtual ? ' VIRTUAL' : ''}`,
      options,
      type,
      options.from ?? name,
      options.virtual ?? false,
    );
  }

  private constructor(
    /** Where the value comes from. */
    public readonly kind: ColumnKind,
    /** Plain name. */
    public readonly name: string,
    private readonly definition: string,
    private readonly options: ColumnOptions,
    /** Type of the column. @default - only the planner knows (a computed column) */
    public readonly type?: DataType,
    /** Key of the metadata. @default - another kind of column */
    public readonly metadataKey?: string,
    /** Whether the column is left out when rows are written. */
    public readonly virtual: boolean = false,
  ) {
    checkName('name of a column', name);
    checkLiteral(`comment of column '${name}'`, options.comment ?? '');
  }

  /**
   * The column as it stands in CREATE TABLE.
   *
   * @param inPrimaryKey a key column is NOT NULL whether or not it was declared so: Flink would refuse it otherwise
   * @internal
   */
  public _toSql(inPrimaryKey: boolean): string {
    const notNull = inPrimaryKey && this.type?.nullable ? ' NOT NULL' : '';
    return `${quoteIdentifier(this.name)} ${this.definition}${notNull}${commentClause(this.options.comment)}`;
  }
}

const DATA_TYPE = instance('a DataType, such as DataType.STRING', 'root', 'nullable');

function checkColumnType(name: string, type: DataType): void {
  requireKind(`type of column '${name}'`, type, DATA_TYPE);
  if (type.root === DataTypeRoot.INTERVAL) {
    throw new Error(
      `column '${name}' must not be an INTERVAL, which only expressions take, got ${type}; keep it as a number, such as BIGINT`,
    );
  }
}
