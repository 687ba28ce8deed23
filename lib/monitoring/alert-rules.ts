import type { FlinkApplication } from '../application/flink-application';
import { longestRestartDelay } from '../application/restart-delay';
import { JobState } from '../application/upgrade';
import { TableRole } from '../sql/connector';
import { type CheckpointRhythm, checkpointRhythm } from './checkpoint-rhythm';
import { addressOf, runbookOf } from './runbook';
import type { Sign } from './sign';
import { stateSign } from './state-sign';

/** A rule of Prometheus. */
export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly [label: string]: string };
  readonly annotations: { readonly [annotation: string]: string };
}

/** A checkpoint that takes longer is slow, whatever the job allows. */
const SLOW_CHECKPOINT_SECONDS = 60;
const LONG_LAG_SECONDS = 600;
/** Time for which a job that restarts is down, beside the delay before it. */
const START_SECONDS = 240;
/** A few strays in an hour are nobody's fault. */
const MANY_LATE_ROWS = 10;
const MINUTE = 60;
/** A job that states no delay before a restart waits for a minute at most. */
const RESTART_DELAY_SECONDS = MINUTE;
/** Wall-clock times of any zone are less than a day ahead of UTC, in which Flink reads them. */
const DAY = 86_400;
/** Beyond these there is no watermark yet, or it is that of the end of a bounded source. */
const START_OF_TIME = '-9e18';
const END_OF_TIME = '9e18';

/**
 * Task names of sinks: those of Flink's sink API end in `: Writer`, the older ones begin with `Sink: `; files are written by operators of
 * other names. The reporter makes `_` of blanks.
 */
const SINK_TASK = '.*(:_Writer|Sink:_|StreamingFileWriter|streaming_writer).*';

/** Deduplication counts each repetition behind the watermark as late: to drop it is its work. */
const WINDOWED = ',operator_name!~"Deduplicate.*"';

/** The counters of rows that came too late: of windows, and of the two sides of a join of windows. */
const LATE_COUNTERS = ['numLateRecordsDropped', 'leftNumLateRecordsDropped', 'rightNumLateRecordsDropped'];

/** Operators that make watermarks. */
const TIME_OPERATOR = '(Source:|WatermarkAssigner).*';

/**
 * The alerts of a job, with thresholds from its own settings.
 *
 * @param application the job
 * @param runbookUrl where the team keeps docs/operations.md
 */
export function alertRules(application: FlinkApplication, runbookUrl?: string): AlertRule[] {
  const { jobName, namespace, settings } = application;
  const pods = `namespace="${namespace}",app="${jobName}"`;
  const restartDelay = (longestRestartDelay(application.flinkConfiguration)?.milliseconds ?? 0) / 1000;
  const lag = longestLag(application);
  const signs = [
    // A job that is suspended on purpose is not to run.
    ...(settings.state === JobState.SUSPENDED ? [] : [lifeSign(pods, restartDelay)]),
    restartSign(pods),
    ...checkpointSigns(pods, checkpointRhythm(application), restartDelay),
    stateSign(application, pods),
    ...flowSigns(pods, lag),
    ...eventTimeSigns(pods),
    ...(readsKinesis(application) ? [shardSign(pods, lag)] : []),
  ];
  return signs.map(({ alert, severity, expr, lasts, summary, description }) => ({
    alert,
    expr,
    for: promDuration(lasts),
    labels: { severity, namespace, flink_job: jobName },
    annotations: {
      summary: `Flink job ${namespace}/${jobName}: ${summary}`,
      description,
      runbook: runbookOf(alert)!,
      ...(runbookUrl !== undefined && { runbook_url: addressOf(alert, runbookUrl) }),
    },
  }));
}

/** Records must not be lost before somebody has looked. */
function longestLag(application: FlinkApplication): number {
  const halves = application._bindings().flatMap(({ binding: { source } }) => {
    const kept = source?.retentionPeriod;
    return kept === undefined || kept.isUnresolved() ? [] : [kept.toMilliseconds() / 2000];
  });
  return Math.min(LONG_LAG_SECONDS, ...halves);
}

function lifeSign(pods: string, restartDelay: number): Sign {
  return {
    alert: 'FlinkJobNotRunning',
    severity: 'critical',
    expr: `absent(flink_jobmanager_job_runningTime{${pods}} > 0)`,
    lasts: START_SECONDS + Math.max(RESTART_DELAY_SECONDS, restartDelay),
    summary: 'does not run',
    description: 'No job manager reports a running job: it is down, restarts, or is not scraped.',
  };
}

