import { type ChildProcessWithoutNullStreams, spawn } from 'child_process';
import { createInterface } from 'readline';
import { Conversation } from './conversation';
import type { PlanReport } from './plan-report';
import { diedMessage, type PlannerProgram } from './planner-batch';
import type { PlannerCommand } from './planner-home';
import type { RunRequest, RunResult } from './run-request';

/** A planner that stays, for several programs one after the other. It ends with `close()`, or with this process. */
export class PlannerProcess {
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly conversation: Conversation;
  private readonly ended: Promise<void>;

  constructor(command: PlannerCommand) {
    this.child = spawn(command.java, command.args, { stdio: 'pipe' });
    this.conversation = new Conversation((line) => this.child.stdin.write(line));
    let stderr = '';
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-10_000);
    });
    createInterface({ input: this.child.stdout }).on('line', (line) => this.conversation.answer(line));
    // A write to a process that has just died; its end is told below.
    this.child.stdin.on('error', () => {});
    this.ended = new Promise((resolve) => {
      const end = (how: string) => {
        this.conversation.end(new Error(diedMessage(how, stderr)));
        resolve();
      };
      this.child.on('error', (error) => end(error.message));
      this.child.on('close', (code, signal) => end(`exit code ${code ?? signal}`));
    });
  }

  /**
   * Plan a program.
   *
   * @throws an error when there is no report: Java has died, or the request itself is wrong. What Flink refuses stands in the report.
   */
  public async plan(program: PlannerProgram): Promise<PlanReport> {
    return (await this.conversation.ask({ program })).report!;
  }

  /**
   * Run a program.
   *
   * @throws an error when Flink refuses it, a row does not fit its table, or the job fails
   */
  public async run(run: RunRequest): Promise<RunResult> {
    return (await this.conversation.ask({ run })).result!;
  }

  /** Let this process end while the planner waits; the planner ends with it. */
  public unref(): void {
    this.child.unref();
    for (const stream of [this.child.stdin, this.child.stdout, this.child.stderr]) {
      (stream as unknown as { unref(): void }).unref();
    }
  }

  /** End the planner once it has answered. */
  public async close(): Promise<void> {
    this.child.stdin.end();
    await this.ended;
  }
}
