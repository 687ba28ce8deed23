import { quoteIdentifier, quoteString } from '../sql/identifier';

/** ALTER TABLE … SET, for a table that is used in another way than the job does. */
export function alterOptions(table: string, options: { [option: string]: string }): string {
  const pairs = Object.entries(options).map(([key, value]) => `  ${quoteString(key)} = ${quoteString(value)}`);
  return `ALTER TABLE ${quoteIdentifier(table)} SET (\n${pairs.join(',\n')}\n);`;
}

/** ALTER TABLE … RESET, for options that another use refuses. */
export function resetOptions(table: string, options: string[]): string {
  return `ALTER TABLE ${quoteIdentifier(table)} RESET (${options.map(quoteString).join(', ')});`;
}

/** A table whose rows end in the log of a TaskManager. */
export function printTable(name: string, columns: string[]): string {
  return `CREATE TABLE ${quoteIdentifier(name)} (\n${columns.map((column) => `  ${column}`).join(',\n')}\n) WITH ('connector' = 'print', 'print-identifier' = ${quoteString(name)});`;
}

/** One statement set: of two plain INSERTs, the second of a job is dropped. */
export function statementSet(inserts: string[]): string {
  return `EXECUTE STATEMENT SET BEGIN\n${inserts.map((insert) => `${insert};`).join('\n')}\nEND;`;
}

/** Lines of a comment. */
export function comment(...lines: string[]): string {
  return lines.map((line) => `-- ${line}`.trimEnd()).join('\n');
}
