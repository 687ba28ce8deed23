import { Duration, Lazy, Size } from 'aws-cdk-lib';
import { spawnSync } from 'child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { stringify } from 'yaml';
import { JobState, RestartStrategy, StateBackend, UpsertMaterialize } from '../../../lib';
import { type AlertRule, alertRules } from '../../../lib/monitoring/alert-rules';
import { application, programOf, sink, stream } from '../../fixtures/programs';
import { externalStream, printed } from '../../fixtures/stacks';

const available = spawnSync('promtool', ['--version']).status === 0;
if (!available && process.env.CI) {
  throw new Error("the rules of Prometheus are checked by promtool, and there is none: install Debian's package prometheus");
}
const whenAvailable = available ? describe : describe.skip;

/** What a job of Flink 2.2.1 exposed (`ExposedMetrics.java`): each metric with its labels, then the values of labels that are names. */
const EXPOSED = readFileSync(join(__dirname, 'flink-2.2.1-metrics.txt'), 'utf8').trim().split('\n');
const LABELS = new Map(
  EXPOSED.flatMap((line) => {
    const [, metric, labels] = /^(flink_\w+)\{(.*)\}$/.exec(line) ?? [];
    return metric === undefined ? [] : [[metric, labels!.split(',')] as const];
  }),
);
/** Those that Prometheus adds to each metric of a pod, as the PodMonitor has it. */
const OF_POD = ['namespace', 'app'];

const settings = (interval: number, timeout: number) => {
  const { checkpointing } = application().settings;
  return {
    checkpointing: {
      ...checkpointing,
      interval: Duration.seconds(interval),
      minPause: Duration.seconds(10),
      timeout: Duration.seconds(timeout),
    },
  };
};
/** Of user-events: a Kinesis source, 30 s, 10 s, 60 s. */
const RULES = alertRules(application({ ...settings(30, 60), program: printed(externalStream()) }));

function inDirectory<T>(files: { [name: string]: object }, use: (path: (name: string) => string) => T): T {
  const directory = mkdtempSync(join(tmpdir(), 'alert-rules-'));
  try {
    for (const [name, content] of Object.entries(files)) {
      writeFileSync(join(directory, name), stringify(content));
    }
    return use((name) => join(directory, name));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function promtool(...args: string[]): { ok: boolean; output: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
  return { ok: status === 0, output: `${stdout}${stderr}` };
}

interface Series {
  readonly series: string;
  readonly values: string;
}

const PODS = 'namespace="streaming",app="orders"';
/** A job manager's metric, one value a minute. */
const job = (metric: string, values: string): Series => ({
  series: `flink_jobmanager_job_${metric}{${PODS},component="jobmanager"}`,
  values,
});
const task = (metric: string, name: string, values: string, subtask = 0): Series => ({
  series: `flink_taskmanager_job_task_${metric}{${PODS},task_name="${name}",subtask_index="${subtask}"}`,
  values,
});
/** One that is a task of its own, or stands in the given one. */
const operator = (metric: string, name: string, values: string, inTask = name): Series => ({
  series: `flink_taskmanager_job_task_operator_${metric}{${PODS},task_name="${inTask}",operator_name="${name}",subtask_index="0"}`,
  values,
});

/** The reporter makes `_` of each `-` in the value of a label. */
const shard = (id: string, values: string): Series => ({
  series:
    'flink_taskmanager_job_task_operator_KinesisStreamSource_accountId_region_stream_shardId_millisBehindLatest' +
    `{${PODS},stream="user_events",shardId="${id}"}`,
  values,
});

/** What the rule says of a series after so many minutes: whether it fires, and for which task or operator. */
function fires(alert: string, input: Series[], minutes: number, rules: AlertRule[] = RULES): string[] {
  return firing(alert, input, minutes, rules).map((text) => /(?:task_name|operator_name|shardId)="([^"]*)"/.exec(text)?.[1] ?? 'the job');
}

/** The labels of each alert that fires. */
function firing(alert: string, input: Series[], minutes: number, rules: AlertRule[], interval = '1m'): string[] {
  const groups = { groups: [{ name: 'flink', rules }] };
  // A test that expects nothing tells what it got.
  const tests = {
    rule_files: ['rules.yaml'],
    // A day in steps of a minute takes long.
    evaluation_interval: minutes > 600 ? '30m' : '1m',
    tests: [
      {
        interval,
        input_series: input,
        alert_rule_test: [{ eval_time: `${minutes}m`, alertname: alert, exp_alerts: [] as object[] }],
      },
    ],
  };
  return inDirectory({ 'rules.yaml': groups, 'test.yaml': tests }, (path) => {
    const { ok, output } = promtool('test', 'rules', path('test.yaml'));
    if (ok) {
      return [];
    }
    const got = output.slice(output.indexOf('got:'));
    const labels = [...got.matchAll(/Labels:\{([^}]*)\}/g)].map(([, text]) => text!);
    if (labels.length === 0) {
      throw new Error(output);
    }
    return labels;
  });
}

