import { Token } from 'aws-cdk-lib';
import { readFileSync } from 'fs';
import { join } from 'path';
import type { TableRole } from '../sql/connector';
import { secretComplaint } from '../sql/literal-secret';
import { didYouMean, quotedAlternatives } from '../sql/nearest-names';
import { expectedValue, numberOfValue } from '../sql/option-value';
import { redacted } from '../sql/redacted';
import type { SecretRef } from '../sql/secret-ref';
import { kafkaPropertyComplaint } from './kafka-properties';
import { combinationComplaints } from './option-combinations';

/** A format that a table uses, and where its options stand. */
export interface FormatInUse {
  /** Identifier of the format: `json`. */
  readonly identifier: string;
  /** What stands before the options of the format: `json.`, `value.json.`, `key.json.`. */
  readonly prefix: string;
}

/** Raw options of a table, and what the connector knows about the table. */
export interface RawOptions {
  /** Factory identifier, the `connector` option. */
  readonly identifier: string;
  /** What the table is for. */
  readonly role: TableRole;
  /** The raw options as the user gave them. */
  readonly options: { [option: string]: string };
  /**
   * Options that typed properties set (or would, had the user given them), each with the name of the property.
   * @default - there are no typed properties: `options` are all that the table has, so required options are looked for too
   */
  readonly typed?: { [option: string]: string };
  /** Formats that typed properties chose. @default - those that `format`, `key.format` and `value.format` in `options` name */
  readonly formats?: FormatInUse[];
  /** Secrets that may stand in the options. @default - none */
  readonly secrets?: SecretRef[];
}

/**
 * Check raw table options against what the connectors of Flink 2.2 really read.
 *
 * The real factories refuse an unknown option only when the first statement uses the table, one at a time; and some never do:
 * `dynamodb` ignores every unknown option, `kinesis` every unknown `aws.*`, `source.*` and `sink.*`. A value that is a token
 * passes, except for a secret.
 *
 * A connector that the library does not know (through `CustomConnector`) is checked for secrets only.
 *
 * @param raw the options and the table that they are for
 * @throws one error that lists every option that would be refused or ignored, with the right one where there is one
 */
export function checkRawOptions(raw: RawOptions): void {
  if (raw.typed !== undefined && Object.keys(raw.options).length === 0) {
    return;
  }
  const { connectors } = catalogue();
  const connector = Object.hasOwn(connectors, raw.identifier) ? connectors[raw.identifier] : undefined;
  const complaints = Object.keys(raw.options).flatMap((option) => {
    const complaint = generalComplaint(option, raw) ?? (connector ? optionComplaint(option, raw, connector) : undefined);
    return complaint === undefined ? [] : [complaint];
  });
  if (connector) {
    // Options that go together are judged only once each of them is right by itself.
    complaints.push(...(complaints.length === 0 ? wholeComplaints(raw, connector) : []));
  }
  if (complaints.length > 0) {
    throw new Error([`options of the '${raw.identifier}' ${raw.role} are wrong:`, ...complaints].join('\n  - '));
  }
}

/** What a connector or a format takes as the value of one option. */
interface OptionSpec {
  readonly type: string;
  /** What the table must be for. Unset where every table of the connector reads the option. */
  readonly roles?: string[];
  /** The only values, in any case. */
  readonly values?: string[];
  /** The only values, in this case. */
  readonly exact?: string[];
  readonly pattern?: string;
  /** What `pattern`, `min` and `step` come to, in words. */
  readonly expected?: string;
  /** Bounds, and what the value must be a multiple of: milliseconds for a duration, bytes for a size. */
  readonly min?: number;
  readonly max?: number;
  readonly step?: number;
  /** Whether -1 stands for "off" beside the bounds. */
  readonly orMinusOne?: boolean;
  readonly maxLength?: number;
  /** Whether the connector takes the whole seconds of the duration for milliseconds. */
  readonly secondsAsMillis?: boolean;
  /** Whether the value is a format that must not emit updates. */
  readonly insertOnly?: boolean;
  /** Why the option, though accepted, has no effect. */
  readonly ignored?: string;
}

