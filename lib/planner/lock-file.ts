import { createHash } from 'crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'fs';
import { dirname, join } from 'path';
import type { FoundProgram } from './find-programs';
import { type TableContract, tableContracts } from './lock-contract';
import { type ChainedState, chainedState } from './lock-operators';
import type { ProgramPlan } from './plan-programs';
import type { PlannedSink, PlanReport } from './plan-report';
import { statementErrors } from './report-text';
import { SubPlans } from './sub-plans';

/** Version of a lock: a reader refuses one that it does not know. */
export const LOCK_VERSION = 2;

/** What a job is on the day of its lock: its program, what state it keeps under which ids, what its tables promise. */
export interface PipelineLock {
  readonly version: number;
  readonly job: string;
  /** Flink version of the job. */
  readonly flink: string;
  /** Flink version of the planner. */
  readonly planner: string;
  /** Maven coordinates and file names of the jars of the image. */
  readonly jars: string[];
  /** Class of each function. */
  readonly functions?: { readonly [name: string]: string };
  /** By connector: the class of the factory that planned its tables, or `stand-in`. */
  readonly connectors?: { readonly [identifier: string]: string };
  /** State back end, and the format of the savepoint that the operator takes before an upgrade. */
  readonly keeps?: { readonly backend: string; readonly savepointFormat: string };
  /** Flink options that bear on the plan, those of the script among them. */
  readonly configuration: { readonly [option: string]: string };
  /** Lines of the script, with placeholders. */
  readonly script: string[];
  readonly scriptDigest: string;
  readonly statements: LockedStatement[];
  readonly vertices: LockedVertex[];
  readonly tables: { readonly [table: string]: TableContract };
}

/** An INSERT: what its query gives to the table, and the digest of its plan. */
export interface LockedStatement extends Omit<PlannedSink, 'operator'> {
  readonly digest: string;
}

/** Operators that run chained. */
export interface LockedVertex {
  readonly parallelism: number;
  readonly maxParallelism: number;
  readonly operators: LockedOperator[];
}

export interface LockedOperator extends ChainedState {
  readonly id: string;
  readonly name: string;
}

/** Why a program has no lock, each reason with its job; none where it has one. */
export function whyNotLocked({ program, report, error }: ProgramPlan): string[] {
  if (report === undefined) {
    return [`job '${program.jobName}' cannot be locked: ${error}`];
  }
  return statementErrors(report).map(
    ({ statement, message }) => `job '${program.jobName}' cannot be locked, Flink refuses ${statement}: ${message}`,
  );
}

/** The lock of a program that has a plan. */
export function makeLock(program: FoundProgram, report: PlanReport): PipelineLock {
  const plan = report.plan!;
  const subPlans = new SubPlans(plan, report.tables);
  return {
    version: LOCK_VERSION,
    job: program.jobName,
    flink: program.flinkVersion,
    planner: report.flink,
    jars: [...program.coordinates, ...program.jarFiles.map((name) => withDigest(name, program.jarDigests?.[name]))].sort(),
    functions: pairs(program.script, FUNCTION),
    connectors: Object.fromEntries(report.connectors.map(({ identifier, factory }) => [identifier, factory ?? 'stand-in'])),
    ...(program.keeps === undefined ? {} : { keeps: program.keeps }),
    configuration: { ...program.configuration, ...pairs(program.script, SETTING) },
    script: program.script.trimEnd().split('\n'),
    scriptDigest: digest(program.script),
    statements: plan.sinks.map(({ operator, ...sink }) => ({ ...sink, digest: subPlans.digest(operator) })),
    vertices: plan.vertices.map(({ parallelism, maxParallelism, chain }) => ({
      parallelism,
      maxParallelism,
      operators: chain.map(({ id, name }) => ({ id, name, ...chainedState(name, plan.operators, report.tables, subPlans) })),
    })),
    tables: tableContracts(report.tables, program.tables),
  };
}

const FUNCTION = /^CREATE TEMPORARY (?:SYSTEM )?FUNCTION (\S+) AS '((?:[^']|'')*)'/gm;
const SETTING = /^SET '((?:[^']|'')*)' = '((?:[^']|'')*)';$/gm;

function pairs(script: string, pattern: RegExp): { [name: string]: string } {
  return Object.fromEntries([...script.matchAll(pattern)].map(([, name, value]) => [name!, value!]));
}

function withDigest(fileName: string, sha256: string | undefined): string {
  return sha256 === undefined ? fileName : `${fileName} sha256:${sha256}`;
}

/** A lock as it is written: the same for the same job, its keys in the order of the alphabet. */
export function lockText(lock: PipelineLock): string {
  return `${JSON.stringify(sorted(lock), undefined, 2)}\n`;
}

/** The parts in which two locks differ, by their names. The digest of a script is one with its text. */
export function changedParts(before: PipelineLock, after: PipelineLock): string[] {
  const text = (lock: PipelineLock, part: string) => JSON.stringify(sorted(lock[part as keyof PipelineLock]));
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((part) => text(before, part) !== text(after, part))
    .map((part) => (part === 'scriptDigest' ? 'script' : part))
    .filter((part, index, all) => all.indexOf(part) === index)
    .sort();
}

/** The path of a job's lock. */
export function lockPath(directory: string, name: string): string {
  return join(directory, `${name}.lock.json`);
}

/** The names of the locks of programs: the job, or its directory in the assembly where several jobs have one name. */
export function lockNames(programs: FoundProgram[]): string[] {
  return programs.map(({ jobName, directoryName }) =>
    programs.filter((other) => other.jobName === jobName).length === 1 ? jobName : directoryName,
  );
}

/**
 * Read a lock.
 *
 * @returns undefined where there is none
 * @throws an error when it is of another version, or no lock
 */
export function readLock(path: string): PipelineLock | undefined {
  if (!existsSync(path)) {
    return undefined;
  }
  let lock: PipelineLock;
  try {
    lock = JSON.parse(readFileSync(path, 'utf8')) as PipelineLock;
  } catch (error) {
    throw new Error(`'${path}' is no lock: ${(error as Error).message}; take it from version control, or run 'lock' to write it anew`);
  }
  if (lock?.version !== LOCK_VERSION) {
    throw new Error(
      `'${path}' has version ${lock?.version}, this command reads version ${LOCK_VERSION}: use the version of cdk-flink-pipeline that wrote it, ` +
        "or run 'lock' to write it anew",
    );
  }
  if (![lock.vertices, lock.statements, lock.jars, lock.script].every(Array.isArray) || typeof lock.tables !== 'object') {
    throw new Error(`'${path}' is no whole lock: take it from version control, or run 'lock' to write it anew`);
  }
  return lock;
}

/** Write a lock. */
export function writeLock(path: string, lock: PipelineLock): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, lockText(lock));
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(sorted);
  }
  if (value === null || typeof value !== 'object') {
    return value;
  }
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}
