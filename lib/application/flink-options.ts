import { Token } from 'aws-cdk-lib';
import { readFileSync } from 'fs';
import { join } from 'path';
import { nearestNames, quotedAlternatives } from '../sql/nearest-names';
import { expectedValue } from '../sql/option-value';
import { redacted } from '../sql/redacted';
import { USELESS_OPTIONS } from './owned-options';

/** What the caller adds to the check of raw Flink configuration. */
export interface FlinkConfigurationCheck {
  /** Keys that the library writes itself, each with the property to use instead: `{ 'state.backend.type': 'stateBackend' }`. */
  readonly owned: { [key: string]: string };
  /** Where the configuration was given, as the message should call it. @default - `flinkConfiguration` */
  readonly what?: string;
}

/**
 * Check raw Flink configuration, as it ends in `spec.flinkConfiguration` of a FlinkDeployment.
 *
 * Flink never reports a key that it does not know, and finds a bad value only seconds after the job manager has started; so
 * this is where both are found. Keys are case-sensitive. A value that is a token passes.
 *
 * @param configuration the keys and values as the user gave them
 * @param check what the library owns
 * @throws one error that lists every bad entry: a key that Flink 2.2 does not know (with the nearest that it knows), that has
 * another name by now, that was removed, that belongs elsewhere (a table, the operator's own configuration), that the library
 * owns or the operator forbids; and a value that is empty or of the wrong type
 */
export function checkFlinkConfiguration(configuration: { [key: string]: string }, check: FlinkConfigurationCheck): void {
  const complaints = Object.entries(configuration)
    .map(([key, value]) => complaintOf(key, value, check.owned))
    .filter((complaint) => complaint !== undefined);
  if (complaints.length > 0) {
    throw new Error([`${check.what ?? 'flinkConfiguration'} has entries that Flink would ignore or refuse:`, ...complaints].join('\n  - '));
  }
}

/** What Flink 2.2.1 and the operator know, as it stands in the data file. */
interface Catalogue {
  /** Type of each key. */
  readonly keys: { [key: string]: string };
  /** Type of each key with a part that the user names: `external-resource.<resource_name>.amount`. */
  readonly patterns: { [key: string]: string };
  /** Constants of each enum type. */
  readonly enums: { [type: string]: string[] };
  /** Today's key or keys of a deprecated or former spelling. */
  readonly renamed: { [key: string]: string | string[] };
  /** What became of a key that Flink 2.0 removed. */
  readonly removed: { [key: string]: string };
  /** Keys that the operator reads from its own configuration alone. */
  readonly operatorOnly: string[];
  /** Keys that stand behind `metrics.reporter.<name>.`. */
  readonly reporterOptions: string[];
  /** Keys that belong into the WITH clause of a table. */
  readonly tableOptions: string[];
  /** Keys of the LOOKUP hint of a query. */
  readonly lookupHints: string[];
}

/** Open-ended families of keys: file systems hand them to Hadoop or Presto, reporters, listeners and containers to others. */
const OPEN_PREFIXES = ['s3.', 's3a.', 'fs.s3a.', 'fs.s3.', 'presto.s3.', 'fs.azure.', 'fs.gs.', 'gs.', 'fs.oss.', 'openlineage.'];
const OPEN_PATTERNS = [
  /^containerized\.(master|taskmanager)\.env\.[^.]+$/,
  /^(metrics|traces|events)\.reporter\.[^.]+\..+$/,
  /^fs\.[^.]+\.limit\.(total|input|output|timeout|stream-timeout)$/,
  /^kubernetes\.operator\.plugins\.listeners\.[^.]+\..+$/,
  /^security\.delegation\.token\.provider\.[^.]+\..+$/,
];

/** Refused by the operator's validator (DefaultValidator of the Flink Kubernetes Operator): it derives them from the resource. */
const OPERATOR_FORBIDS = new Map([
  ['kubernetes.cluster-id', 'the name of the FlinkDeployment'],
  ['kubernetes.namespace', 'the namespace of the FlinkDeployment'],
  ['high-availability.cluster-id', 'the name of the FlinkDeployment'],
]);

