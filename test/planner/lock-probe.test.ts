import type { PipelineLock } from '../../lib/planner/lock-file';
import { probeRestores } from '../../lib/planner/lock-probe';
import type { RestoreProbe } from '../../lib/planner/lock-state';
import { plannedState, typeAndPlace } from '../../lib/planner/placed-operators';
import type { PlanReport } from '../../lib/planner/plan-report';

const lock = {
  script: [],
  configuration: {},
  statements: [{ table: 'totals' }, { table: 'minutes' }],
  vertices: [
    {
      parallelism: 1,
      maxParallelism: 720,
      operators: [
        { id: '99', name: 'LookupJoin[12]' },
        { id: '88', name: 'LookupJoin[1]' },
        { id: 'a1', name: 'LookupJoin[2]', state: 'the rows that wait for an answer', inserts: [1, 2] },
        { id: 'b2', name: 'GroupAggregate[3]', state: 'the aggregates of each group', inserts: [1] },
        { id: 'c3', name: 'GlobalWindowAggregate[4]', state: 'the aggregates of each group and window', inserts: [2] },
      ],
    },
  ],
} as unknown as PipelineLock;

const report = {
  tables: [],
  plan: {
    operators: [
      { id: 1, type: 'LookupJoin' },
      { id: 2, type: 'LookupJoin', state: { holds: 'whatever it says', keyed: false } },
      { id: 3, type: 'GroupAggregate', state: { keyed: true } },
      { id: 4, type: 'GlobalWindowAggregate', state: { keyed: true } },
    ],
    sinks: [],
    lookups: [],
  },
} as unknown as PlanReport;

/** What comes of a probe whose three runs a planner answers like this. */
function probe(old: object, restored: object, alone: object): RestoreProbe {
  const answers = [old, restored, alone].map((answer, id) => JSON.stringify({ id, ...answer })).join('\n');
  const command = {
    java: process.execPath,
    args: ['-e', `process.stdin.resume().on('end', () => console.log(${JSON.stringify(answers)}))`],
    javaHome: '',
  };
  const program = { lock, report };
  const rows = { path: 'j.rows.json', tables: { clicks: [] } };
  return probeRestores(command, [{ before: program, after: program, jars: [], rows }])[0]!;
}

const ran = (...states: [string, boolean, boolean][]) => ({
  result: { sinks: {}, savepoint: 'file:/s', states: states.map(([id, keyed, operator]) => ({ id, keyed, operator })) },
});
const ALL = ran(['a1', false, true], ['b2', true, false], ['c3', true, true]);
const FINE = ran();

test('an operator was reached where some key has state; a lookup, which has no keys, where it has any', () => {
  expect(probe(ALL, FINE, FINE)).toEqual({ refusal: undefined, unreached: [] });
  const empty = ran(['a1', false, false], ['b2', false, false], ['c3', false, true]);
  expect(probe(empty, FINE, FINE).unreached).toEqual(['LookupJoin[2]', 'GroupAggregate[3]', 'GlobalWindowAggregate[4]']);
});

test('a refusal names the operator, its state and the INSERT, then what Flink says without its addresses', () => {
  const error =
    'For heap backends, the new state serializer (org.apache.flink.table.runtime.typeutils.RowDataSerializer@c3682dfa) must not be ' +
    'incompatible with the old state serializer (org.apache.flink.table.runtime.typeutils.RowDataSerializer@5d1d9d92).';
  expect(probe(ALL, { error, operators: ['b2'] }, FINE).refusal).toBe(
    "in 'GroupAggregate[3]' (b2), which keeps the aggregates of each group for INSERT 1 into 'totals': For heap backends, the new state " +
      'serializer (RowDataSerializer) must not be incompatible with the old state serializer (RowDataSerializer).',
  );
  expect(probe(ALL, { error: 'no', operators: ['a1', 'b2'] }, FINE).refusal).toBe(
    "in 'LookupJoin[2]' (a1), which keeps the rows that wait for an answer for INSERT 1 into 'totals' and INSERT 2 into 'minutes', " +
      "or in 'GroupAggregate[3]' (b2), which keeps the aggregates of each group for INSERT 1 into 'totals': no",
  );
});

test('a refusal that names no operator is told without the files of the probe, and without options of a command that nobody called', () => {
  const error =
    'Failed to rollback to checkpoint/savepoint file:/tmp/x/0/savepoint-1. Cannot map checkpoint/savepoint state for operator 35da to the ' +
    'new program, because the operator is not available in the new program. If you want to allow to skip this, you can set the ' +
    '--allowNonRestoredState option on the CLI.';
  expect(probe(ALL, { error, operators: [] }, FINE).refusal).toBe(
    'Cannot map checkpoint/savepoint state for operator 35da to the new program, because the operator is not available in the new program.',
  );
});

test('rows that do not fit are told with their file, where they are rows of the user', () => {
  const error = (table: string) => ({ error: `table '${table}', row 1: there is no column 'x' to give; there are [y]` });
  expect(probe(error('clicks'), FINE, FINE).failure).toBe(
    "the old program did not run: 'j.rows.json', table 'clicks', row 1: there is no column 'x' to give; there are [y]",
  );
  expect(probe(ALL, FINE, error('users')).failure).toBe(
    "the new program did not run: table 'users', row 1: there is no column 'x' to give; there are [y]",
  );
});

test('an old program that ends by itself has nothing to restore, and what failed after the restore was not refused', () => {
  const ended = { result: { sinks: {} } };
  expect(probe(ended, { error: 'there is no file /tmp/x/0' }, FINE)).toEqual({
    failure: 'the old program ends by itself: it has no state to restore',
    unreached: [],
  });
  expect(probe(ALL, { error: 'phase 1 has not come to its end within 60 seconds' }, FINE)).toEqual({
    failure: 'the new program failed, but not in its restore: phase 1 has not come to its end within 60 seconds',
    unreached: [],
  });
});

test('an operator is named by its place among all of its type, those among them that keep nothing', () => {
  expect(plannedState(lock).map((operator) => typeAndPlace(lock, operator))).toEqual([
    { type: 'LookupJoin', place: 2 },
    { type: 'GroupAggregate', place: 1 },
    { type: 'GlobalWindowAggregate', place: 1 },
  ]);
});
