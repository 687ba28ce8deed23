import { commentClause, quoteIdentifier, quoteString } from './identifier';
import type { SqlTable } from './sql-table';

/**
 * CREATE TABLE under a comment that tells other teams what they may rely on.
 *
 * @param table the table
 * @param options its options, the derived ones included
 */
export function renderTable(table: SqlTable, options: { [key: string]: string }): string {
  const definitions = table.columns.map((column) => column._toSql(table.primaryKey.includes(column.name)));
  if (table.watermark) {
    definitions.push(table.watermark._toSql());
  }
  if (table.primaryKey.length > 0) {
    definitions.push(`PRIMARY KEY (${table.primaryKey.map(quoteIdentifier).join(', ')}) NOT ENFORCED`);
  }
  const partitionedBy = table.partitionedBy.length === 0 ? '' : ` PARTITIONED BY (${table.partitionedBy.map(quoteIdentifier).join(', ')})`;
  const withOptions = Object.entries({ connector: table.binding.identifier, ...options }).map(
    ([key, value]) => `  ${quoteString(key)} = ${quoteString(value)}`,
  );
  return `${contract(table)}
CREATE TABLE ${table.sqlName} (
${definitions.map((definition) => `  ${definition}`).join(',\n')}
)${commentClause(table.comment)}${partitionedBy} WITH (
${withOptions.join(',\n')}
);`;
}

function contract(table: SqlTable): string {
  const { role, identifier } = table.binding;
  const lines = [
    `${table.name}: ${role} (${identifier})`,
    `key: ${table.primaryKey.length === 0 ? 'none' : table.primaryKey.join(', ')}`,
    `columns: ${table.columns.map((column) => column.name).join(', ')}`,
    ...(table.binding.contract ?? []),
  ];
  return lines.map((line, index) => `-- ${index === 0 ? '' : '  '}${oneLine(line)}`).join('\n');
}

/** A line break would end the comment and turn the rest into SQL. */
function oneLine(text: string): string {
  return text.replace(/[\r\n\u0085\u2028\u2029]+/g, ' ');
}