/** Where the keys are described. */
const PAGE = 'https://nightlies.apache.org/flink/flink-docs-release-2.2/docs/deployment/config/';

let loaded: Catalogue | undefined;

/** Read on the first use only: most applications give no raw configuration. */
function catalogue(): Catalogue {
  loaded ??= JSON.parse(readFileSync(join(__dirname, 'data', 'flink-2.2-configuration.json'), 'utf8')) as Catalogue;
  return loaded;
}

function complaintOf(key: string, value: string, owned: { [key: string]: string }): string | undefined {
  if (Token.isUnresolved(key)) {
    return 'a key is a token: keys must be known at synth, only values may be tokens';
  }
  return keyComplaint(key, owned) ?? optionValueComplaint(key, value);
}

function keyComplaint(key: string, owned: { [key: string]: string }): string | undefined {
  if (Object.hasOwn(owned, key)) {
    return `'${key}' is written by the library: use ${owned[key]} instead`;
  }
  if (Object.hasOwn(USELESS_OPTIONS, key)) {
    return `'${key}' ${USELESS_OPTIONS[key]}: leave it out`;
  }
  const source = OPERATOR_FORBIDS.get(key);
  if (source !== undefined) {
    return `'${key}' is refused by the Flink Kubernetes operator, which takes it from ${source}: leave it out`;
  }
  if (key.startsWith('$internal.') || key.startsWith('internal.') || key.startsWith('__')) {
    return `'${key}' is internal to Flink: leave it out`;
  }
  return formerKeyComplaint(key, owned) ?? (typeOf(key) === undefined ? unknownKeyComplaint(key, owned) : undefined);
}

function formerKeyComplaint(key: string, owned: { [key: string]: string }): string | undefined {
  const { renamed, removed } = catalogue();
  const legacyClass = /^(metrics\.reporter\.[^.]+)\.class$/.exec(key);
  if (legacyClass) {
    return `'${key}' is ignored by Flink 2: name the factory in '${legacyClass[1]}.factory.class' (…ReporterFactory)`;
  }
  if (Object.hasOwn(removed, key)) {
    return `'${key}' was removed in Flink 2.0: ${removed[key]}`;
  }
  if (Object.hasOwn(renamed, key)) {
    const names = [renamed[key]].flat();
    const property = names.map((name) => owned[name]).find((name) => name !== undefined);
    return property === undefined
      ? `'${key}' is an old spelling: use ${quotedAlternatives(names)}`
      : `'${key}' is an old spelling of ${quotedAlternatives(names)}, which is written by the library: use ${property} instead`;
  }
  return undefined;
}

function unknownKeyComplaint(key: string, owned: { [key: string]: string }): string {
  const { keys, patterns, renamed, operatorOnly, reporterOptions, tableOptions, lookupHints } = catalogue();
  if (operatorOnly.includes(key) || /^kubernetes\.operator\.(metrics\.reporter|default-configuration)\./.test(key)) {
    return `'${key}' is read from the operator's own configuration only and ignored in a FlinkDeployment: set it where the operator is installed`;
  }
  if (tableOptions.some((option) => matchesPattern(key, option))) {
    return tableOptionComplaint(key);
  }
  if (reporterOptions.includes(key)) {
    return `'${key}' is an option of a metrics reporter: write 'metrics.reporter.<name>.${key}'`;
  }
  if (lookupHints.includes(key)) {
    return `'${key}' is an option of the LOOKUP hint: write it into the query, /*+ LOOKUP(…) */`;
  }
  if (/\.ya?ml$/.test(key)) {
    return `'${key}' is a file: give its entries one by one (Flink 2 reads no flink-conf.yaml; the operator writes config.yaml)`;
  }
  const known = new Set([...Object.keys(keys), ...Object.keys(patterns), ...Object.keys(owned), ...Object.keys(renamed)]);
  const nearest = nearestNames(key, known);
  // After the near misses: 'sink.commiter.retries' is a key of the job, 'sink.semantic' is not.
  return nearest.length === 0 && /^(scan|sink|source|lookup|fields|partition)\./.test(key)
    ? tableOptionComplaint(key)
    : `'${key}' is not a key that Flink 2.2 or its operator knows${suggestion(nearest, owned) || `; its keys: ${PAGE}; ${wayIn(key)}`}`;
}