interface Names {
  readonly options: { [option: string]: OptionSpec };
  readonly required?: string[];
  /** Today's option of a former spelling. */
  readonly renamed?: { [option: string]: string };
  /** Prefixes behind which every option is handed on. */
  readonly openPrefixes?: string[];
}

interface ConnectorSpec extends Names {
  readonly roles: string[];
  /** Why an option that people try is not one, and what to do. */
  readonly refused?: { [option: string]: string };
  readonly refusedPrefixes?: { [prefix: string]: string };
}

interface FormatSpec extends Names {
  /** Whether the format emits updates and deletes. */
  readonly changelog?: boolean;
}

interface Catalogue {
  readonly connectors: { [identifier: string]: ConnectorSpec };
  readonly formats: { [identifier: string]: FormatSpec };
}

let loaded: Catalogue | undefined;

/** Read on the first use only: most tables have no raw options. */
function catalogue(): Catalogue {
  loaded ??= JSON.parse(readFileSync(join(__dirname, 'data', 'flink-2.2-table-options.json'), 'utf8')) as Catalogue;
  return loaded;
}

/** What holds for every connector, known or not. */
function generalComplaint(option: string, raw: RawOptions): string | undefined {
  const value: unknown = raw.options[option];
  if (Token.isUnresolved(option)) {
    return 'an option is a token: options must be known at synth, only values may be tokens';
  }
  if (option === 'connector') {
    return `'connector' is '${raw.identifier}' already: leave it out`;
  }
  if (raw.typed && Object.hasOwn(raw.typed, option)) {
    return `'${option}' is written by the library: use ${raw.typed[option]} instead`;
  }
  if (value === undefined || value === null || value === '') {
    return `'${option}' has no value: leave it out to keep the default of the connector`;
  }
  if (typeof value !== 'string') {
    return Token.isUnresolved(value) ? undefined : `'${option}' must be text, got the ${typeof value} ${JSON.stringify(value)}`;
  }
  return secretComplaint(option, value, raw.secrets ?? []);
}

function optionComplaint(option: string, raw: RawOptions, connector: ConnectorSpec): string | undefined {
  if (!connector.roles.includes(raw.role)) {
    return undefined;
  }
  const spec = specOf(option, connector);
  if (spec) {
    return specComplaint(option, raw, spec);
  }
  const refusedPrefix = Object.keys(connector.refusedPrefixes ?? {}).find((prefix) => option.startsWith(prefix));
  const refusal = ownValue(connector.refused, option) ?? (refusedPrefix && connector.refusedPrefixes?.[refusedPrefix]);
  if (refusal) {
    return `'${option}' is no option of '${raw.identifier}': ${refusal}`;
  }
  const renamed = ownValue(connector.renamed, option);
  if (renamed) {
    return `'${option}' is a former or misread spelling: use '${renamed}'`;
  }
  if ((connector.openPrefixes ?? []).some((prefix) => option.startsWith(prefix) && option.length > prefix.length)) {
    return /kafka$/.test(raw.identifier) ? kafkaPropertyComplaint(option) : undefined;
  }
  const used = formatsOf(raw, connector);
  const format = used.find((candidate) => option.startsWith(candidate.prefix));
  return format ? formatComplaint(option, raw, format) : unknownComplaint(option, raw, connector, used);
}

/** Why an option that the connector knows is wrong on this table, or its value. */
function specComplaint(option: string, raw: RawOptions, spec: OptionSpec): string | undefined {
  if (spec.roles && !spec.roles.includes(raw.role)) {
    return `'${option}' has no effect on a ${raw.role}: it is read by a ${spec.roles.join(' or ')} only`;
  }
  if (spec.ignored) {
    return `'${option}' has no effect: ${spec.ignored}`;
  }
  const value = literal(option, raw);
  return value === undefined ? undefined : valueComplaint(option, value, spec);
}