/** `increase()` extrapolates to the ends of its range: a whole number of events shows as somewhat more, so thresholds lie between two. */
function restartSign(pods: string): Sign {
  const restarts = (range: string) => `max(increase(flink_jobmanager_job_numRestarts{${pods}}[${range}]))`;
  return {
    alert: 'FlinkJobRestarting',
    severity: 'warning',
    expr: `${restarts('15m')} > 2.5 or ${restarts('2h')} > 5.5`,
    lasts: 0,
    summary: 'restarts again and again',
    description:
      'More than 2 restarts in 15 minutes, or more than 5 in 2 hours. Each one reads and writes again what came since the last checkpoint.',
  };
}

function checkpointSigns(pods: string, rhythm: CheckpointRhythm, restartDelay: number): Sign[] {
  const { interval, minPause, timeout } = rhythm;
  const slow = Math.min(SLOW_CHECKPOINT_SECONDS, timeout / 2);
  // Each may take until it fails, and the next one waits.
  const silence = Math.max(10 * MINUTE, 3 * (interval + minPause + timeout));
  // A job that has just started has none yet, and one that waits for its restart makes none.
  const first = Math.max(5 * MINUTE, interval + timeout) + Math.max(0, restartDelay - RESTART_DELAY_SECONDS);
  return [
    {
      alert: 'FlinkCheckpointSlow',
      severity: 'warning',
      expr: `max(flink_jobmanager_job_lastCheckpointDuration{${pods}}) / 1000 > ${slow}`,
      lasts: Math.max(5 * MINUTE, 3 * interval),
      summary: `checkpoints take longer than ${slow} s`,
      description: `A checkpoint fails after ${timeout} s. Usually rows wait somewhere (back-pressure), and barriers wait behind them.`,
    },
    {
      alert: 'FlinkCheckpointFailing',
      severity: 'warning',
      expr: `max(increase(flink_jobmanager_job_numberOfFailedCheckpoints{${pods}}[${promDuration(silence)}])) > 1.5`,
      lasts: 0,
      summary: 'checkpoints fail',
      description: `More than one checkpoint failed in ${promDuration(silence)}.`,
    },
    {
      alert: 'FlinkCheckpointMissing',
      severity: 'critical',
      expr: `max(increase(flink_jobmanager_job_numberOfCompletedCheckpoints{${pods}}[${promDuration(silence)}])) == 0`,
      lasts: first,
      summary: `no checkpoint was completed in ${promDuration(silence + first)}`,
      description: 'A restart goes back to the last checkpoint, however old. Exactly-once sinks publish nothing until there is one.',
    },
  ];
}

function flowSigns(pods: string, lag: number): Sign[] {
  const task = (metric: string, filter = '') => `avg_over_time(flink_taskmanager_job_task_${metric}{${pods}${filter}}[5m])`;
  const operator = (metric: string) => `flink_taskmanager_job_task_operator_${metric}{${pods}}`;
  const sinkTask = `,task_name=~"${SINK_TASK}"`;
  const busySinks = task('busyTimeMsPerSecond', sinkTask);
  return [
    {
      alert: 'FlinkBackPressure',
      severity: 'warning',
      expr: `max by (task_name) (${task('backPressuredTimeMsPerSecond')}) > 500`,
      lasts: 10 * MINUTE,
      summary: 'task {{ $labels.task_name }} waits for the ones behind it',
      description: 'The task could not hand its rows on for more than half of the time: a task after it is too slow.',
    },
    {
      alert: 'FlinkSinkErrors',
      severity: 'warning',
      expr: `sum by (operator_name) (increase(${operator('numRecordsSendErrors')}[10m])) > 0`,
      lasts: 0,
      summary: 'writer {{ $labels.operator_name }} could not send rows',
      description: 'The external system refused rows, or could not be reached.',
    },
    {
      alert: 'FlinkSourceLag',
      severity: 'warning',
      // The age of the last row stays where nothing comes any more: an idle source is not behind.
      expr: `max by (operator_name) (${operator('currentEmitEventTimeLag')} and ${operator('sourceIdleTime')} < 60000) / 1000 > ${lag}`,
      lasts: 5 * MINUTE,
      summary: 'source {{ $labels.operator_name }} is behind',
      description: `Rows are older than ${lag} s when they are read.`,
    },
    {
      alert: 'FlinkSourcePending',
      severity: 'warning',
      expr:
        `sum by (operator_name) (${operator('pendingRecords')}) / ` +
        `sum by (operator_name) (rate(${operator('numRecordsIn')}[5m])) > ${lag}`,
      lasts: 5 * MINUTE,
      summary: 'source {{ $labels.operator_name }} has a backlog',
      description: `At the present rate it takes more than ${lag} s to read what waits in the topic, or nothing is read at all.`,
    },
    {
      alert: 'FlinkSinkSkewed',
      severity: 'warning',
      expr:
        `max by (task_name) (${busySinks}) > 800 and ` +
        // Of two writers one is half of the average, so the busiest is left out; a single one has nobody beside it: 0 / 0 is below nothing.
        `(sum by (task_name) (${busySinks}) - max by (task_name) (${busySinks})) / (count by (task_name) (${busySinks}) - 1) < 300`,
      lasts: 15 * MINUTE,
      summary: 'one writer of {{ $labels.task_name }} has the work of many',
      description: 'One subtask is busy all the time while the others idle: a few keys have most of the rows.',
    },
    {
      alert: 'FlinkSinkHoldsBack',
      severity: 'critical',
      expr:
        `max by (task_name) (${busySinks}) > 900 ` +
        `and on () (max(${task('backPressuredTimeMsPerSecond')}) > 500 or max by () (${task('busyTimeMsPerSecond', `,task_name=~"Source:.*"${sinkTask}`)}) > 900) ` +
        `and on () (max(deriv(${operator('currentEmitEventTimeLag')}[10m])) > 0 or max(deriv(${operator('pendingRecords')}[10m])) > 0)`,
      lasts: 10 * MINUTE,
      summary: 'sink {{ $labels.task_name }} holds the pipeline back',
      description:
        'The source falls further behind while the writers of this task are busy all the time and the tasks before it wait for it.',
    },
  ];
}