const SINK = 'es_sink_7_:_Writer';
const SOURCE = 'Source:_kinesis_source_1_';
const WINDOW = 'GlobalWindowAggregate_4_';
const NONE_LATE = operator('numLateRecordsDropped', WINDOW, '0x60');
const BUSY_SINK = task('busyTimeMsPerSecond', SINK, '990x60');
const WAITING_SOURCE = task('backPressuredTimeMsPerSecond', SOURCE, '800x60');
const RISING_LAG = operator('currentEmitEventTimeLag', SOURCE, '0+10000x60');

/** By alert: series for which it fires, for whom, and the nearest for which it is silent. */
const CASES: { [alert: string]: { minutes: number; bad: Series[]; names: string; good: Series[] } } = {
  FlinkJobNotRunning: {
    minutes: 10,
    bad: [job('runningTime', '0x20')],
    names: 'the job',
    good: [job('runningTime', '0+60000x20')],
  },
  FlinkJobRestarting: {
    minutes: 20,
    bad: [job('numRestarts', '0x6 1 2 3 4 5x10')],
    names: 'the job',
    good: [job('numRestarts', '0x6 1 1 1 1 2x10')],
  },
  FlinkCheckpointSlow: {
    minutes: 15,
    bad: [job('lastCheckpointDuration', '31000x20')],
    names: 'the job',
    good: [job('lastCheckpointDuration', '29000x20')],
  },
  FlinkCheckpointFailing: {
    minutes: 20,
    bad: [job('numberOfFailedCheckpoints', '0x12 1 2 3x6')],
    names: 'the job',
    good: [job('numberOfFailedCheckpoints', '0x12 1x8')],
  },
  FlinkCheckpointMissing: {
    minutes: 30,
    bad: [job('numberOfCompletedCheckpoints', '0+2x10 20x30')],
    names: 'the job',
    good: [job('numberOfCompletedCheckpoints', '0+2x10 20x5 20+2x20')],
  },
  FlinkStateGrowing: {
    minutes: 26 * 60,
    bad: [job('lastCheckpointFullSize', '1000000000+1000000x1600')],
    names: 'the job',
    good: [job('lastCheckpointFullSize', '1000000000+500000x1600')],
  },
  FlinkBackPressure: {
    minutes: 30,
    bad: [task('backPressuredTimeMsPerSecond', SOURCE, '600x60')],
    names: SOURCE,
    good: [task('backPressuredTimeMsPerSecond', SOURCE, '900x5 400x60')],
  },
  FlinkSinkErrors: {
    minutes: 20,
    bad: [operator('numRecordsSendErrors', SINK, '0x12 3x8')],
    names: SINK,
    good: [operator('numRecordsSendErrors', SINK, '3x20')],
  },
  FlinkSourceLag: {
    minutes: 20,
    bad: [operator('currentEmitEventTimeLag', SOURCE, '700000x20'), operator('sourceIdleTime', SOURCE, '0x20')],
    names: SOURCE,
    good: [operator('currentEmitEventTimeLag', SOURCE, '700000x20'), operator('sourceIdleTime', SOURCE, '0+60000x20')],
  },
  FlinkSourcePending: {
    minutes: 20,
    bad: [operator('pendingRecords', SOURCE, '70000x20'), operator('numRecordsIn', SOURCE, '0+6000x20')],
    names: SOURCE,
    good: [operator('pendingRecords', SOURCE, '50000x20'), operator('numRecordsIn', SOURCE, '0+6000x20')],
  },
  FlinkSinkSkewed: {
    minutes: 40,
    bad: [950, 20, 20, 20].map((busy, subtask) => task('busyTimeMsPerSecond', SINK, `${busy}x60`, subtask)),
    names: SINK,
    good: [950, 900, 900, 900].map((busy, subtask) => task('busyTimeMsPerSecond', SINK, `${busy}x60`, subtask)),
  },
  FlinkLateRowsDropped: {
    minutes: 20,
    bad: [operator('numLateRecordsDropped', WINDOW, '0+2x20'), operator('numRecordsIn', WINDOW, '0+1000x20')],
    names: WINDOW,
    good: [operator('numLateRecordsDropped', WINDOW, '0+2x20'), operator('numRecordsIn', WINDOW, '0+4000x20')],
  },
  FlinkWatermarkStalled: {
    minutes: 40,
    bad: [task('currentInputWatermark', WINDOW, '0+60000x10 600000x40'), task('numRecordsIn', WINDOW, '0+1000x60'), NONE_LATE],
    names: WINDOW,
    good: [task('currentInputWatermark', WINDOW, '0+60000x10 600000x40'), task('numRecordsIn', WINDOW, '0+1000x10 10000x50'), NONE_LATE],
  },
  FlinkWatermarkAhead: {
    minutes: 20,
    bad: [operator('currentOutputWatermark', SOURCE, '88000000x20')],
    names: SOURCE,
    good: [
      operator('currentOutputWatermark', SOURCE, '86400000x20'),
      operator('currentOutputWatermark', 'Source:_ended_2_', '9223372036854775807x20'),
      operator('currentOutputWatermark', 'Source:_empty_3_', '-9223372036854775808x20'),
    ],
  },
  FlinkShardLag: {
    minutes: 20,
    bad: [shard('shardId_000000000001', '700000x20'), shard('shardId_000000000002', '0x20')],
    names: 'shardId_000000000001',
    good: [shard('shardId_000000000001', '500000x20'), shard('shardId_000000000002', '-1x20')],
  },
  FlinkSinkHoldsBack: {
    minutes: 40,
    bad: [BUSY_SINK, WAITING_SOURCE, RISING_LAG],
    names: SINK,
    good: [BUSY_SINK, WAITING_SOURCE, operator('currentEmitEventTimeLag', SOURCE, '5000x60')],
  },
};

