import { quoteIdentifier } from '../sql/identifier';
import type { ScriptTable } from '../sql/sql-script';
import { columnsWithRoom } from './columns-with-room';
import { type JobScript, type PhysicalColumn, physicalColumns } from './job-script';
import { jsonLines } from './json-fields';
import { canPartition, loadKeyOf, partitionNote, skewNote } from './load-key';
import { columnText, type Load, writingOptions } from './load-rows';
import { castTo, longTexts, partValues } from './load-values';
import { isText } from './type-kinds';

/** Whether each row is one text, made of JSON, beside the columns of a record key. */
export function isLine(table: ScriptTable): boolean {
  return (table.options.format ?? table.options['value.format']) === 'raw' && isText(lineOf(table).type);
}

/**
 * The load of a table of lines, which have the fields that the script takes out of them.
 *
 * @param script the job
 * @param table the source
 * @param keys how many different keys there are
 * @param wanted column of the record key, or field of the line, that the skew is in. Default: the key
 */
export function loadOfLines(script: JobScript, table: ScriptTable, keys: number, wanted: string | undefined): Load {
  return table.connector === 'kinesis' ? linesOfStream(script, table, wanted) : linesOfTopic(script, table, keys, wanted);
}

/** Flink makes a partition key of columns alone: so the fields of a line are columns. */
function linesOfStream(script: JobScript, table: ScriptTable, wanted: string | undefined): Load {
  const line = lineOf(table);
  const { key, columns, expression, texts, notes } = jsonLines(script, table, line.name, { key: wanted, also: [] });
  if (!canPartition(columns, [key])) {
    return {
      key: [key],
      values: [{ column: line.name, expression: castTo(line.type, expression) }],
      texts,
      notes: [...notes, partitionNote([key], false)],
      columns: [columnText(line)],
      options: writingOptions(table),
      partitionedBy: [],
    };
  }
  const options = Object.entries(writingOptions(table)).filter(([option]) => !option.startsWith('raw.'));
  return {
    key: [key],
    values: columns.map(({ name, expression: value }) => ({ column: name, expression: value })),
    texts,
    notes: [...notes, partitionNote([key], true)],
    columns: columns.map(({ name, type }) => `${quoteIdentifier(name)} ${type}`),
    options: { ...Object.fromEntries(options), format: 'json' },
    partitionedBy: [key],
  };
}

/** A field that is called like a column of the key has its value. */
function linesOfTopic(script: JobScript, table: ScriptTable, keys: number, wanted: string | undefined): Load {
  const line = lineOf(table);
  const record = loadKeyOf(table);
  const columns = columnsWithRoom(script, table).filter(({ name }) => name !== line.name);
  const fieldOf = (column: string) => column.slice(table.options['key.fields-prefix']?.length ?? 0);
  const isColumn = columns.some(({ name }) => name === wanted);
  const skewed = columns.filter(({ name }) => wanted === undefined || name === wanted || (!isColumn && fieldOf(name) === wanted));
  const names = skewed.map(({ name }) => name);
  const { key, expression, texts, notes } = jsonLines(script, table, line.name, {
    key: isColumn ? undefined : wanted,
    also: names.map(fieldOf),
  });
  const parts = partValues(table, columns, skewed, keys);
  return {
    key: names.length > 0 ? names : [key],
    values: [...parts, { column: line.name, expression: castTo(line.type, expression) }],
    texts: [...longTexts(columns, parts), ...texts],
    notes: [...notes, record.note ?? skewNote('Record key', table, record.columns, names)],
    columns: physicalColumns(table).map(columnText),
    options: { ...writingOptions(table), ...record.options },
    partitionedBy: [],
  };
}

function lineOf(table: ScriptTable): PhysicalColumn {
  const columns = physicalColumns(table);
  const fields = table.options['key.fields']?.split(';') ?? [];
  return columns.find(({ name }) => !fields.includes(name)) ?? columns[0]!;
}
