import { mkdtempSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import type { FoundProgram } from '../../lib/planner/find-programs';
import { checkLock, lockCheckText } from '../../lib/planner/lock-check';
import { lockNames, lockPath, lockText, type PipelineLock, readLock, writeLock } from '../../lib/planner/lock-file';
import { stateVerdict } from '../../lib/planner/lock-state';

const SOURCE = { id: 'a1', name: 'Source: s[1]', state: 'the position in each split', connector: 'x' };
const AGGREGATE = { id: 'b2', name: 'GroupAggregate[2]', state: 'the aggregates of each group' };
const WRITER = { id: 'c3', name: 't[3]: Writer', state: 'what its connector keeps', connector: 'y' };

function lock(operators: object[] = [SOURCE, AGGREGATE, WRITER], changed: object = {}, maxParallelism = 720): PipelineLock {
  return {
    version: 1,
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
  writeFileSync(path, '{ "version": 2 }');
  expect(() => readLock(path)).toThrow('has version 2, this command reads version 1');
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