/** What is late for its window is dropped, and nothing but these metrics tells. */
function eventTimeSigns(pods: string): Sign[] {
  const operator = (metric: string, filter = '') => `flink_taskmanager_job_task_operator_${metric}{${pods}${filter}}`;
  const task = (metric: string) => `flink_taskmanager_job_task_${metric}{${pods}}`;
  const rows = (metric: string) => `sum by (operator_name) (increase(${operator(metric, WINDOWED)}[1h]))`;
  const windows = LATE_COUNTERS.map((metric) => `count by (task_name) (${operator(metric, WINDOWED)})`).join(' or ');
  const watermark = `${operator('currentOutputWatermark', `,operator_name=~"${TIME_OPERATOR}"`)} < ${END_OF_TIME}`;
  return [
    {
      alert: 'FlinkLateRowsDropped',
      severity: 'warning',
      expr: LATE_COUNTERS.map(rows)
        .map((late) => `${late} > 0.001 * ${rows('numRecordsIn')} and ${late} > ${MANY_LATE_ROWS}`)
        .join(' or '),
      lasts: 0,
      summary: 'rows come too late for {{ $labels.operator_name }}',
      description: `In an hour more than ${MANY_LATE_ROWS} rows, and more than one in a thousand, came after their window was closed, and are in no result.`,
    },
    {
      alert: 'FlinkWatermarkStalled',
      severity: 'warning',
      expr:
        `max by (task_name) (delta(${task('currentInputWatermark')}[15m])) == 0 and ` +
        `max by (task_name) (${task('currentInputWatermark')}) > ${START_OF_TIME} and ` +
        `sum by (task_name) (rate(${task('numRecordsIn')}[15m])) > 0 and ` +
        // A join or a sink does not wait for the watermark.
        `(${windows})`,
      lasts: 5 * MINUTE,
      summary: 'time stands still for {{ $labels.task_name }}',
      description: 'Rows come, and the watermark has not moved for 15 minutes: windows give out nothing, and keep all rows.',
    },
    {
      alert: 'FlinkWatermarkAhead',
      severity: 'critical',
      expr: `max by (operator_name) (${watermark}) / 1000 - time() > ${DAY}`,
      lasts: 5 * MINUTE,
      summary: '{{ $labels.operator_name }} has rows from the future',
      description:
        'A row with an event time more than a day ahead has taken the watermark along: all rows until then are late, and windows drop them.',
    },
  ];
}

function readsKinesis(application: FlinkApplication): boolean {
  return application._bindings().some(({ binding }) => binding.identifier === 'kinesis' && binding.role === TableRole.SOURCE);
}

/** The connector tells how far behind each shard is, whatever the event time of its rows; -1 before the first read. */
function shardSign(pods: string, lag: number): Sign {
  const metric = 'flink_taskmanager_job_task_operator_KinesisStreamSource_accountId_region_stream_shardId_millisBehindLatest';
  return {
    alert: 'FlinkShardLag',
    severity: 'warning',
    expr: `max by (stream, shardId) (${metric}{${pods}}) / 1000 > ${lag}`,
    lasts: 5 * MINUTE,
    summary: 'shard {{ $labels.shardId }} of {{ $labels.stream }} is behind',
    description: `The last records that were read of the shard were ${lag} s behind its newest.`,
  };
}

/** A duration as Prometheus takes it, in the largest unit without a fraction. */
function promDuration(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole > 0 && whole % MINUTE === 0 ? `${whole / MINUTE}m` : `${whole}s`;
}
