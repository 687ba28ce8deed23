import { spawnSync } from 'child_process';
import type { PlanReport } from './plan-report';
import type { PlannerCommand } from './planner-home';
import type { RunRequest, RunResult } from './run-request';

/** A program as the planner takes it. */
export interface PlannerProgram {
  readonly script: string;
  /** Flink options that bear on a plan. @default - those of Flink */
  readonly configuration?: { readonly [option: string]: string };
  /** Paths of jars with connectors, formats and functions. @default - those that are always there */
  readonly jars?: string[];
}

/** What the planner answers: a report or the result of a run, or why there is none. */
export interface PlannerAnswer {
  readonly id: number;
  readonly report?: PlanReport;
  readonly result?: RunResult;
  readonly error?: string;
  /** Of a job that failed before it had its state back: ids of the operators where it did, as far as they were given any. Else unset. */
  readonly operators?: string[];
}

/** What the planner is asked: to plan a program, or to run one. */
export type PlannerQuestion = { readonly program: PlannerProgram } | { readonly run: RunRequest };

/** Plan programs in one Java process, and wait for it. */
export function planBatch(command: PlannerCommand, programs: PlannerProgram[]): PlannerAnswer[] {
  return askBatch(
    command,
    programs.map((program) => ({ program })),
  );
}

/**
 * Ask questions of one Java process that ends with the last of them, and wait for it.
 *
 * @returns the answers in the order of the questions
 * @throws an error with the last words of Java when it ends before that
 */
export function askBatch(command: PlannerCommand, questions: PlannerQuestion[]): PlannerAnswer[] {
  const { stdout, stderr, status, signal, error } = spawnSync(command.java, command.args, {
    input: questions.map((question, id) => requestLine(id, question)).join(''),
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  const answers = (stdout ?? '').split('\n').flatMap((line) => readAnswer(line) ?? []);
  if (answers.length !== questions.length) {
    throw new Error(diedMessage(error?.message ?? `exit code ${status ?? signal}`, stderr ?? ''));
  }
  return answers;
}

/** An answer out of a line of standard output; undefined for a line that Java itself has written. */
export function readAnswer(line: string): PlannerAnswer | undefined {
  if (!line.startsWith('{')) {
    return undefined;
  }
  try {
    return JSON.parse(line) as PlannerAnswer;
  } catch {
    return undefined;
  }
}

/** A request as the planner reads it. */
export function requestLine(id: number, question: PlannerQuestion): string {
  return `${JSON.stringify({ id, ...question })}\n`;
}

/** What to say of a planner that ended before its answer. */
export function diedMessage(how: string, stderr: string): string {
  const last = stderr
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('SLF4J'))
    .slice(-5)
    .join('\n  ');
  return `the Flink planner ended before it had answered (${how})${last === '' ? '' : `:\n  ${last}`}`;
}