test('every rule has a case', () => {
  expect(Object.keys(CASES).sort()).toEqual(RULES.map(({ alert }) => alert).sort());
});

const SELECTOR = /\b(flink_\w+)\{([^}]*)\}/g;
const MATCHER = /(\w+)(=~|!~|=)"([^"]*)"/g;

/** The metrics of a part of an expression, each with the labels that it is selected by. */
function selected(expr: string): { metric: string; labels: string[] }[] {
  return [...expr.matchAll(SELECTOR)].map(([, metric, matchers]) => ({
    metric: metric!,
    labels: [...matchers!.matchAll(MATCHER)].map(([, label]) => label!),
  }));
}

/** What is grouped: the labels, and the metrics within the parentheses that follow. */
function grouped(expr: string): { metric: string; labels: string[] }[] {
  return [...expr.matchAll(/\bby \(([^)]*)\) (?=\()/g)].flatMap((match) => {
    const start = match.index + match[0].length;
    let [end, depth] = [start, 0];
    do {
      depth += { '(': 1, ')': -1 }[expr[end]!] ?? 0;
      end += 1;
    } while (depth > 0);
    const labels = match[1]!.split(', ').filter((label) => label !== '');
    return selected(expr.slice(start, end)).map(({ metric }) => ({ metric, labels }));
  });
}

test('every metric of a rule was exposed by Flink, with the labels that it is selected and grouped by', () => {
  const used = RULES.flatMap(({ expr }) => [...selected(expr), ...grouped(expr)]);
  expect(new Set(used.map(({ metric }) => metric)).size).toBeGreaterThan(10);
  expect(new Set(used.flatMap(({ labels }) => labels))).toEqual(new Set([...OF_POD, 'task_name', 'operator_name', 'stream', 'shardId']));
  const unknown = used.flatMap(({ metric, labels }) =>
    labels.filter((label) => !OF_POD.includes(label) && !LABELS.get(metric)?.includes(label)).map((label) => `${metric}{${label}}`),
  );
  expect([...unknown, ...used.map(({ metric }) => metric).filter((metric) => !LABELS.has(metric))]).toEqual([]);
  expect([...LABELS].filter(([, labels]) => OF_POD.some((label) => labels.includes(label)))).toEqual([]);
});

