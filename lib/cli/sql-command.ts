import { parseArgs } from 'util';
import type { JobScript } from '../operations/job-script';
import { loadSql } from '../operations/load';
import { reconcileSql } from '../operations/reconcile';
import { SMOKE_STEPS, type SmokeStep, smokeSql } from '../operations/smoke';
import { chooseJob } from '../planner/choose-job';
import { type FoundProgram, requirePrograms } from '../planner/find-programs';
import { definitionsOf } from '../sql/sql-script';

export const SQL_HELP = `usage: cdk-flink-pipeline sql reconcile [ASSEMBLY] [--job NAME]
       cdk-flink-pipeline sql smoke [ASSEMBLY] [--job NAME] [--table NAME] [--step insert|update|delete]
                              [--key-value VALUE] [--set COLUMN=VALUE]...
       cdk-flink-pipeline sql load [ASSEMBLY] [--job NAME] [--table NAME] [--key NAME] [--rows-per-second N] [--size N]
                              [--keys N] [--hot-keys N] [--hot-share PERCENT]

reconcile: SQL that compares what the sinks of a job hold with what its queries give: counts, sums, rows by key; for the
           sinks of connectors kafka, upsert-kafka and jdbc
smoke:     SQL that sends the insert, update or delete of one row through a job, and the command that shows what comes out;
           for a source that is one Kafka topic of Debezium changes
load:      SQL that writes made-up rows into a source (1,000 a second, texts of 100 characters, 1,000,000 keys), a share of
           them (80 percent) on a few hot keys (1,000); for a source that is one Kafka topic or a Kinesis stream

Each is made of the assembly: that of the commit that is deployed.

  ASSEMBLY            output directory of 'cdk synth' (default: cdk.out)
  --job NAME          the job, where the assembly holds several: its name or its directory in the assembly
  --table NAME        the source to write into, where the job has several
  --key NAME          column, or field of a raw JSON line, that the skew is in (default: the key)
  --size N            characters of each text of load that is no key; fewer where its column, or one of its name in a
                      sink, is declared shorter
  --key-value VALUE   key of the row of smoke, which no real row may have (default: smoke-check; for numbers the lowest
                      of the type)
  --set COLUMN=VALUE  value of a column of the row of smoke, such as one that a WHERE of the job asks for; NULL for none;
                      the same in each step; may be given several times
`;

/** Read the arguments after `sql`. */
export function readSqlCall(args: string[]): (output: { out(text: string): void }) => boolean {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      job: { type: 'string' },
      table: { type: 'string' },
      step: { type: 'string' },
      key: { type: 'string' },
      'key-value': { type: 'string' },
      set: { type: 'string', multiple: true },
      'rows-per-second': { type: 'string' },
      size: { type: 'string' },
      keys: { type: 'string' },
      'hot-keys': { type: 'string' },
      'hot-share': { type: 'string' },
    },
  });
  const [kind, assembly = 'cdk.out', ...rest] = positionals;
  if (values.help) {
    return (output) => {
      output.out(SQL_HELP);
      return true;
    };
  }
  if (kind === undefined || !Object.hasOwn(OPTIONS_OF, kind)) {
    throw new Error(`${kind === undefined ? 'no SQL named' : `there is no SQL '${kind}'`}: write sql reconcile, sql smoke or sql load`);
  }
  if (rest.length > 0) {
    throw new Error(`too many arguments: '${rest.join("', '")}'`);
  }
  const idle = Object.keys(values).find((option) => !['job', ...OPTIONS_OF[kind]!].includes(option));
  if (idle !== undefined) {
    throw new Error(`'sql ${kind}' has no option --${idle}`);
  }
  return (output) => {
    output.out(
      operationsSql({
        ...values,
        kind,
        assembly,
        keyValue: values['key-value'],
        rowsPerSecond: values['rows-per-second'],
        hotKeys: values['hot-keys'],
        hotShare: values['hot-share'],
      }),
    );
    return true;
  };
}

const OPTIONS_OF: { readonly [kind: string]: readonly string[] } = {
  reconcile: [],
  smoke: ['table', 'step', 'key-value', 'set'],
  load: ['table', 'key', 'rows-per-second', 'size', 'keys', 'hot-keys', 'hot-share'],
};

/** What the `sql` command is told, as it stands on the command line. */
export interface SqlCommandOptions {
  /** `reconcile`, `smoke` or `load`. */
  readonly kind: string;
  /** Output directory of `cdk synth`. */
  readonly assembly: string;
  /** Name of the job, or of its directory. @default - the only one */
  readonly job?: string;
  /** Source that `smoke` and `load` write into. @default - the only one */
  readonly table?: string;
  /** Step of `smoke`. @default insert */
  readonly step?: string;
  /** Key of the row of `smoke`. @default - one that no row should have */
  readonly keyValue?: string;
  /** Values of columns of the row of `smoke`, each `column=value`. @default - what fits the type */
  readonly set?: string[];
  /** Column or JSON field of `load` that the skew is in. @default - the key */
  readonly key?: string;
  /** Numbers of `load`. */
  readonly rowsPerSecond?: string;
  readonly size?: string;
  readonly keys?: string;
  readonly hotKeys?: string;
  readonly hotShare?: string;
}

/**
 * SQL for the operators of a job, from the tables and queries of the job itself.
 *
 * @returns a script for the image of the job
 */
export function operationsSql(options: SqlCommandOptions): string {
  const script = jobScript(chooseJob(requirePrograms(options.assembly), options.job, 'SQL job'));
  switch (options.kind) {
    case 'reconcile':
      return reconcileSql(script);
    case 'smoke':
      return smoke(script, options);
    case 'load':
      return loadSql(script, {
        table: options.table,
        key: options.key,
        rowsPerSecond: whole('--rows-per-second', options.rowsPerSecond ?? '1000'),
        size: whole('--size', options.size ?? '100'),
        keys: whole('--keys', options.keys ?? '1000000'),
        hotKeys: whole('--hot-keys', options.hotKeys ?? '1000'),
        hotShare: whole('--hot-share', options.hotShare ?? '80'),
      });
    default:
      throw new Error(`there is no SQL '${options.kind}': write reconcile, smoke or load`);
  }
}

/** An empty text would be the number 0. */
function whole(option: string, text: string): number {
  if (!/^-?\d+$/.test(text)) {
    throw new Error(`${option} must be a whole number, got '${text}'`);
  }
  return Number(text);
}

function smoke(script: JobScript, { step = 'insert', table, keyValue, set }: SqlCommandOptions): string {
  if (!SMOKE_STEPS.some((known) => known === step)) {
    throw new Error(`--step must be one of ${SMOKE_STEPS.join(', ')}, got '${step}'`);
  }
  return smokeSql(script, { step: step as SmokeStep, table, keyValue, set });
}

function jobScript({ jobName, namespace, script, tables, inserts }: FoundProgram): JobScript {
  return { jobName, namespace, definitions: definitionsOf(script, inserts), tables, inserts };
}
