import { mkdtempSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import type { FoundProgram } from '../../lib/planner/find-programs';
import { checkLock, lockCheckText, lockErrors } from '../../lib/planner/lock-check';
import { lockNames, lockPath, lockText, type PipelineLock, readLock, whyNotLocked, writeLock } from '../../lib/planner/lock-file';
import { type RestoreProbe, stateVerdict, wantsProbe } from '../../lib/planner/lock-state';
import type { PlanReport } from '../../lib/planner/plan-report';

const SOURCE = { id: 'a1', name: 'Source: s[1]', state: 'the position in each split', connector: 'x' };
const AGGREGATE = { id: 'b2', name: 'GroupAggregate[2]', state: 'the aggregates of each group' };
const WRITER = { id: 'c3', name: 't[3]: Writer', state: 'what its connector keeps', connector: 'y' };

function lock(operators: object[] = [SOURCE, AGGREGATE, WRITER], changed: object = {}, maxParallelism = 720): PipelineLock {
  return {
    version: 2,
    job: 'j',
    flink: '2.2.1',
    planner: '2.2.1',
    jars: [],
    configuration: {},
    script: [],
    scriptDigest: '',
    statements: [{ table: 't', digest: 'd' }],
    vertices: [{ parallelism: 1, maxParallelism, operators }],
    tables: {},
    ...changed,
  } as unknown as PipelineLock;
}

test('the same job is identical', () => {
  expect(stateVerdict(lock(), lock())).toEqual({ verdict: 'identical', reasons: [] });
});

test.each<[string, PipelineLock, 'unknown' | 'refused', string]>([
  ['an operator with state is gone', lock([SOURCE, WRITER]), 'refused', "'GroupAggregate[2]' (b2), which keeps the aggregates"],
  ['a source is gone', lock([AGGREGATE, WRITER]), 'refused', "'Source: s[1]' (a1)"],
  ['another maximum parallelism', lock(undefined, {}, 360), 'refused', 'has maximum parallelism 360, its state was written with 720'],
  ['a writer is gone', lock([SOURCE, AGGREGATE]), 'unknown', "'t[3]: Writer' (c3): Flink refuses where its connector kept anything"],
  ['a table is another', lock([{ ...SOURCE, connector: 'z' }, AGGREGATE, WRITER]), 'unknown', "the table of 'Source: s[1]' (a1) changed"],
  ['the same ids and another plan', lock(undefined, { statements: [{ table: 't', digest: 'e' }] }), 'unknown', "INSERT into 't' changed"],
  ['another Flink', lock(undefined, { flink: '2.2.2' }), 'unknown', 'Flink changed from 2.2.1 to 2.2.2'],
  ['another option', lock(undefined, { configuration: { o: '1' } }), 'unknown', "option 'o' changed from unset to 1"],
  ['a new operator', lock([SOURCE, AGGREGATE, WRITER, { ...AGGREGATE, id: 'd4' }]), 'unknown', 'is new and starts empty'],
])('%s', (_, after, verdict, reason) => {
  const result = stateVerdict(lock(), after);
  expect(result.verdict).toBe(verdict);
  expect(result.reasons).toContainEqual(expect.stringContaining(reason));
});

describe('state that another operator takes', () => {
  const PROBED = { unreached: [] };
  const holding = (id: string, plan: string, insert: number) => ({
    id,
    name: `GroupAggregate[${insert + 1}]`,
    state: 'the aggregates of each group',
    plan,
    inserts: [insert],
  });
  const of = (tables: string[], ...operators: object[]) =>
    lock([SOURCE, ...operators], { statements: tables.map((table) => ({ table, digest: `of ${table}` })) });

  test('two INSERTs into one table that change places are misplaced, whatever a probe says', () => {
    const before = of(['t', 't'], holding('b2', 'users', 1), holding('b3', 'pages', 2));
    const after = of(['t', 't'], holding('b2', 'pages', 1), holding('b3', 'users', 2));
    const { verdict, reasons } = stateVerdict(before, after, PROBED);
    expect(verdict).toBe('misplaced');
    expect(reasons).toEqual([
      "'GroupAggregate[2]' (b2) for INSERT 1 into 't' takes the aggregates of each group of 'GroupAggregate[2]' for INSERT 1 into 't', " +
        "which is 'GroupAggregate[3]' for INSERT 2 into 't' now: leave the INSERTs in their order, and put new ones last",
      expect.stringContaining("'GroupAggregate[3]' (b3) for INSERT 2 into 't' takes"),
    ]);
    expect(wantsProbe(before, after)).toBe(false);
    const check = checkLock('j.lock.json', before, after);
    expect(check.status).toBe('stale');
    expect(lockErrors(check)[0]).toMatch(/^state is misplaced: 'GroupAggregate\[2]'/);
  });

  describe('what connectors keep', () => {
    const writer = (id: string, table: string, insert: number) => ({
      ...WRITER,
      id,
      name: `${table}[${insert + 1}]: Writer`,
      connector: table,
      inserts: [insert],
    });
    const before = of(['t', 'u'], writer('c3', 't', 1), writer('c4', 'u', 2));

    test('INSERTs that change places: each writer would go on with what the other kept', () => {
      const after = of(['u', 't'], writer('c3', 'u', 1), writer('c4', 't', 2));
      expect(stateVerdict(before, after, PROBED)).toEqual({
        verdict: 'misplaced',
        reasons: [
          "INSERT 1 into 't' and INSERT 2 into 'u' changed places",
          "'u[2]: Writer' (c3) for INSERT 1 into 'u' takes what the connector of 't[2]: Writer' for INSERT 1 into 't' keeps",
          "'t[3]: Writer' (c4) for INSERT 2 into 't' takes what the connector of 'u[3]: Writer' for INSERT 2 into 'u' keeps",
        ],
      });
      expect(checkLock('j.lock.json', before, after).advice[0]).toMatch(/^only ids moved: put the INSERTs back in their order/);
    });

    test('where no id is taken by another, that they changed places is said, and what helps', () => {
      const after = of(['u', 't'], writer('c5', 'u', 1), writer('c6', 't', 2));
      const { state, advice } = checkLock('j.lock.json', before, after);
      expect(state!.verdict).toBe('unknown');
      expect(state!.reasons[0]).toBe("INSERT 1 into 't' and INSERT 2 into 'u' changed places");
      expect(advice).toEqual(['to keep all ids: put the INSERTs back in their order, and new ones behind them']);
    });

    test('an id that another table has now, without INSERTs that changed places, is told as such', () => {
      const { verdict, reasons } = stateVerdict(
        of(['t'], writer('c3', 't', 1)),
        of(['new', 't'], writer('c3', 'new', 1), writer('c4', 't', 2)),
      );
      expect(verdict).toBe('unknown');
      expect(reasons).toContain(
        "'new[2]: Writer' has the id of 't[2]: Writer' (c3) now, which wrote another table: it gets what the connector of that one kept, if anything",
      );
    });
  });

  test('a new INSERT in front takes the state of the one behind it', () => {
    const after = of(['new', 't'], holding('b2', 'new', 1), holding('b3', 'users', 2));
    expect(stateVerdict(of(['t'], holding('b2', 'users', 1)), after).verdict).toBe('misplaced');
    // A scan that both share has other columns: what the old one does is nowhere the same.
    const shared = of(['new', 't'], holding('b2', 'new', 1), holding('b3', 'more users', 2));
    expect(stateVerdict(of(['t'], holding('b2', 'users', 1)), shared).verdict).toBe('misplaced');
  });

  test('an INSERT that stood before another is gone: that one takes its state, also where a scan that both shared has other columns', () => {
    const before = of(['t', 'u'], holding('b2', 'users', 1), holding('b3', 'pages', 2));
    for (const plan of ['pages', 'more pages']) {
      const { verdict, reasons } = stateVerdict(before, of(['u'], holding('b2', plan, 1)));
      expect(verdict).toBe('refused');
      expect(reasons).toEqual([
        expect.stringMatching(/^no operator of the new job has the id of 'GroupAggregate\[3]' .* for INSERT 2 into 'u'$/),
        expect.stringMatching(/^'GroupAggregate\[2]' \(b2\) for INSERT 1 into 'u' takes .* for INSERT 1 into 't'/),
      ]);
    }
  });

  test('a sink of another name may be the same INSERT: nobody can be certain', () => {
    const after = of(['renamed'], holding('b2', 'users, for another sink', 1));
    expect(stateVerdict(of(['t'], holding('b2', 'users', 1)), after).verdict).toBe('unknown');
  });

  test('a source that takes the position of another', () => {
    const read = (id: string, plan: string) => ({ ...SOURCE, id, plan, inserts: [1] });
    const before = of(['t'], read('a2', 'clicks'), read('a3', 'visits'));
    expect(stateVerdict(before, of(['t'], read('a2', 'visits'), read('a3', 'clicks'))).verdict).toBe('misplaced');
  });

  test('a plan that changes in its place means something else, and both INSERTs are named', () => {
    const after = of(['t'], holding('b2', 'users of today', 1));
    expect(stateVerdict(of(['t'], holding('b2', 'users', 1)), after, PROBED)).toEqual({
      verdict: 'restores, meaning changed',
      reasons: [
        "'GroupAggregate[2]' (b2) for INSERT 1 into 't' has another plan than 'GroupAggregate[2]' for INSERT 1 into 't', whose state it gets",
      ],
    });
  });

  test('an INSERT behind the others takes nothing', () => {
    const after = of(['t', 'new'], holding('b2', 'users', 1), holding('b3', 'new', 2));
    const { verdict, reasons } = stateVerdict(of(['t'], holding('b2', 'users', 1)), after, PROBED);
    expect(verdict).toBe('restores, probed');
    expect(reasons).toEqual(["an INSERT into 'new' is new", "'GroupAggregate[3]' (b3) is new and starts empty"]);
  });

  test('what is refused names the INSERT, and says too what else would be misplaced', () => {
    const before = of(['t', 't'], holding('b2', 'users', 1), holding('b3', 'pages', 2));
    const { verdict, reasons } = stateVerdict(before, of(['t'], holding('b2', 'pages', 1)));
    expect(verdict).toBe('refused');
    expect(reasons).toEqual([
      "no operator of the new job has the id of 'GroupAggregate[3]' (b3), which keeps the aggregates of each group for INSERT 2 into 't'",
      expect.stringContaining("'GroupAggregate[2]' (b2) for INSERT 1 into 't' takes the aggregates of each group"),
    ]);
  });
});

test('INSERTs into one table: one more is new, one less is gone, of two equal ones too', () => {
  const of = (...digests: string[]) => lock(undefined, { statements: digests.map((digest) => ({ table: 't', digest })) });
  const reasons = (before: PipelineLock, after: PipelineLock) => stateVerdict(before, after).reasons;
  expect(reasons(of('d'), of('d', 'e'))).toEqual(["an INSERT into 't' is new"]);
  expect(reasons(of('d', 'e'), of('d'))).toEqual(["the INSERT into 't' is gone"]);
  expect(reasons(of('d', 'd'), of('d'))).toEqual(["the INSERT into 't' is gone"]);
  expect(reasons(of('d', 'e'), of('d', 'f'))).toEqual([expect.stringContaining("the plan of the INSERT into 't' changed")]);
});

test('an operator without state may go', () => {
  expect(stateVerdict(lock([SOURCE, { id: 'e5', name: 'Calc[5]' }]), lock([SOURCE])).verdict).toBe('identical');
});

test('a lock is written in one way, and read back', () => {
  const directory = mkdtempSync(join(tmpdir(), 'lock-'));
  const path = lockPath(directory, 'j');
  expect(readLock(path)).toBeUndefined();
  writeLock(path, lock());
  expect(readLock(path)).toEqual(lock());
  const { version, ...rest } = lock();
  expect(lockText({ ...rest, version })).toBe(lockText(lock()));
  writeFileSync(path, '{ "version": 1 }');
  expect(() => readLock(path)).toThrow('has version 1, this command reads version 2');
  writeFileSync(path, '<<<<<<< HEAD');
  expect(() => readLock(path)).toThrow('is no lock');
  rmSync(directory, { recursive: true });
});

test('jobs of one name are told apart by their directories', () => {
  const program = (jobName: string, directoryName: string) => ({ jobName, directoryName }) as FoundProgram;
  expect(lockNames([program('a', 'Dev.a'), program('b', 'Dev.b'), program('a', 'Prod.a')])).toEqual(['Dev.a', 'b', 'Prod.a']);
});

test('a missing, a current and a stale lock', () => {
  expect(lockCheckText(checkLock('j.lock.json', undefined, lock()))).toBe("j: 'j.lock.json' is missing: run 'lock' and commit it\n");
  expect(lockCheckText(checkLock('j.lock.json', lock(), lock()))).toBe("j: as in 'j.lock.json'\n");
  expect(lockCheckText(checkLock('j.lock.json', lock(), lock([SOURCE, WRITER])))).toContain('\n  state: refused\n');
});

describe('a job that would lose its state is told so first, and what to do', () => {
  const aggregate = (id: string, plan: string) => ({ ...AGGREGATE, id, plan });
  const text = (before: PipelineLock, after: PipelineLock, probe?: RestoreProbe) =>
    lockCheckText(checkLock('j.lock.json', before, after, probe));
  const LET_GO = 'to let go of the state of those operators alone: allowNonRestoredState';

  test('an operator that is gone: its state may be let go', () => {
    const lines = text(lock(), lock([SOURCE, WRITER])).split('\n');
    expect(lines[0]).toBe("j: would not start from its state: another job than in 'j.lock.json'");
    expect(lines).toContain("  what to do, then run 'lock' and commit it");
    expect(lines).toContainEqual(expect.stringContaining('undo what changed'));
    expect(lines).toContainEqual(expect.stringContaining('a new jobName, and a new prefix'));
    expect(lines).toContainEqual(expect.stringContaining(LET_GO));
    expect(lines).toContainEqual(expect.stringContaining('upgradeMode STATELESS with a higher restartNonce'));
  });

  test('an operator that is elsewhere now: the order of the INSERTs is mended', () => {
    const moved = text(lock([SOURCE, aggregate('b2', 'sum')]), lock([SOURCE, aggregate('b5', 'sum')]));
    expect(moved).toContain('\n    only ids moved: put the INSERTs back in their order, and new ones behind them\n');
    expect(moved).not.toContain(LET_GO);
  });

  test.each<[string, PipelineLock, RestoreProbe | undefined]>([
    ['another maximum parallelism', lock(undefined, {}, 360), undefined],
    ['an operator gone, and another maximum parallelism', lock([SOURCE, WRITER], {}, 360), undefined],
    ['a savepoint that Flink refused', lock(undefined, { configuration: { o: '1' } }), { refusal: 'no', unreached: [] }],
    ['a savepoint that Flink refused, and a writer gone', lock([SOURCE, AGGREGATE]), { refusal: 'no', unreached: [] }],
  ])('%s: letting go of what is left over would not help', (_, after, probe) => {
    const told = text(lock(), after, probe);
    expect(told).toContain('j: would not start from its state');
    expect(told).not.toContain(LET_GO);
  });

  test('an operator gone, and another plan under the id of one that stays: what that one kept may be refused again', () => {
    const before = lock([SOURCE, aggregate('b2', 'sum'), { ...AGGREGATE, id: 'b3', name: 'Rank[3]' }]);
    expect(text(before, lock([SOURCE, aggregate('b2', 'sum')]))).toContain(LET_GO);
    const told = text(before, lock([SOURCE, aggregate('b2', 'max')]));
    expect(told).toContain('j: would not start from its state');
    expect(told).not.toContain(LET_GO);
  });

  test('state that another operator takes', () => {
    const [a, b] = [aggregate('b2', 'users'), aggregate('b3', 'pages')];
    const told = text(lock([SOURCE, a, b]), lock([SOURCE, { ...a, plan: 'pages' }, { ...b, plan: 'users' }]));
    expect(told).toMatch(/^j: would start with the state of other operators, without an error: another job than in 'j\.lock\.json'\n/);
    expect(told).toContain('put the INSERTs back in their order');
  });

  test('any other change asks to be read', () => {
    const told = text(lock(), lock(undefined, { configuration: { o: '1' } }));
    expect(told).toMatch(/^j: another job than in 'j\.lock\.json': run 'lock' and commit it, after reading this\n/);
    expect(told).not.toContain('what to do');
  });
});

test('a stale lock says which parts of it changed: a comment alone is told from another plan', () => {
  const of = (changed: object) => checkLock('j.lock.json', lock(), lock(undefined, changed));
  const comment = of({ script: ['-- why'], scriptDigest: 'x' });
  expect(comment).toMatchObject({ status: 'stale', changed: ['script'], state: { verdict: 'identical' } });
  expect(lockCheckText(comment)).toContain('\n  changed: comments or white space of the script\n  state: identical\n');
  const lookup = of({ script: ["CREATE TABLE u (a STRING) WITH ('ttl' = '1 d');"], scriptDigest: 'x' });
  expect(lookup).toMatchObject({ changed: ['script'], script: ["table 'u' is new"] });
  expect(lockCheckText(lookup)).toContain("\n  changed: script\n    table 'u' is new\n  state: identical\n");
  const option = of({ script: ["SET 'o' = '1';"], scriptDigest: 'x', configuration: { o: '1' } });
  expect(option.changed).toEqual(['configuration', 'script']);
  expect(lockCheckText(option)).toContain("\n  changed: configuration, script\n    setting 'o' is new\n");
  expect(of({})).toMatchObject({ status: 'current', changed: [] });
});

test('a program without a lock says why, each statement that Flink refuses', () => {
  const program = { jobName: 'j' } as FoundProgram;
  expect(whyNotLocked({ program, error: 'no jar' })).toEqual(["job 'j' cannot be locked: no jar"]);
  const statement = (number: number, errors: string[]) => ({ number, line: 10 * number, summary: 'INSERT INTO t', errors });
  const report = { statements: [statement(1, []), statement(2, ['no column x']), statement(3, ['a', 'b'])] } as unknown as PlanReport;
  expect(whyNotLocked({ program, report })).toEqual([
    "job 'j' cannot be locked, Flink refuses statement 2, line 20 (INSERT INTO t): no column x",
    "job 'j' cannot be locked, Flink refuses statement 3, line 30 (INSERT INTO t): a",
    "job 'j' cannot be locked, Flink refuses statement 3, line 30 (INSERT INTO t): b",
  ]);
});

describe('what no plan shows', () => {
  const HEAP = { backend: 'hashmap', savepointFormat: 'NATIVE' };
  const ROCKS = { ...HEAP, backend: 'rocksdb' };
  const PROBED = { unreached: [] };

  test('another state back end is refused with a native savepoint, and unknown with a canonical one', () => {
    expect(stateVerdict(lock(undefined, { keeps: HEAP }), lock(undefined, { keeps: HEAP })).verdict).toBe('identical');
    const refused = stateVerdict(lock(undefined, { keeps: HEAP }), lock(undefined, { keeps: ROCKS }), PROBED);
    expect(refused.verdict).toBe('refused');
    expect(refused.reasons).toEqual([expect.stringContaining('from hashmap to rocksdb, which a NATIVE savepoint cannot cross')]);
    const canonical = { ...HEAP, savepointFormat: 'CANONICAL' };
    expect(stateVerdict(lock(undefined, { keeps: canonical }), lock(undefined, { keeps: ROCKS }), PROBED).verdict).toBe('unknown');
  });

  test('a function of another class, and another time zone, change what is restored', () => {
    const of = (name: string) => lock(undefined, { functions: { f: name } });
    expect(stateVerdict(of('a.Sum'), of('a.Sum')).verdict).toBe('identical');
    expect(stateVerdict(of('a.Sum'), of('a.Avg'), PROBED)).toEqual({
      verdict: 'restores, meaning changed',
      reasons: ['function f is of class a.Avg, it was of a.Sum'],
    });
    const at = (zone: string) => lock(undefined, { configuration: { 'table.local-time-zone': zone } });
    expect(stateVerdict(at('UTC'), at('Asia/Shanghai'), PROBED).verdict).toBe('restores, meaning changed');
    const idle = (time: string) => lock(undefined, { configuration: { 'table.exec.source.idle-timeout': time } });
    expect(stateVerdict(idle('1 min'), idle('2 min'), PROBED).verdict).toBe('restores, probed');
  });

  test('a real factory in the place of a stand-in says nothing, and no probe is wasted on it', () => {
    const by = (factory: string) => lock(undefined, { connectors: { jdbc: factory } });
    expect(stateVerdict(by('stand-in'), by('JdbcFactory'), PROBED)).toEqual({
      verdict: 'unknown',
      reasons: [expect.stringContaining("tables of 'jdbc' were planned by stand-in and are planned by JdbcFactory now")],
    });
    expect(wantsProbe(by('stand-in'), by('JdbcFactory'))).toBe(false);
    expect(wantsProbe(by('stand-in'), lock(undefined, { connectors: { jdbc: 'stand-in' }, flink: '2.2.2' }))).toBe(true);
  });

  test('operators that no row reached, and a probe that could not be made, prove nothing', () => {
    const [before, after] = [lock(), lock(undefined, { configuration: { a: 'b' } })];
    expect(stateVerdict(before, after, PROBED).verdict).toBe('restores, probed');
    expect(stateVerdict(before, after, { unreached: ['Rank[3]'] }).verdict).toBe('unknown');
    expect(stateVerdict(before, after, { failure: 'no', unreached: [] }).verdict).toBe('unknown');
    expect(stateVerdict(before, after, { refusal: 'no', unreached: [] }).verdict).toBe('refused');
  });
});
