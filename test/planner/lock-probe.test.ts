import type { PipelineLock } from '../../lib/planner/lock-file';
import { probeRestores } from '../../lib/planner/lock-probe';
import type { RestoreProbe } from '../../lib/planner/lock-state';
import type { PlanReport } from '../../lib/planner/plan-report';

const lock = {
  script: [],
  configuration: {},
  vertices: [
    {
      parallelism: 1,
      maxParallelism: 720,
      operators: [
        { id: 'a1', name: 'LookupJoin[2]', state: 'the rows that wait for an answer' },
        { id: 'b2', name: 'GroupAggregate[3]', state: 'the aggregates of each group' },
        { id: 'c3', name: 'GlobalWindowAggregate[4]', state: 'the aggregates of each group and window' },
      ],
    },
  ],
} as unknown as PipelineLock;

/** A source and a lookup feed two aggregates, and each of those a sink. */
const report = {
  tables: [],
  plan: {
    operators: [[], [1], [2], [2], [3], [4]].map((inputs) => ({ inputs: inputs.map((operator) => ({ operator })) })),
    sinks: [
      { operator: 5, table: 'totals' },
      { operator: 6, table: 'minutes' },
    ],
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
  result: { sinks: {}, states: states.map(([id, keyed, operator]) => ({ id, keyed, operator })) },
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
    "in 'GroupAggregate[3]' (b2), which keeps the aggregates of each group for the INSERT into 'totals': For heap backends, the new state " +
      'serializer (RowDataSerializer) must not be incompatible with the old state serializer (RowDataSerializer).',
  );
  expect(probe(ALL, { error: 'no', operators: ['a1', 'b2'] }, FINE).refusal).toBe(
    "in 'LookupJoin[2]' (a1), which keeps the rows that wait for an answer for the INSERT into 'totals', 'minutes', " +
      "or in 'GroupAggregate[3]' (b2), which keeps the aggregates of each group for the INSERT into 'totals': no",
  );
});

test('a refusal that names no operator is told without the files of the probe, and without options of a command that nobody called', () => {
  const error =
    'Failed to rollback to checkpoint/savepoint file:/tmp/x/0/savepoint-1. Cannot map checkpoint/savepoint state for operator 35da to the ' +
    'new program, because the operator is not available in the new program. If you want to allow to skip this, you can set the ' +
    '--allowNonRestoredState option on the CLI.';
  expect(probe(ALL, { error }, FINE).refusal).toBe(
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