function valueComplaint(option: string, value: string, spec: OptionSpec): string | undefined {
  const wrong = (expected: string) => `'${option}' must be ${expected}, got '${redacted(value)}'`;
  const expected = expectedValue(spec.type, value, spec.values);
  if (expected) {
    return wrong(expected);
  }
  if (spec.exact && !spec.exact.includes(value)) {
    return wrong(quotedAlternatives(spec.exact));
  }
  if (spec.pattern && !new RegExp(spec.pattern).test(value)) {
    return wrong(spec.expected ?? `of the form ${spec.pattern}`);
  }
  if (spec.maxLength !== undefined && Buffer.byteLength(value) > spec.maxLength) {
    return `'${option}' must be at most ${spec.maxLength} bytes long, got ${Buffer.byteLength(value)}`;
  }
  const number = numberOfValue(spec.type, value);
  if (number !== undefined && !(spec.orMinusOne && number === -1)) {
    const within = number >= (spec.min ?? Number.NEGATIVE_INFINITY) && number <= (spec.max ?? Number.POSITIVE_INFINITY);
    if (!within || (spec.step !== undefined && number % spec.step !== 0)) {
      return wrong((spec.expected ?? boundsInWords(spec)) + (spec.orMinusOne ? `, or '-1' for off` : ''));
    }
    if (spec.secondsAsMillis && number < 100_000) {
      const meant = Math.max(1, Math.round(number));
      return `'${option}' becomes ${Math.floor(number / 1000)} ms: the connector takes the seconds of the value for milliseconds; write '${meant} s' for ${meant} ms`;
    }
  }
  return spec.insertOnly && catalogue().formats[value]?.changelog
    ? wrong('a format without updates, such as json, csv or avro')
    : formatNameComplaint(option, value);
}

function boundsInWords(spec: OptionSpec): string {
  if (spec.min !== undefined && spec.max !== undefined) {
    return `between ${spec.min} and ${spec.max}`;
  }
  return spec.min !== undefined ? `at least ${spec.min}` : `at most ${spec.max}`;
}

/** A misspelt format is refused, an unknown one passes: its jar may be yours. */
function formatNameComplaint(option: string, value: string): string | undefined {
  if (!/^((key|value)\.)?format$/.test(option) || Object.hasOwn(catalogue().formats, value)) {
    return undefined;
  }
  const letters = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');
  const meant =
    value === 'changelog-json' ? 'debezium-json' : Object.keys(catalogue().formats).find((name) => letters(name) === letters(value));
  return meant && `'${option}' names the format '${value}', which does not exist; use '${meant}'`;
}

function formatComplaint(option: string, raw: RawOptions, format: FormatInUse): string | undefined {
  const spec = catalogue().formats[format.identifier];
  if (!spec) {
    return undefined;
  }
  const name = option.slice(format.prefix.length);
  if (Object.hasOwn(spec.options, name)) {
    return specComplaint(option, raw, spec.options[name]);
  }
  const renamed = ownValue(spec.renamed, name);
  if (renamed) {
    return `'${option}' is an old spelling: use '${format.prefix}${renamed}'`;
  }
  if ((spec.openPrefixes ?? []).some((prefix) => name.startsWith(prefix) && name.length > prefix.length)) {
    return undefined;
  }
  const known = Object.keys(spec.options).map((candidate) => format.prefix + candidate);
  return `'${option}' is no option of the format '${format.identifier}'${didYouMean(option, known) || optionsList(known)}`;
}

function unknownComplaint(option: string, raw: RawOptions, connector: ConnectorSpec, used: FormatInUse[]): string {
  const parts = /^(key\.|value\.)?([^.]+)\.(.+)$/.exec(option);
  if (parts && Object.hasOwn(catalogue().formats, parts[2])) {
    const elsewhere = used.find((candidate) => candidate.identifier === parts[2]);
    return elsewhere
      ? `'${option}' is not read: write '${elsewhere.prefix}${parts[3]}'`
      : `'${option}' is an option of the format '${parts[2]}', which the table does not use there${used.length === 0 ? '' : `; it uses ${used.map((format) => `'${format.identifier}'`).join(' and ')}`}`;
  }
  const readable = Object.keys(connector.options).filter((name) => connector.options[name].roles?.includes(raw.role) ?? true);
  const ofFormats = used.flatMap((format) =>
    Object.keys(catalogue().formats[format.identifier]?.options ?? {}).map((name) => format.prefix + name),
  );
  return `'${option}' is no option of '${raw.identifier}' that a ${raw.role} reads${didYouMean(option, [...readable, ...ofFormats]) || optionsPage(raw.identifier, readable)}`;
}