test('rules know tasks and operators by the names that Flink gives them', () => {
  const named = (label: string, pattern: string) =>
    EXPOSED.flatMap((line) => new RegExp(`^${label}="(${pattern})"$`).exec(line)?.[1] ?? []);
  const patterns = RULES.flatMap(({ expr }) => [...expr.matchAll(MATCHER)].filter(([, , operator]) => operator !== '='));
  const taken = Object.fromEntries(patterns.map(([matcher, label, , pattern]) => [matcher, named(label!, pattern!)]));
  const [sinks, sources, times, repetitions] = [
    Object.keys(taken).find((matcher) => matcher.includes('Writer'))!,
    'task_name=~"Source:.*"',
    'operator_name=~"(Source:|WatermarkAssigner).*"',
    'operator_name!~"Deduplicate.*"',
  ];
  expect(Object.keys(taken).sort()).toEqual([sinks, sources, times, repetitions].sort());
  // All tasks but the source of windows, and those that put small files together.
  expect(named('task_name', '.*').filter((name) => !taken[sinks]!.includes(name))).toEqual([
    expect.stringMatching(/^Source:_numbers_1_/),
    'compact_coordinator',
    'compact_operator',
  ]);
  const writers = /"(.*)"/.exec(sinks)![1]!;
  expect(named('operator_name', '.*').filter((name) => !named('operator_name', writers).includes(name))).not.toContainEqual(
    expect.stringMatching(/writer|Sink/i),
  );
  expect(taken[sources]).toEqual([
    expect.stringMatching(/^Source:_backlog____.*StreamingFileWriter__streaming_writer.*Sink:_printed_/),
    expect.stringMatching(/^Source:_numbers_1_/),
  ]);
  expect(taken[times]!.map((name) => name.slice(0, 18))).toEqual([
    'Source:_backlog',
    'Source:_backlog___',
    'Source:_numbers_1_',
    'WatermarkAssigner_',
  ]);
  expect(taken[repetitions]).toEqual([expect.stringMatching(/^Deduplicate_\d+_$/)]);
  // Flink cuts the name of an operator at 80 characters, and keeps what a rule looks for.
  expect(named('operator_name', '.*').filter((name) => name.length >= 80)).toEqual([
    expect.stringMatching(/^Source:_/),
    expect.stringMatching(/^long_\w+:_Writer$/),
  ]);
});

test('a job that is not to run is not missed, and its other alerts stay', () => {
  const names = (state: JobState) => alertRules(application({ state })).map(({ alert }) => alert);
  expect(names(JobState.SUSPENDED)).toEqual(names(JobState.RUNNING).filter((alert) => alert !== 'FlinkJobNotRunning'));
  expect(names(JobState.RUNNING)).toContain('FlinkJobNotRunning');
});

test('lag is long when half of the retention is over, or ten minutes', () => {
  const rule = (alert: string, ...retention: (Duration | undefined)[]) => {
    const sources = retention.map((retentionPeriod, at) => [`s${at}`, stream(`s${at}`, 4, { retentionPeriod })]);
    const program = programOf({ ...Object.fromEntries(sources), printed: sink() });
    return alertRules(application({ program })).find((one) => one.alert === alert)!;
  };
  const short = Duration.minutes(8);
  expect(rule('FlinkSourceLag', Duration.days(7), short, undefined).expr).toMatch(/ > 240$/);
  expect(rule('FlinkSourcePending', short).expr).toMatch(/ > 240$/);
  expect(rule('FlinkSourceLag', short).annotations.description).toContain('older than 240 s');
  expect(rule('FlinkSourceLag', Duration.days(7), undefined).expr).toMatch(/ > 600$/);
  expect(rule('FlinkSourceLag', Duration.minutes(Lazy.number({ produce: () => 8 }))).expr).toMatch(/ > 600$/);
});

