import { Token } from 'aws-cdk-lib';
import type { TableDefinition } from '../sql/connector';
import { type DataType, DataTypeRoot } from '../sql/data-type';
import { physicalColumns } from './column-types';
import { textOption } from './typed-value';

/** `{column}`, `{column|date format}` or `{now()|date format}` within the name of an index. */
const PLACEHOLDER = /\{([^{}|]+)(\|[^{}]*)?\}/g;
const SYSTEM_TIME = /^\s*(now\(\s*\)|NOW\(\s*\)|current_timestamp|CURRENT_TIMESTAMP)\s*$/;
const TIME_ROOTS = [DataTypeRoot.DATE, DataTypeRoot.TIME, DataTypeRoot.TIMESTAMP, DataTypeRoot.TIMESTAMP_LTZ];

/**
 * Refuses a name that Elasticsearch cannot create, or that holds more than the one placeholder that the connector takes.
 *
 * @param index the prop `index`; a token passes
 */
export function checkIndex(index: string): void {
  textOption('index', index);
  if (Token.isUnresolved(index)) {
    return;
  }
  const placeholders = index.match(PLACEHOLDER) ?? [];
  if (placeholders.length > 1) {
    throw new Error(`index must hold one placeholder at the most, got '${index}'`);
  }
  const fixed = index.replace(PLACEHOLDER, '');
  if (/[A-Z\\/*?"<>|\s,#:{}]/.test(fixed) || /^[-_+]/.test(index) || /^\.{1,2}$/.test(index) || Buffer.byteLength(index) > 255) {
    throw new Error(
      `index must be lower case, without spaces and \\ / * ? " < > | , # : outside of one {placeholder}, must not begin with - _ or + and have 255 bytes at the most, got '${index}'`,
    );
  }
}

/**
 * Refuses a placeholder that the table cannot fill.
 *
 * @param index the prop `index`; a token passes
 * @param table the table
 */
export function checkIndexPlaceholder(index: string, table: TableDefinition): void {
  const placeholder = Token.isUnresolved(index) ? null : new RegExp(PLACEHOLDER.source).exec(index);
  if (!placeholder) {
    return;
  }
  const [, name, format] = placeholder as unknown as [string, string, string | undefined];
  if (format !== undefined && SYSTEM_TIME.test(name)) {
    if (table.primaryKey.length > 0) {
      throw new Error(
        `index '${index}' of table '${table.name}' must not depend on the system time beside a primary key: an update would miss its document; use a time column as in '{event_time|yyyy-MM-dd}'`,
      );
    }
    return;
  }
  const column = physicalColumns(table).find((candidate) => candidate.name === name);
  if (!column) {
    const names = physicalColumns(table).map((candidate) => candidate.name);
    throw new Error(`index '${index}' names the column '${name}', which table '${table.name}' does not have; columns: ${names.join(', ')}`);
  }
  if (column.type && !fits(column.type, format !== undefined)) {
    const taken = format === undefined ? 'text, TINYINT, INT, BIGINT, a date or a time' : 'DATE, TIME, TIMESTAMP or TIMESTAMP_LTZ';
    throw new Error(`column '${name}' in index '${index}' must be ${taken}, got ${column.type}`);
  }
}

function fits(type: DataType, withFormat: boolean): boolean {
  if (TIME_ROOTS.includes(type.root)) {
    return true;
  }
  return !withFormat && (type.root === DataTypeRoot.CHARACTER_STRING || /^(TINYINT|INT|BIGINT)\b/.test(`${type}`));
}
