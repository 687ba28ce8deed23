import { Duration, Token } from 'aws-cdk-lib';
import type { FlinkApplication } from '../application/flink-application';
import { idleTimeoutFloor } from '../application/idle-timeout-floor';
import { readQuery } from '../queries/query-reader';
import { readTable } from '../queries/read-table';
import { parseFlinkDuration } from '../sql/option-value';
import { SqlProgram, type SqlQuery } from '../sql/sql-program';
import { isWord } from '../sql/sql-tokens';
import type { Rule } from './rule';

const OF_PROGRAM = 'table.exec.source.idle-timeout';
const OF_TABLE = 'scan.watermark.idle-timeout';
const PHASES = 'table.optimizer.agg-phase-strategy';

/** A time after which a source subtask without rows is idle, and where it was given. */
interface IdleTimeout {
  readonly what: string;
  readonly millis: number;
  readonly table?: string;
}

/** Those of a job that somebody stated. Zero switches it off, so that nothing is ever idle. */
function stated(application: FlinkApplication, program: SqlProgram): IdleTimeout[] {
  const { sourceIdleTimeout } = application.settings;
  const ofProgram = program._settings()[OF_PROGRAM];
  const ofJob: [string, number | undefined][] = [
    ['sourceIdleTimeout', sourceIdleTimeout?.toMilliseconds()],
    [`'${OF_PROGRAM}'`, ofProgram === undefined ? undefined : parseFlinkDuration(ofProgram)],
  ];
  const ofTables = application._bindings().map(({ name, binding }) => ({
    what: `'${OF_TABLE}' of table '${name}'`,
    millis: parseFlinkDuration(binding.options[OF_TABLE] ?? ''),
    table: name,
  }));
  return [...ofJob.map(([what, millis]) => ({ what, millis })), ...ofTables].filter(
    (timeout): timeout is IdleTimeout => timeout.millis !== undefined && timeout.millis > 0,
  );
}

/**
 * Whether a query counts by the windows of a table function over event time, which each source subtask begins by itself. `GROUP BY TUMBLE(…)`,
 * the older form, does not: it sends every row on. Nor does a window of processing time.
 */
function countsWindows(program: SqlProgram): boolean {
  const queries = program._inserts().flatMap(({ query }) => [query, ...[...query.views].map((view) => view._query)]);
  const has = (...words: string[]) => queries.filter(({ tokens }) => tokens.some((token) => isWord(token, ...words)));
  const processingTimes = processingTimesOf(queries);
  const isOfEvents = ({ tokens }: SqlQuery) =>
    tokens.some((token, index) => isWord(token, 'DESCRIPTOR') && !processingTimes.has(tokens[index + 2]?.text ?? ''));
  return has('GROUP').length > 0 && has('TUMBLE', 'HOP', 'CUMULATE').some(isOfEvents);
}

/** Names of columns that are a processing time in each table and view that is known to have them. */
function processingTimesOf(queries: SqlQuery[]): Set<string | undefined> {
  const tables = queries.flatMap((query) => [...query.tables]).map(readTable);
  const views = queries.flatMap((query) => [...query.views]).map((view) => readQuery(view._query).result);
  const columns = [...tables, ...views].flatMap((result) => result.columns ?? []);
  const others = new Set(columns.filter(({ meaning }) => meaning !== 'processing time').map(({ name }) => name));
  return new Set(columns.map(({ name }) => name).filter((name) => !others.has(name)));
}

/** Whether the planner counts each window behind the shuffle alone. What is known only at deployment may well say so. */
function countsInOnePlace({ flinkConfiguration }: FlinkApplication, program: SqlProgram): boolean {
  const phases = { ...flinkConfiguration, ...program._settings() }[PHASES];
  return phases !== undefined && (Token.isUnresolved(phases) || phases.toUpperCase() === 'ONE_PHASE');
}

/** A window is counted in each source subtask first; the part of one that is idle waits there for a checkpoint. */
export const idleBeforeCheckpoint: Rule = {
  name: 'IdleBeforeCheckpoint',
  level: 'warning',
  looksAt: `\`sourceIdleTimeout\`, \`${OF_PROGRAM}\` of the program and \`${OF_TABLE}\` of its tables, the checkpoints, the parallelism, \`${PHASES}\`, and queries over windows`,
  description:
    'A source subtask without rows is idle after less than two intervals of checkpoints, and a query aggregates over event-time windows of a table function, at a parallelism above 1.',
  why: 'A source subtask counts its part of a window, and gives it out when its own watermark passes the end, or at a checkpoint. Once it is idle the others close the window without it; its part comes later and is dropped. No error tells, only `numLateRecordsDropped`.',
  cure: 'Leave `sourceIdleTimeout` out: the library derives the interval and the longer of interval and pause once more, a minute at least. Or shorten `checkpointing.interval` and `minPause`; or set `table.optimizer.agg-phase-strategy` to `ONE_PHASE`, which counts behind the shuffle and sends each row there.',
  check: (application) => {
    const { jobName, program, settings } = application;
    const floor = idleTimeoutFloor(settings.checkpointing);
    // A single subtask counts for all splits, and is idle only where no other closes the window without it.
    return program instanceof SqlProgram &&
      application.parallelism !== 1 &&
      !countsInOnePlace(application, program) &&
      countsWindows(program)
      ? stated(application, program)
          .filter(({ millis }) => millis < floor.toMilliseconds())
          .map(({ what, millis, table }) => ({
            table,
            message: `${what} (${Duration.millis(millis).toHumanString()}) of job '${jobName}' is shorter than the time in which a checkpoint is sure to come (${floor.toHumanString()}), and it aggregates over windows: what a split that falls silent has counted since the last checkpoint is dropped as late; leave it out, shorten checkpointing.interval and minPause, or set '${PHASES}' to 'ONE_PHASE'`,
          }))
      : [];
  },
};
