/** A column that stands in the rows of a table. */
export interface ScriptColumn {
  readonly name: string;
  /** Type in Flink SQL, without NOT NULL. */
  readonly type: string;
}

/** A table of a job's script. */
export interface ScriptTable {
  readonly name: string;
  /** `source`, `sink` or `lookup`. */
  readonly role: string;
  /** Physical columns in their order. */
  readonly columns: ScriptColumn[];
  readonly primaryKey: string[];
  readonly options: { readonly [option: string]: string };
}

/** An INSERT of a job's script. */
export interface ScriptInsert {
  readonly table: string;
  readonly query: string;
  /** Columns that the query fills, empty for all. */
  readonly columns: string[];
}

/** The `job.sql` of a job in its parts. */
export interface JobScript {
  /** Settings, functions, tables and views, all that stands before the INSERTs. */
  readonly definitions: string;
  readonly tables: ScriptTable[];
  readonly inserts: ScriptInsert[];
}

const STATEMENT_SET = /^EXECUTE STATEMENT SET BEGIN\n([\s\S]*)\nEND;\s*$/m;
const NAME = '`((?:[^`]|``)+)`';
const TABLE = new RegExp(
  `^-- .*: (source|sink|lookup) \\(.*\\)\\n(?:--.*\\n)*CREATE TABLE ${NAME} \\(\\n([\\s\\S]*?)\\n\\).* WITH \\(\\n([\\s\\S]*?)\\n\\);$`,
  'gm',
);
const INSERT = new RegExp(`^INSERT INTO ${NAME}(?: \\((.*)\\))?\\n([\\s\\S]*?);(?=\\nINSERT INTO |\\n*$(?![\\s\\S]))`, 'gm');

/**
 * Reads a script that the library rendered.
 *
 * @param script text of `job.sql`
 */
export function readJobScript(script: string): JobScript {
  const set = STATEMENT_SET.exec(script);
  if (set === null) {
    throw new Error("the script has no 'EXECUTE STATEMENT SET': it was not written by 'cdk synth'");
  }
  return {
    definitions: script.slice(0, set.index).trimEnd(),
    tables: [...script.matchAll(TABLE)].map(([, role, name, body, options]) => ({
      name: unquote(name!),
      role: role!,
      columns: columnsOf(body!),
      primaryKey: names(/^ {2}PRIMARY KEY \((.*)\) NOT ENFORCED/m.exec(body!)?.[1] ?? ''),
      options: optionsOf(options!),
    })),
    inserts: [...set[1]!.matchAll(INSERT)].map(([, table, columns, query]) => ({
      table: unquote(table!),
      columns: names(columns ?? ''),
      query: query!,
    })),
  };
}

function columnsOf(body: string): ScriptColumn[] {
  return [...body.matchAll(new RegExp(`^ {2}${NAME} (?!AS )(.*?),?$`, 'gm'))]
    .filter(([, , definition]) => !/ METADATA\b/.test(definition!))
    .map(([, name, definition]) => ({
      name: unquote(name!),
      type: definition!.replace(/ COMMENT '.*'$/, '').replace(/ NOT NULL$/, ''),
    }));
}

function optionsOf(text: string): { [option: string]: string } {
  return Object.fromEntries(
    [...text.matchAll(/^ {2}'((?:[^']|'')*)' = '((?:[^']|'')*)',?$/gm)].map(([, key, value]) => [
      key!.replaceAll("''", "'"),
      value!.replaceAll("''", "'"),
    ]),
  );
}

function names(list: string): string[] {
  return [...list.matchAll(new RegExp(NAME, 'g'))].map(([, name]) => unquote(name!));
}

function unquote(name: string): string {
  return name.replaceAll('``', '`');
}
