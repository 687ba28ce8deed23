import { spawnSync } from 'child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { cpus, tmpdir } from 'os';
import { join } from 'path';
import { parseArgs } from 'util';
import type { DerivedValue } from '../lib';
import { compile } from './compile';
import { checkSameResources } from './same-resources';

/** The library may take this much more than the floor. */
const WHOLE_PROCESS_LIMIT = 1.15;
const SECOND_SYNTH_LIMIT = 1.3;
/** Ten times the tables may take this many times as long: the share that does not grow makes it less. */
const GROWTH_LIMIT = 10;

const FLOOR = 'bench/floor/user-events';
const LIBRARY = 'bin/user-events';
const ROOT = join(__dirname, '..');

interface Run {
  readonly milliseconds: number;
  /** What the child wrote to file descriptor 3. */
  readonly reported: number;
}

/**
 * Measures the library against the same pipeline written by hand and prints the table of `docs/performance.md`; ends with status 1 where
 * a limit is exceeded. `--check` only compares what both create, `--update` copies the script and the derived values into the floor,
 * `--repetitions N` sets how often each is run.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { check: { type: 'boolean' }, update: { type: 'boolean' }, repetitions: { type: 'string', default: '15' } },
  });
  const repetitions = Number(values.repetitions);
  if (values.update) {
    await updateFloor();
  }
  const compiled = await compile(ROOT);
  try {
    checkSameResources(synthOnce(compiled, FLOOR), synthOnce(compiled, LIBRARY));
    console.log('The floor creates the same resources as bin/user-events.ts.');
    if (!values.check) {
      const ratios = [...wholeProcess(compiled, repetitions), ...secondSynth(compiled, repetitions), ...manyTables(compiled, repetitions)];
      console.log(`\nMeasured with ${cpus().length} cores and Node ${process.version}, ${repetitions} runs of each, in turn.`);
      process.exitCode = ratios.every((within) => within) ? 0 : 1;
    }
  } finally {
    rmSync(compiled, { recursive: true });
  }
}

/** The floor's texts are copies: whoever writes a job by hand has them in files, too. */
async function updateFloor(): Promise<void> {
  const compiled = await compile(ROOT);
  const directory = join(synthOnce(compiled, LIBRARY), '..', 'UserEvents.user-events');
  copyFileSync(join(directory, 'job.sql'), join(ROOT, 'bench/floor/user-events.sql'));
  const { derivedValues }: { derivedValues: DerivedValue[] } = JSON.parse(readFileSync(join(directory, 'pipeline.json'), 'utf8'));
  const lines = derivedValues.map(({ name, value, reason, table }) => `${table ? `${table}: ` : ''}${name} = ${value} (${reason})\n`);
  writeFileSync(join(ROOT, 'bench/floor/derived-values.txt'), lines.join(''));
  rmSync(compiled, { recursive: true });
}

/** Synthesizes an app and returns the path of its template in the compiled directory. */
function synthOnce(compiled: string, app: string): string {
  const output = join(compiled, 'assembly', app);
  runApp(compiled, app, output, false);
  return join(output, 'UserEvents.template.json');
}

function wholeProcess(compiled: string, repetitions: number): boolean[] {
  console.log('\n| whole process | floor, median (best) | library, median (best) | ratio | limit |\n|---|---|---|---|---|');
  return [false, true].flatMap((validation) => {
    const runs = interleave(repetitions, (app) => {
      const output = mkdtempSync(join(tmpdir(), 'bench-assembly-'));
      const run = runApp(compiled, app, output, validation);
      rmSync(output, { recursive: true });
      return run;
    });
    const name = `validation ${validation ? 'on' : 'off'}`;
    const peak = ({ reported }: Run) => reported / 1024;
    return [
      report(`wall time, ${name}`, 'ms', runs, (run) => run.milliseconds, WHOLE_PROCESS_LIMIT),
      report(`peak memory, ${name}`, 'MiB', runs, peak, WHOLE_PROCESS_LIMIT),
    ];
  });
}

