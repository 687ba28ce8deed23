import { type PlannerAnswer, type PlannerQuestion, readAnswer, requestLine } from './planner-batch';

interface Waiting {
  resolve(answer: PlannerAnswer): void;
  reject(error: Error): void;
}

/** Questions to a planner and its answers, which need not come in their order. */
export class Conversation {
  private readonly waiting = new Map<number, Waiting>();
  private requests = 0;
  private ended?: Error;

  constructor(private readonly write: (line: string) => void) {}

  /** @throws the error that the planner answers, or why it will not answer */
  public ask(question: PlannerQuestion): Promise<PlannerAnswer> {
    if (this.ended) {
      return Promise.reject(this.ended);
    }
    const id = this.requests++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.write(requestLine(id, question));
    });
  }

  /** Take a line of the planner. */
  public answer(line: string): void {
    const answer = readAnswer(line);
    if (answer === undefined) {
      return;
    }
    const waiting = this.waiting.get(answer.id);
    this.waiting.delete(answer.id);
    if (waiting === undefined) {
      this.end(new Error(answer.error ?? 'the Flink planner has answered no question'));
    } else if (answer.error === undefined) {
      waiting.resolve(answer);
    } else {
      waiting.reject(new Error(answer.error));
    }
  }

  /** There will be no more answers. */
  public end(error: Error): void {
    this.ended ??= error;
    for (const { reject } of this.waiting.values()) {
      reject(this.ended);
    }
    this.waiting.clear();
  }
}
