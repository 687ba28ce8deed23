import { type Column, ColumnKind } from '../sql/column';
import { Changes, type TableDefinition } from '../sql/connector';
import { LIST, requireProps } from '../sql/required-props';
import type { Format } from './format';
import { FORMAT } from './prop-kinds';

/** The key of the records of a Kafka table: its format and its columns come together. */
export interface KafkaKey {
  /** Format of the key: one of plain rows, not of changes. */
  readonly format: Format;

  /** Columns that the key holds, in their order. */
  readonly fields: string[];

  /**
   * Prefix that the names of the key columns have in the table but not in the record, for a key field that is called like a
   * field of the value. The value then holds all columns but those of the key.
   *
   * @default - none
   */
  readonly fieldsPrefix?: string;

  /**
   * Whether the value holds the key columns too.
   *
   * @default true, false with a `fieldsPrefix`
   */
  readonly inValue?: boolean;
}

/** Refuses a key whose parts contradict each other. */
export function checkKafkaKey(key: KafkaKey): void {
  requireProps('key', key, { format: FORMAT, fields: LIST });
  checkPlainRows('format of the key', key.format, 'a key tells rows apart, it cannot be a change');
  if (key.fields.length === 0) {
    throw new Error('fields of the key must name one column at least, got none; leave the key out for records without a key');
  }
  if (new Set(key.fields).size !== key.fields.length) {
    throw new Error(`fields of the key must name each column once, got ${key.fields.join(', ')}`);
  }
  // Flink splits the option at ';', takes quotes for its own and a leading bracket or hyphen for a YAML list.
  const unreadable = key.fields.find((field) => /[;'"]|^[[-]/.test(field));
  if (unreadable !== undefined) {
    throw new Error(
      `fields of the key must have names without ;, ' and " that do not begin with [ or -, got ${JSON.stringify(unreadable)}: Flink's option key.fields cannot hold it; rename the column`,
    );
  }
  checkFieldsPrefix('fieldsPrefix', key.fieldsPrefix, key.fields);
  if (key.fieldsPrefix !== undefined && key.inValue) {
    throw new Error(
      `inValue must be false with fieldsPrefix '${key.fieldsPrefix}', got true: the connector takes prefixed columns out of the value`,
    );
  }
}

/** Refuses a format whose records are changes where only plain rows can stand. */
export function checkPlainRows(prop: string, format: Format, reason: string): void {
  if (format.changes !== Changes.INSERT_ONLY) {
    throw new Error(`${prop} must hold plain rows, as json, csv, avro and raw do, got '${format.identifier}': ${reason}`);
  }
}

/** Refuses an empty prefix, and key columns that are not named by the prefix and a field. */
export function checkFieldsPrefix(prop: string, prefix: string | undefined, keyColumns: string[]): void {
  if (prefix === undefined) {
    return;
  }
  if (prefix === '') {
    throw new Error(`${prop} must not be empty; leave it out where the key columns have no prefix`);
  }
  const wrong = keyColumns.find((column) => !column.startsWith(prefix) || column === prefix);
  if (wrong !== undefined) {
    throw new Error(
      `${prop} '${prefix}' must begin the name of every key column, got the key column '${wrong}'; rename the column or leave the prefix out`,
    );
  }
}

/**
 * Columns of the key, in their order.
 *
 * @throws an error for a key field that is no physical column
 */
export function keyColumns(table: TableDefinition, fields: string[]): Column[] {
  const physical = physicalColumns(table);
  return fields.map((field) => {
    const column = physical.find((candidate) => candidate.name === field);
    if (!column) {
      throw new Error(
        `fields of the key of table '${table.name}' must be physical columns, got '${field}'; physical columns: ${physical.map((candidate) => candidate.name).join(', ')}`,
      );
    }
    return column;
  });
}

/** Columns of the value: all physical ones, or those that are not in the key. */
export function valueColumns(table: TableDefinition, keyFields: string[], keyInValue: boolean): Column[] {
  return physicalColumns(table).filter((column) => keyInValue || !keyFields.includes(column.name));
}

/** Contract line of the key, by the names that its fields have in the record. */
export function keyContract(fields: string[], fieldsPrefix: string | undefined): string {
  return `record key: ${fields.map((field) => field.slice(fieldsPrefix?.length ?? 0)).join(', ')}`;
}

/** Whether the value holds the columns of the key too. */
export function isKeyInValue(key: KafkaKey | undefined): boolean {
  return key === undefined || (key.inValue ?? key.fieldsPrefix === undefined);
}

/** Options of the key; none for a table without one. */
export function kafkaKeyOptions(key: KafkaKey | undefined): { [option: string]: string } {
  if (!key) {
    return {};
  }
  return {
    ...key.format._options('key.'),
    'key.fields': key.fields.join(';'),
    ...keyPlaceOptions(key.fieldsPrefix, isKeyInValue(key)),
  };
}

/** Options that say how key columns are named and whether the value holds them too. */
export function keyPlaceOptions(fieldsPrefix: string | undefined, keyInValue: boolean): { [option: string]: string } {
  return {
    ...(fieldsPrefix === undefined ? {} : { 'key.fields-prefix': fieldsPrefix }),
    ...(keyInValue ? {} : { 'value.fields-include': 'EXCEPT_KEY' }),
  };
}

function physicalColumns(table: TableDefinition): Column[] {
  return table.columns.filter((column) => column.kind === ColumnKind.PHYSICAL);
}
