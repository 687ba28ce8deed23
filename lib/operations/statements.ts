import { quoteIdentifier, quoteString } from '../sql/identifier';
import { type JobScript, namespaceOf } from './job-script';

/** ALTER TABLE … SET, for a table that is used in another way than the job does. */
export function alterOptions(table: string, options: { readonly [option: string]: string }): string {
  return `ALTER TABLE ${quoteIdentifier(table)} SET (\n${optionLines(options)}\n);`;
}

/** A table with columns as they stand in SQL. */
export function createTable(
  name: string,
  columns: string[],
  options: { readonly [option: string]: string },
  partitionedBy: string[] = [],
): string {
  const partitions = partitionedBy.length === 0 ? '' : ` PARTITIONED BY (${partitionedBy.map(quoteIdentifier).join(', ')})`;
  return `CREATE TABLE ${quoteIdentifier(name)} (\n${columns.map((column) => `  ${column}`).join(',\n')}\n)${partitions} WITH (\n${optionLines(options)}\n);`;
}

/** A table whose rows end in the log of a TaskManager. */
export function printTable(name: string, columns: string[]): string {
  return createTable(name, columns, { connector: 'print', 'print-identifier': name });
}

/** One statement set: of two plain INSERTs, the second of a job is dropped. */
export function statementSet(inserts: string[]): string {
  return `EXECUTE STATEMENT SET BEGIN\n${inserts.map((insert) => `${insert};`).join('\n')}\nEND;`;
}

/**
 * A script under a comment. Values that only the deployment knows stand in it as `${env:NAME}`: the comment says what to do about them.
 *
 * @param script the job
 * @param head lines of the comment
 * @param statements the script
 */
export function scriptText(script: JobScript, head: string[], statements: string[]): string {
  const body = statements.join('\n\n');
  return `${comment(...head, ...variableNote(script, head.join('\n'), body))}\n\n${body}\n`;
}

/** In SQL a variable is `${env:NAME}`, in a command of the head `${NAME}`. */
function variableNote(script: JobScript, head: string, body: string): string[] {
  const { jobName } = script;
  const named = [...head.matchAll(/\$\{(\w+)\}/g), ...body.matchAll(/\$\{env:(\w+)\}/g)].map(([, name]) => name!);
  const variables = [...new Set(named)];
  return variables.length === 0
    ? []
    : [
        `\${env:NAME} is a variable of the job manager of ${jobName}: ${variables.join(', ')}.`,
        'The runner of the image puts it in, in a job that has the same variables. In a shell or another client put in the value yourself:',
        `  kubectl -n ${namespaceOf(script)} exec deploy/${jobName} -- printenv NAME`,
      ];
}

function optionLines(options: { readonly [option: string]: string }): string {
  return Object.entries(options)
    .map(([key, value]) => `  ${quoteString(key)} = ${quoteString(value)}`)
    .join(',\n');
}

/** No text of a job may end the comment. */
function comment(...lines: string[]): string {
  return lines.map((line) => `-- ${line.replace(/[\r\n\u0085\u2028\u2029]+/g, ' ')}`.trimEnd()).join('\n');
}
