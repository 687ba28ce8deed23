import type { ScriptTable } from '../sql/sql-script';
import { isOfChanges } from './choose-source';
import { physicalColumns } from './job-script';
import { isComposite, isText, typeParts } from './type-kinds';

/** What the real records of a source have as their key, or as their partition key in a stream. */
export interface LoadKey {
  /** Columns of the table that it is made of, in their order; none where the table does not tell. */
  readonly columns: string[];
  /** Options of the table that write it, beside those that the source has. */
  readonly options: { readonly [option: string]: string };
  /** What must be known of records without one. @default - the columns are known */
  readonly note?: string;
}

/** The key of the records of a source, as far as its table tells. */
export function loadKeyOf(source: ScriptTable): LoadKey {
  const { connector, options, primaryKey, partitionedBy = [] } = source;
  const fields = options['key.fields'];
  if (connector === 'kinesis' || fields !== undefined) {
    return { columns: fields?.split(';') ?? partitionedBy, options: {} };
  }
  // Flink splits the option at ';', takes quotes for its own and a leading bracket or hyphen for a YAML list.
  const unreadable = primaryKey.find((name) => /[;'"]|^[[-]/.test(name));
  if (isOfChanges(source) && primaryKey.length > 0 && unreadable === undefined) {
    return { columns: primaryKey, options: { 'key.format': 'json', 'key.fields': primaryKey.join(';') } };
  }
  const reason = !isOfChanges(source)
    ? 'The table of the job does not tell what key the real records have (key of its KafkaSource)'
    : unreadable === undefined
      ? 'The table of the job has no primary key, which Debezium makes the key of a record of'
      : `Flink's option key.fields cannot hold the name of the key column ${unreadable}`;
  return {
    columns: [],
    options: {},
    note: `${reason}: these have none, and are spread evenly whatever the skew. A compacted topic refuses them.`,
  };
}

/**
 * Where the skew is to be seen.
 *
 * @param what what the key is called
 * @param table the table
 * @param columns columns of the record key
 * @param skewed columns that the skew is in
 */
export function skewNote(what: 'Record key' | 'Partition key', table: ScriptTable, columns: string[], skewed: string[]): string {
  const unit = what === 'Record key' ? 'partition' : 'shard';
  const alike = physicalColumns(table).filter(({ type }) => typeParts(type).name === 'DATE' || isComposite(type));
  const own = columns.filter((column) => !skewed.includes(column) && !alike.some(({ name }) => name === column));
  const effect =
    own.length > 0
      ? `${own.length === columns.length ? 'it' : own.join(', ')} differs from row to row, so that the rows of a hot key are in every ${unit}`
      : columns.some((column) => skewed.includes(column))
        ? `the rows of a key are in one ${unit} and keep their order, and a few hot keys make hot ${unit}s`
        : `it is the same in each row, so that all rows are in one ${unit}`;
  return `${what}: ${columns.join(', ')}; ${effect}.`;
}

/** Whether a stream can be partitioned by some columns: not by one whose type the connector has no text for. */
export function canPartition(columns: { readonly name: string; readonly type: string }[], names: string[]): boolean {
  const types = names.map((name) => columns.find((column) => column.name === name)?.type);
  return types.every(
    (type) => type !== undefined && (isText(type) || /^(BOOLEAN|TINYINT|SMALLINT|INT|BIGINT|FLOAT|DOUBLE)$/.test(typeParts(type).name)),
  );
}

/** What must be known of the partition key of a stream whose table tells none. */
export function partitionNote(skewed: string[], isMade: boolean): string {
  return isMade
    ? `Partition key: ${skewed.join(', ')}, where the skew is, since the table of the job tells no other: put that of the real records into PARTITIONED BY below.`
    : `No partition key can be made of ${skewed.join(', ')}: the records are spread evenly, and no shard is hot.`;
}