test('the alert of the state names the room and what keeps the rows', () => {
  const description = (props: Parameters<typeof application>[0]) =>
    alertRules(application({ parallelism: 4, ...props })).find(({ alert }) => alert === 'FlinkStateGrowing')!.annotations.description;
  expect(description({ stateBackend: StateBackend.rocksDb({ localStorage: Size.gibibytes(20) }), taskSlots: 2 })).toContain(
    'the local volumes (2 of 20480Mi)',
  );
  expect(description({ taskManager: { memory: Size.gibibytes(4) } })).toContain(
    '2048 MiB, which go well with the memory of 4 TaskManagers',
  );
  expect(description({ stateBackend: StateBackend.rocksDb() })).toContain('27307 MiB, which go well with the memory of 4 TaskManagers');
  expect(description({})).toContain('a join or an aggregate keeps a row');
  const forced = (primaryKey?: string[]) => ({
    upsertMaterialize: UpsertMaterialize.FORCE,
    program: programOf({ events: stream('clicks', 4), written: sink({}, { primaryKey }) }),
  });
  expect(description(forced(['id']))).toContain('keeps the rows of each key for ever');
  expect(description({ ...forced(['id']), stateTtl: Duration.days(7) })).toContain('keeps the rows of each key until the state TTL');
  expect(description(forced())).toContain('a join or an aggregate keeps a row');
});

