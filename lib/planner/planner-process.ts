import { type ChildProcessWithoutNullStreams, spawn } from 'child_process';
import { createInterface } from 'readline';
import type { PlanReport } from './plan-report';
import { diedMessage, type PlannerAnswer, type PlannerProgram, requestLine } from './planner-batch';
import type { PlannerCommand } from './planner-home';

interface Waiting {
  resolve(report: PlanReport): void;
  reject(error: Error): void;
}

/** A planner that stays, for several programs one after the other. It ends with `close()`, or with this process. */
export class PlannerProcess {
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly waiting = new Map<number, Waiting>();
  private readonly ended: Promise<void>;
  private requests = 0;
  private died?: Error;

  constructor(command: PlannerCommand) {
    this.child = spawn(command.java, command.args, { stdio: 'pipe' });
    let stderr = '';
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-10_000);
    });
    createInterface({ input: this.child.stdout }).on('line', (line) => this.answer(JSON.parse(line) as PlannerAnswer));
    // A write to a process that has just died; its end is told below.
    this.child.stdin.on('error', () => {});
    this.ended = new Promise((resolve) => {
      const end = (how: string) => {
        this.died ??= new Error(diedMessage(how, stderr));
        for (const { reject } of this.waiting.values()) {
          reject(this.died);
        }
        this.waiting.clear();
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
  public plan(program: PlannerProgram): Promise<PlanReport> {
    if (this.died) {
      return Promise.reject(this.died);
    }
    const id = this.requests++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.child.stdin.write(requestLine(id, program));
    });
  }

  /** End the planner once it has answered. */
  public async close(): Promise<void> {
    this.child.stdin.end();
    await this.ended;
  }

  private answer({ id, report, error }: PlannerAnswer): void {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (report) {
      waiting?.resolve(report);
    } else {
      waiting?.reject(new Error(error));
    }
  }
}
