import type { IKafkaTopic } from '../kafka/kafka-topic';
import { CleanupPolicy } from '../kafka/topic-configuration';
import type { TableDefinition } from '../sql/connector';
import type { Format } from './format';
import { checkFieldsPrefix, checkPlainRows, keyContract } from './kafka-key';

/** Refuses formats of changes: an upsert table makes its changes from plain rows and tombstones. */
export function checkUpsertFormats(keyFormat: Format, valueFormat: Format): void {
  checkPlainRows('keyFormat', keyFormat, 'a key tells rows apart, it cannot be a change');
  checkPlainRows(
    'valueFormat',
    valueFormat,
    'the record with a value is the upsert and the one without the delete; use KafkaSource or KafkaSink for changes',
  );
}

/** Refuses a table without a primary key, or whose key columns do not begin with the prefix. */
export function checkUpsertKey(table: TableDefinition, keyFieldsPrefix: string | undefined): void {
  if (table.primaryKey.length === 0) {
    throw new Error(`table '${table.name}' must have a primary key: it is the key of the Kafka records; give primaryKey`);
  }
  checkFieldsPrefix('keyFieldsPrefix', keyFieldsPrefix, table.primaryKey);
}

/** Options that an upsert table takes from its primary key, with what sets them. */
export const UPSERT_KEY_TYPED: { [option: string]: string } = {
  'key.fields': 'primaryKey of the table',
  'key.fields-prefix': 'keyFieldsPrefix',
  'value.fields-include': 'keyFieldsPrefix',
  format: 'valueFormat',
};

/** Contract lines of the key and of what a record without a value means. */
export function upsertContract(
  table: TableDefinition,
  keyFormat: Format,
  valueFormat: Format,
  keyFieldsPrefix: string | undefined,
): string[] {
  return [
    keyContract(table.primaryKey, keyFieldsPrefix),
    keyFormat._contract('key format'),
    valueFormat._contract('value format'),
    'tombstone: a record without a value deletes the row of its key',
  ];
}

/** Why a topic does not keep the last record of every key; a policy that is not known is not judged. */
export function forgetsKeys({ topicName, cleanupPolicy }: IKafkaTopic): string | undefined {
  return cleanupPolicy === undefined || cleanupPolicy === CleanupPolicy.COMPACT
    ? undefined
    : `topic '${topicName}' has the cleanup policy '${cleanupPolicy}'`;
}