/** A patch may write what nobody here knows. */
function wayIn(key: string): string {
  const path = key.replace(/~/g, '~0').replace(/\//g, '~1');
  return `what a listener or plugin of yours reads goes in by flinkDeployment.addJsonPatch(JsonPatch.add('/spec/flinkConfiguration/${path}', …))`;
}

function tableOptionComplaint(key: string): string {
  return `'${key}' is an option of a table, not of a job: give it to the connector of the table`;
}

/** `; did you mean 'a' (use the property b)?` */
function suggestion(nearest: string[], owned: { [key: string]: string }): string {
  const { renamed } = catalogue();
  const names = new Set(nearest.flatMap((name) => (Object.hasOwn(renamed, name) ? renamed[name] : name)));
  const properties = new Set([...names].filter((name) => Object.hasOwn(owned, name)).map((name) => owned[name]));
  const instead = properties.size === 0 ? '' : ` (written by the library: use ${[...properties].join(' or ')} instead)`;
  return names.size === 0 ? '' : `; did you mean ${quotedAlternatives([...names])}?${instead}`;
}

/** Type of a known key, undefined for an unknown one. */
function typeOf(key: string): string | undefined {
  const { keys, patterns } = catalogue();
  if (Object.hasOwn(keys, key)) {
    return keys[key];
  }
  const pattern = Object.keys(patterns).find((candidate) => matchesPattern(key, candidate));
  if (pattern !== undefined) {
    return patterns[pattern];
  }
  const inFamily = OPEN_PREFIXES.some((prefix) => key.startsWith(prefix) && key.length > prefix.length);
  if (inFamily || OPEN_PATTERNS.some((open) => open.test(key)) || isEntryOfMap(key, keys)) {
    return 'String';
  }
  return undefined;
}

/** A map may also be spread over keys: `pipeline.global-job-parameters.region`. */
function isEntryOfMap(key: string, keys: { [key: string]: string }): boolean {
  for (let end = key.lastIndexOf('.'); end > 0; end = key.lastIndexOf('.', end - 1)) {
    const parent = key.slice(0, end);
    if (Object.hasOwn(keys, parent) && keys[parent] === 'Map') {
      return end < key.length - 1;
    }
  }
  return false;
}

/** Whether a key has the form of `external-resource.<resource_name>.amount` or `fields.#.min`; a last `<…>` takes the rest. */
function matchesPattern(key: string, pattern: string): boolean {
  const source = pattern
    .split(/(<[^>]+>$|<[^>]+>|#)/)
    .map((part) => (/^<[^>]+>$/.test(part) || part === '#' ? '[^.]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    .join('');
  const open = pattern.endsWith('>') ? '(\\..+)?' : '';
  return new RegExp(`^${source}${open}$`).test(key);
}

/**
 * What is wrong with the value of an option, as it stands in a FlinkDeployment that was patched: a patch may write any key, so one that
 * nobody here knows passes.
 *
 * @param key the key
 * @param value its value as text
 * @returns the complaint, undefined where Flink takes the value
 */
export function optionValueComplaint(key: string, value: string): string | undefined {
  if (Token.isUnresolved(value)) {
    return undefined;
  }
  if (typeof value !== 'string') {
    return value === undefined || value === null
      ? `'${key}' has no value`
      : `'${key}' must be text, got the ${typeof value} ${JSON.stringify(value)}: write '${value}'`;
  }
  if (value.trim() === '') {
    return `'${key}' has an empty value: leave the key out to keep Flink's default`;
  }
  const type = typeOf(key) ?? 'String';
  const element = type.replace(/^List<(.+)>$/, '$1');
  const expected = expectedValue(type, value, catalogue().enums[element]);
  return expected === undefined ? undefined : `'${key}' must be ${expected}, got '${redacted(value)}'`;
}