function secondSynth(compiled: string, repetitions: number): boolean[] {
  console.log('\n| one process | floor, median (best) | library, median (best) | ratio | limit |\n|---|---|---|---|---|');
  const runs = interleave(repetitions, (app) => run(compiled, ['bench/second-synth.js', `${app}-stack`], false));
  return [report('second synth', 'ms', runs, ({ reported }) => reported, SECOND_SYNTH_LIMIT)];
}

function manyTables(compiled: string, repetitions: number): boolean[] {
  const sizes = [1, 10, 100, 1_000];
  const samples = sizes.map((): number[] => []);
  for (let repetition = 0; repetition < Math.ceil(repetitions / 2); repetition++) {
    for (const [index, tables] of sizes.entries()) {
      samples[index]!.push(run(compiled, ['bench/many-tables.js', String(tables)], false).reported);
    }
  }
  console.log('\n| tables in a program | synth, median (best) | times the row above | limit |\n|---|---|---|---|');
  const medians = samples.map(median);
  return sizes.map((tables, index) => {
    const growth = index === 0 ? 1 : medians[index]! / medians[index - 1]!;
    const judged = index === 0 ? ' | ' : `${growth.toFixed(1)} | ${GROWTH_LIMIT}`;
    console.log(`| ${tables} | ${medians[index]!.toFixed(0)} ms (${Math.min(...samples[index]!).toFixed(0)}) | ${judged} |`);
    return growth <= GROWTH_LIMIT;
  });
}

interface Pair {
  readonly floor: Run[];
  readonly library: Run[];
}

/** Runs both in turn, the first of each pair alternating, so that a busy machine slows both alike. */
function interleave(repetitions: number, measure: (app: string) => Run): Pair {
  const pair: Pair = { floor: [], library: [] };
  measure(FLOOR);
  measure(LIBRARY);
  for (let repetition = 0; repetition < repetitions; repetition++) {
    for (const side of repetition % 2 === 0 ? (['floor', 'library'] as const) : (['library', 'floor'] as const)) {
      pair[side].push(measure(side === 'floor' ? FLOOR : LIBRARY));
    }
  }
  return pair;
}

function report(name: string, unit: string, pair: Pair, value: (run: Run) => number, limit: number): boolean {
  const [floor, library] = [pair.floor.map(value), pair.library.map(value)];
  const ratio = median(library) / median(floor);
  const show = (values: number[]) => `${median(values).toFixed(0)} ${unit} (${Math.min(...values).toFixed(0)})`;
  console.log(`| ${name} | ${show(floor)} | ${show(library)} | ${ratio.toFixed(3)} | ${limit} |`);
  return ratio <= limit;
}

function runApp(compiled: string, app: string, output: string, validation: boolean): Run {
  return run(compiled, ['--require', './bench/peak-memory.js', `${app}.js`], validation, output);
}

/** Starts a new process, with the context that the CDK toolkit would give it. */
function run(compiled: string, args: string[], validation: boolean, output?: string): Run {
  const { context } = JSON.parse(readFileSync(join(ROOT, 'cdk.json'), 'utf8'));
  const { CDK_VALIDATION: _validation, ...environment } = process.env;
  const start = process.hrtime.bigint();
  const child = spawnSync(process.execPath, args, {
    cwd: compiled,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    env: {
      ...environment,
      CDK_CONTEXT_JSON: JSON.stringify(context),
      ...(output !== undefined && { CDK_OUTDIR: output }),
      ...(!validation && { CDK_VALIDATION: 'false' }),
    },
  });
  const milliseconds = Number(process.hrtime.bigint() - start) / 1e6;
  if (child.status !== 0) {
    throw new Error(`node ${args.join(' ')} ended with status ${child.status}:\n${child.stderr}`);
  }
  return { milliseconds, reported: Number(child.output[3]) };
}

function median(values: number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.ceil((sorted.length - 1) / 2)]!) / 2;
}

void main();
