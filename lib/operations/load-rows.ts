import { quoteIdentifier } from '../sql/identifier';
import type { ScriptTable } from '../sql/sql-script';
import { READING_OPTION } from './choose-source';
import { columnsWithRoom } from './columns-with-room';
import { type JobScript, type PhysicalColumn, physicalColumns } from './job-script';
import { canPartition, loadKeyOf, partitionNote, skewNote } from './load-key';
import { columnValues, type LoadValues } from './load-values';

/** The table that a load is written into, and what its columns get. */
export interface Load extends LoadValues {
  /** Columns as they stand in CREATE TABLE. */
  readonly columns: string[];
  /** Options beside the connector. */
  readonly options: { readonly [option: string]: string };
  readonly partitionedBy: string[];
}

/**
 * The load of a table whose columns tell what its records look like.
 *
 * @param script the job
 * @param table the source
 * @param keys how many different keys there are
 * @param wanted column that the skew is in. Default: the key
 */
export function loadOfRows(script: JobScript, table: ScriptTable, keys: number, wanted: string | undefined): Load {
  const record = loadKeyOf(table);
  const columns = physicalColumns(table);
  const { key, values, texts, notes } = columnValues(table, columnsWithRoom(script, table), keys, record.columns, wanted);
  const isStream = table.connector === 'kinesis';
  const partition = record.columns.length > 0 ? record.columns : key;
  const partitionedBy = isStream && canPartition(columns, partition) ? partition : [];
  return {
    key,
    values,
    texts,
    notes: [
      ...notes,
      record.columns.length > 0
        ? skewNote(isStream ? 'Partition key' : 'Record key', table, record.columns, key)
        : (record.note ?? partitionNote(key, partitionedBy.length > 0)),
      ...(Object.values(table.options).includes('avro-confluent')
        ? [
            'The registry gets the schema that Flink makes of these columns, as the newest of its subject: let the load go to a copy of the topic.',
          ]
        : []),
    ],
    // The same columns, so that a format with a schema writes what the job reads; none that the connector alone can fill.
    columns: columns.map(columnText),
    options: { ...writingOptions(table), ...record.options },
    partitionedBy,
  };
}

/** A column as it stands in CREATE TABLE. */
export function columnText({ name, type, nullable }: PhysicalColumn): string {
  return `${quoteIdentifier(name)} ${type}${nullable ? '' : ' NOT NULL'}`;
}

/** Options of a source that its writer has, too. */
export function writingOptions({ options }: ScriptTable): { [option: string]: string } {
  return Object.fromEntries(Object.entries(options).filter(([option]) => !READING_OPTION.test(option)));
}
