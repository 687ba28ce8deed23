import { type ChildProcess, execFile, spawn } from 'child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join, resolve } from 'path';
import { promisify } from 'util';
import { type PlannerCommand, preparePlanner } from '../../../lib/planner/planner-home';
import { PlannerProcess } from '../../../lib/planner/planner-process';

jest.setTimeout(300_000);

const SCRIPT = `CREATE TABLE clicks (user_id STRING) WITH ('connector' = 'kinesis', 'stream.arn' = 'arn:aws:kinesis:eu-west-1:111122223333:stream/s',
  'aws.region' = 'eu-west-1', 'format' = 'json');
CREATE TABLE pages (user_id STRING) WITH ('connector' = 'print');
INSERT INTO pages SELECT user_id FROM clicks;
`;

/** A run starts Flink itself, with directories of its own. */
const RUN = { program: { script: SCRIPT, configuration: {}, jars: [] }, tables: { clicks: [{ phase: 1, row: { user_id: 'u1' } }] } };

let root: string;
let temporary: string;
let command: PlannerCommand;
beforeAll(() => {
  command = preparePlanner((message) => process.stderr.write(`${message}\n`));
});
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'life-'));
  temporary = mkdtempSync(join(root, 'tmp-'));
  const args = [`-Djava.io.tmpdir=${temporary}`, ...command.args.filter((arg) => !arg.startsWith('-Djava.io.tmpdir='))];
  command = { ...command, args };
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function until(condition: () => boolean, seconds = 30): Promise<void> {
  for (const end = Date.now() + seconds * 1000; !condition() && Date.now() < end; ) {
    await new Promise((resume) => setTimeout(resume, 50));
  }
  expect(condition()).toBe(true);
}

/** The Java process of a planner, which nobody else needs to know. */
function childOf(planner: PlannerProcess): ChildProcess {
  return (planner as unknown as { child: ChildProcess }).child;
}

test('a JVM that is killed in the middle of a request: each one that waits is told, and so is the next', async () => {
  const planner = new PlannerProcess(command);
  await planner.plan({ script: SCRIPT });
  const waiting = [planner.plan({ script: SCRIPT }), planner.plan({ script: SCRIPT })];
  childOf(planner).kill('SIGKILL');
  for (const outcome of await Promise.allSettled(waiting)) {
    expect(outcome).toMatchObject({
      status: 'rejected',
      reason: { message: expect.stringMatching(/^the Flink planner ended before.*SIGKILL/) },
    });
  }
  await expect(planner.plan({ script: SCRIPT })).rejects.toThrow('the Flink planner ended before it had answered');
  await planner.close();
});

test('a jar of the class path that is gone: what Java says of it', async () => {
  const args = command.args.filter((arg) => !arg.startsWith('-XX:SharedArchiveFile'));
  args[args.indexOf('-cp') + 1] = join(root, 'gone.jar');
  const planner = new PlannerProcess({ ...command, args });
  await expect(planner.plan({ script: SCRIPT })).rejects.toThrow(/ended before it had answered \(exit code 1\):\n.*PlannerServer/s);
  await planner.close();
});

test('a Java that is gone', async () => {
  const planner = new PlannerProcess({ ...command, java: join(root, 'java') });
  await expect(planner.plan({ script: SCRIPT })).rejects.toThrow(/ended before it had answered \(.*ENOENT/);
  await planner.close();
});

test('closed, it leaves neither a process nor a directory of a run', async () => {
  const planner = new PlannerProcess(command);
  await planner.run(RUN);
  const pid = childOf(planner).pid!;
  expect(readdirSync(temporary)).not.toEqual([]);
  await planner.close();
  expect(alive(pid)).toBe(false);
  expect(readdirSync(temporary)).toEqual([]);
});

/** A process that asks a planner of its own and then waits; it has no handler, so that only the operating system can end the planner. */
async function askingParent(requests: object[]): Promise<{ parent: ChildProcess; planner: number }> {
  const script = join(root, 'parent.js');
  const lines = requests.map((request) => `${JSON.stringify(request)}\n`).join('');
  writeFileSync(
    script,
    `const child = require('child_process').spawn(${JSON.stringify(command.java)}, ${JSON.stringify(command.args)}, { stdio: ['pipe', 'pipe', 'ignore'] });
child.stdin.write(${JSON.stringify(lines)});
child.stdout.once('data', () => console.log(child.pid));
`,
  );
  const parent = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'ignore'] });
  const planner = await new Promise<number>((found) => {
    parent.stdout.once('data', (text: Buffer) => found(Number(text.toString())));
  });
  return { parent, planner };
}

test('a parent that is killed takes the JVM and the directories of its run along', async () => {
  const { parent, planner } = await askingParent([{ id: 1, run: RUN }]);
  expect(alive(planner)).toBe(true);
  expect(readdirSync(temporary)).not.toEqual([]);
  parent.kill('SIGKILL');
  await until(() => !alive(planner));
  expect(readdirSync(temporary)).toEqual([]);
});

test('a parent that is killed in the middle of a request', async () => {
  const many = Array.from({ length: 500 }, (_, id) => ({ id, program: { script: SCRIPT } }));
  const { parent, planner } = await askingParent(many);
  parent.kill('SIGKILL');
  await until(() => !alive(planner), 10);
});

test('two processes at once on an empty cache: both plan, one planner is kept', async () => {
  const script = join(root, 'plan.ts');
  writeFileSync(
    script,
    `import { planBatch } from ${JSON.stringify(resolve('lib/planner/planner-batch'))};
import { preparePlanner } from ${JSON.stringify(resolve('lib/planner/planner-home'))};
const command = preparePlanner(() => {}, process.argv[2]);
const [answer] = planBatch(command, [{ script: ${JSON.stringify(SCRIPT)} }]);
console.log(answer!.report!.ok);
`,
  );
  const cache = join(root, 'cache');
  const tsx = resolve('node_modules/.bin/tsx');
  const outcomes = await Promise.all([1, 2].map(() => promisify(execFile)(tsx, [script, cache])));
  expect(outcomes.map(({ stdout }) => stdout.trim())).toEqual(['true', 'true']);
  const [directory, ...others] = readdirSync(cache);
  expect(others).toEqual([]);
  const kept = readdirSync(join(cache, directory!));
  expect(kept.filter((name) => !name.endsWith('.jsa'))).toEqual(['jars.json', 'planner.jar', 'sql-runner.jar']);
  expect(kept.filter((name) => name.endsWith('.jsa'))).toHaveLength(1);
});
