import type { ConnectorBinding } from '../sql/connector';

/** How the values of records are read, as the options of the table say. */
export interface ValueFormat {
  /** Identifier of the format: `json`. */
  readonly identifier: string;
  /** The options of the format by their own names: `ignore-parse-errors`. */
  readonly options: { [option: string]: string };
}

/** The format of a table's records, or of their values where they have keys; undefined where the connector takes none. */
export function valueFormat({ options }: ConnectorBinding): ValueFormat | undefined {
  const prefix = options['value.format'] === undefined ? '' : 'value.';
  const identifier = options[`${prefix}format`];
  if (identifier === undefined) {
    return undefined;
  }
  const own = `${prefix}${identifier}.`;
  return {
    identifier,
    options: Object.fromEntries(
      Object.entries(options)
        .filter(([option]) => option.startsWith(own))
        .map(([option, value]) => [option.slice(own.length), value]),
    ),
  };
}

/** Whether records that cannot be read are skipped, and fields that cannot be read become NULL. */
export function skipsMalformed(format: ValueFormat): boolean {
  return format.options['ignore-parse-errors']?.toLowerCase() === 'true';
}