whenAvailable('promtool', () => {
  test('takes every rule', () => {
    const { ok, output } = inDirectory({ 'rules.yaml': { groups: [{ name: 'flink', rules: RULES }] } }, (path) =>
      promtool('check', 'rules', path('rules.yaml')),
    );
    expect(output).toContain(`SUCCESS: ${RULES.length} rules found`);
    expect(ok).toBe(true);
  });

  test.each(Object.keys(CASES))('%s fires, and is silent for the nearest that is well', (alert) => {
    const { minutes, bad, names, good } = CASES[alert]!;
    expect(fires(alert, bad, minutes)).toEqual([names]);
    expect(fires(alert, good, minutes)).toEqual([]);
    const { annotations } = RULES.find((rule) => rule.alert === alert)!;
    for (const [, label] of `${annotations.summary} ${annotations.description}`.matchAll(/\$labels\.(\w+)/g)) {
      expect(firing(alert, bad, minutes, RULES)[0]).toContain(`${label}="`);
    }
  });

  test.each(RULES.map(({ alert }) => alert).filter((alert) => alert !== 'FlinkJobNotRunning'))('%s is silent for another job', (alert) => {
    const others = CASES[alert]!.bad.map(({ series, values }) => ({ series: series.replace('app="orders"', 'app="orders-2"'), values }));
    expect(fires(alert, others, CASES[alert]!.minutes)).toEqual([]);
  });

  test('a job that is not scraped does not run', () => {
    expect(fires('FlinkJobNotRunning', [], 10)).toEqual(['the job']);
  });

  test('restarts at intervals are seen, and one alone is not', () => {
    const every = (minutes: number) => [job('numRestarts', Array.from({ length: 181 }, (_, at) => Math.floor(at / minutes)).join(' '))];
    expect(fires('FlinkJobRestarting', every(10), 175)).toEqual(['the job']);
    expect(fires('FlinkJobRestarting', every(45), 175)).toEqual([]);
    expect(fires('FlinkJobRestarting', [job('numRestarts', '0x100 1x80')], 175)).toEqual([]);
  });

  test('a job that waits before it restarts is not down while it waits', () => {
    const patient = alertRules(application({ restartStrategy: RestartStrategy.fixedDelay(100, Duration.minutes(10)) }));
    const restart = [job('runningTime', '0+60000x20 0x12 0+60000x20'), job('numberOfCompletedCheckpoints', '0+2x20 40x12 40+2x20')];
    const minutes = Array.from({ length: 20 }, (_, at) => 22 + at);
    expect(minutes.flatMap((minute) => fires('FlinkJobNotRunning', restart, minute, patient))).toEqual([]);
    expect(fires('FlinkJobNotRunning', restart, 30)).toEqual(['the job']);
    expect(fires('FlinkJobNotRunning', [job('runningTime', '0+60000x20 0x30')], 45, patient)).toEqual(['the job']);
  }, 60_000);

  test('one of two writers may have the work of both, one alone has it from nobody', () => {
    const writers = (...busy: number[]) => busy.map((value, subtask) => task('busyTimeMsPerSecond', SINK, `${value}x60`, subtask));
    expect(fires('FlinkSinkSkewed', writers(950, 20), 40)).toEqual([SINK]);
    expect(fires('FlinkSinkSkewed', writers(950, 600), 40)).toEqual([]);
    expect(fires('FlinkSinkSkewed', writers(20, 20), 40)).toEqual([]);
    expect(fires('FlinkSinkSkewed', writers(950), 40)).toEqual([]);
  });

  describe('FlinkStateGrowing', () => {
    /** One TaskManager with a volume of so many GiB. */
    const disk = (gibibytes: number) =>
      alertRules(application({ parallelism: 1, stateBackend: StateBackend.rocksDb({ localStorage: Size.gibibytes(gibibytes) }) }));
    const sizes = (days: number, gigabytes: (hour: number) => number, pod = 'a'): Series => ({
      series: `flink_jobmanager_job_lastCheckpointFullSize{${PODS},pod="${pod}"}`,
      values: Array.from({ length: days * 144 + 1 }, (_, at) => {
        const value = gigabytes(at / 6);
        return Number.isNaN(value) ? '_' : Math.round(value * 1e9);
      }).join(' '),
    });
    const grows = (series: Series[], hours: number, rules: AlertRule[]) =>
      firing('FlinkStateGrowing', series, hours * 60, rules, '10m').length > 0;

    test.each([74, 120, 239])('fires for 50 GB and 12 GB a day after %d hours', (hours) => {
      expect(grows([sizes(10, (hour) => 50 + hour / 2)], hours, disk(500))).toBe(true);
    });

    test.each([14, 20, 23, 30])('fires for a new job with 1 GB an hour on 20 GiB after %d hours', (hours) => {
      expect(grows([sizes(2, (hour) => hour)], hours, disk(20))).toBe(true);
    });

    test('fires where slow growth fills the volume within a week, and not where it has room for longer', () => {
      const slow = [sizes(6, (hour) => 70 + hour / 24)];
      expect(grows(slow, 100, disk(72))).toBe(true);
      expect(grows(slow, 100, disk(100))).toBe(false);
    });

    test.each([20, 27, 80, 140])('is silent after %d hours for a state that is stable, breathes, or is read back', (hours) => {
      const breathing = (hour: number) => 50 + 20 * Math.sin((hour / 12) * Math.PI) + (hour % 5) / 10;
      expect(grows([sizes(6, () => 50)], hours, disk(60))).toBe(false);
      expect(grows([sizes(6, breathing)], hours, disk(100))).toBe(false);
      // The job manager starts again twice, in a pod of another name, and has no checkpoint at first.
      const restarted = [
        sizes(6, (hour) => (hour < 50 ? breathing(hour) : Number.NaN), 'a'),
        sizes(6, (hour) => (hour < 50 || hour > 90 ? Number.NaN : hour < 51 ? -1e-9 : breathing(hour)), 'b'),
        sizes(6, (hour) => (hour < 91 ? Number.NaN : hour < 92 ? -1e-9 : breathing(hour)), 'c'),
      ];
      expect(grows(restarted, hours, disk(100))).toBe(false);
    });

    test('is silent for little state, whatever it does', () => {
      expect(grows([sizes(6, (hour) => hour / 100)], 100, disk(20))).toBe(false);
      expect(grows([sizes(6, (hour) => hour / 100)], 100, disk(2))).toBe(true);
    });
  });

  test('a job without a Kinesis source has no rule of shards', () => {
    expect(alertRules(application(settings(30, 60))).map(({ alert }) => alert)).not.toContain('FlinkShardLag');
  });

  test('time that moves for one of two subtasks does not stand still, and a job without watermarks has none', () => {
    const rows = task('numRecordsIn', WINDOW, '0+1000x60');
    const stalled = task('currentInputWatermark', WINDOW, '600000x60');
    const moving = task('currentInputWatermark', WINDOW, '0+60000x60', 1);
    const none = task('currentInputWatermark', WINDOW, '-9223372036854775808x60');
    expect(fires('FlinkWatermarkStalled', [stalled, rows, NONE_LATE], 40)).toEqual([WINDOW]);
    expect(fires('FlinkWatermarkStalled', [stalled, moving, rows, NONE_LATE], 40)).toEqual([]);
    expect(fires('FlinkWatermarkStalled', [none, rows, NONE_LATE], 40)).toEqual([]);
  });

  test('time may stand still where nothing waits for it', () => {
    const stalled = (name: string) => [task('currentInputWatermark', name, '600000x60'), task('numRecordsIn', name, '0+1000x60')];
    const [join, deduplicate, windowJoin] = ['Join_7_', 'Deduplicate_4_', 'WindowJoin_9_'];
    expect(fires('FlinkWatermarkStalled', stalled(join), 40)).toEqual([]);
    const repeated = operator('numLateRecordsDropped', deduplicate, '0+10x60');
    expect(fires('FlinkWatermarkStalled', [...stalled(deduplicate), repeated], 40)).toEqual([]);
    const noneLate = operator('leftNumLateRecordsDropped', windowJoin, '0x60');
    expect(fires('FlinkWatermarkStalled', [...stalled(windowJoin), noneLate], 40)).toEqual([windowJoin]);
    const chained = operator('numLateRecordsDropped', 'GlobalWindowAggregate_4_', '0x60', 'GlobalWindowAggregate_4_____Calc_5_');
    expect(fires('FlinkWatermarkStalled', [...stalled('GlobalWindowAggregate_4_____Calc_5_'), chained], 40)).toHaveLength(1);
  });

  test('a repetition is not late, nor are a few rows in an hour many', () => {
    const rows = (name: string, perMinute: number) => operator('numRecordsIn', name, `0+${perMinute}x90`);
    const late = (name: string, values: string) => operator('numLateRecordsDropped', name, values);
    expect(fires('FlinkLateRowsDropped', [late('Deduplicate_4_', '0+10x90'), rows('Deduplicate_4_', 1000)], 80)).toEqual([]);
    expect(fires('FlinkLateRowsDropped', [late('WindowDeduplicate_4_', '0+10x90'), rows('WindowDeduplicate_4_', 1000)], 80)).toHaveLength(
      1,
    );
    expect(fires('FlinkLateRowsDropped', [late(WINDOW, '0x10 1x80'), rows(WINDOW, 50)], 15)).toEqual([]);
    // One in a hundred rows of a source that sends seldom.
    expect(fires('FlinkLateRowsDropped', [late(WINDOW, '0+0.5x90'), rows(WINDOW, 50)], 80)).toEqual([WINDOW]);
  });

  test.each(['left', 'right'])('rows of the %s side of a join of windows may be late', (side) => {
    const join = 'WindowJoin_9_';
    const other = side === 'left' ? 'right' : 'left';
    const late = [operator(`${side}NumLateRecordsDropped`, join, '0+2x20'), operator(`${other}NumLateRecordsDropped`, join, '0x20')];
    expect(fires('FlinkLateRowsDropped', [...late, operator('numRecordsIn', join, '0+1000x20')], 20)).toEqual([join]);
    expect(fires('FlinkLateRowsDropped', [...late, operator('numRecordsIn', join, '0+4000x20')], 20)).toEqual([]);
  });

  test('a source that stands still has a backlog, an empty one has none', () => {
    const still = [operator('pendingRecords', SOURCE, '5x20'), operator('numRecordsIn', SOURCE, '7x20')];
    const empty = [operator('pendingRecords', SOURCE, '0x20'), operator('numRecordsIn', SOURCE, '7x20')];
    expect(fires('FlinkSourcePending', still, 20)).toEqual([SOURCE]);
    expect(fires('FlinkSourcePending', empty, 20)).toEqual([]);
  });

  test('a sink in one chain with its source holds the pipeline back without back-pressure', () => {
    const chain = 'Source:_kinesis_source_1_____Calc_2_____es_sink_7_:_Writer';
    const busy = (milliseconds: number) => [task('busyTimeMsPerSecond', chain, `${milliseconds}x60`), RISING_LAG];
    expect(fires('FlinkSinkHoldsBack', busy(990), 40)).toEqual([chain]);
    expect(fires('FlinkSinkHoldsBack', busy(700), 40)).toEqual([]);
  });

  test('thresholds follow the checkpoints of the job', () => {
    const patient = alertRules(application(settings(300, 900)));
    const slow = [job('lastCheckpointDuration', '59000x60')];
    expect(fires('FlinkCheckpointSlow', slow, 50, patient)).toEqual([]);
    expect(fires('FlinkCheckpointSlow', slow, 50)).toEqual(['the job']);
    const silent = [job('numberOfCompletedCheckpoints', '4x60')];
    expect(fires('FlinkCheckpointMissing', silent, 25)).toEqual(['the job']);
    expect(fires('FlinkCheckpointMissing', silent, 18, patient)).toEqual([]);
  });
});
