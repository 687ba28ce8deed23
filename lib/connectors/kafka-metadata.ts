import type { Column } from '../sql/column';
import { checkReadMetadata, checkWriteMetadata } from './metadata-columns';

// KafkaDynamicSource.ReadableMetadata and KafkaDynamicSink.WritableMetadata of the connector 5.0.0.
const READABLE = ['topic', 'partition', 'headers', 'leader-epoch', 'offset', 'timestamp', 'timestamp-type'];
// `topic` can be written too, but only by a sink of several topics.
const WRITABLE = ['headers', 'timestamp'];

// DebeziumJsonDecodingFormat.ReadableMetadata of Flink 2.2; the connector prefixes keys of the value format.
const READABLE_OF_FORMAT: { [format: string]: string[] } = {
  'debezium-json': [
    'schema',
    'ingestion-timestamp',
    'source.timestamp',
    'source.database',
    'source.schema',
    'source.table',
    'source.properties',
  ],
};

/** Refuses metadata columns that a Kafka source cannot supply. */
export function checkKafkaReadMetadata(table: string, columns: Column[], valueFormat: string): void {
  checkReadMetadata(table, columns, readable(valueFormat));
}

/** Refuses metadata columns that a Kafka sink cannot write. */
export function checkKafkaWriteMetadata(table: string, columns: Column[], valueFormat: string): void {
  checkWriteMetadata(table, columns, readable(valueFormat), WRITABLE);
}

function readable(valueFormat: string): string[] {
  return [...READABLE, ...(READABLE_OF_FORMAT[valueFormat] ?? []).map((key) => `value.${key}`)];
}