/** Where nothing is near enough to be meant: a format has few options. */
function optionsList(known: string[]): string {
  return known.length === 0 ? ': it has none' : `; its options: ${known.sort().join(', ')}`;
}

const PAGES = 'https://nightlies.apache.org/flink/flink-docs-stable/docs/connectors/table/';

/** Where a connector is described; one that has no page there has few options. */
function optionsPage(identifier: string, options: string[]): string {
  return /^(dynamic-kafka|sqs)$/.test(identifier) ? optionsList(options) : `; its options: ${PAGES}${identifier.replace(/-\d$/, '')}/`;
}

/** What can be said only of all options together. */
function wholeComplaints(raw: RawOptions, connector: ConnectorSpec): string[] {
  if (!connector.roles.includes(raw.role)) {
    return [`'${raw.identifier}' can only be used as a ${connector.roles.join(' or ')}`];
  }
  const has = (option: string) => Object.hasOwn(raw.options, option) || Object.hasOwn(raw.typed ?? {}, option);
  const missing = raw.typed ? [] : missingOptions(raw, connector, has);
  return [
    ...missing,
    ...combinationComplaints({
      identifier: raw.identifier,
      role: raw.role,
      given: Object.keys(raw.options),
      has,
      literal: (option) => literal(option, raw),
    }),
  ];
}

function missingOptions(raw: RawOptions, connector: ConnectorSpec, has: (option: string) => boolean): string[] {
  const alternatives = [...(connector.required ?? []).map((option) => [option])];
  if (raw.identifier === 'kafka') {
    alternatives.push(['format', 'value.format']);
  }
  if (raw.identifier === 'kafka' || raw.identifier === 'upsert-kafka') {
    alternatives.push(['topic', 'topic-pattern']);
  }
  for (const format of formatsOf(raw, connector)) {
    alternatives.push(...(catalogue().formats[format.identifier]?.required ?? []).map((option) => [format.prefix + option]));
  }
  return alternatives.filter((options) => !options.some(has)).map((options) => `${quotedAlternatives(options)} is missing`);
}

/** Formats by property, else by option; connectors with a default format use it where none is named. */
function formatsOf(raw: RawOptions, connector: ConnectorSpec): FormatInUse[] {
  if (raw.formats) {
    return raw.formats;
  }
  const named = ['', 'key.', 'value.'].flatMap((side) => {
    const identifier = raw.options[`${side}format`];
    return identifier === undefined ? [] : [{ identifier, prefix: `${side}${identifier}.` }];
  });
  const byDefault = Object.hasOwn(connector.options, 'document-id.key-delimiter') ? [{ identifier: 'json', prefix: 'json.' }] : [];
  return named.length > 0 ? named : byDefault;
}

/** The value where it is text of the user's own: neither a token nor a secret. */
function literal(option: string, raw: RawOptions): string | undefined {
  const value = ownValue(raw.options, option);
  return value === undefined || Token.isUnresolved(value) || value.includes('${env:') ? undefined : value;
}

/** The option as the connector knows it; `#` in a name stands for a column. */
function specOf(option: string, names: Names): OptionSpec | undefined {
  const exact = ownValue(names.options, option);
  if (exact) {
    return exact;
  }
  const ofColumn = Object.keys(names.options).find((name) => {
    const [before, after] = name.split('#');
    return after !== undefined && option.length > name.length - 1 && option.startsWith(before) && option.endsWith(after);
  });
  return ofColumn === undefined ? undefined : names.options[ofColumn];
}

function ownValue<T>(map: { [key: string]: T } | undefined, key: string): T | undefined {
  return map && Object.hasOwn(map, key) ? map[key] : undefined;
}
