import { connect } from 'net';
import { createInterface } from 'readline';
import { Conversation } from '../planner/conversation';
import { preparePlanner } from '../planner/planner-home';
import { PlannerProcess } from '../planner/planner-process';
import type { RunRequest, RunResult } from '../planner/run-request';

/** Flink, ready to run programs. */
export interface Engine {
  run(request: RunRequest): Promise<RunResult>;
}

/** Names the socket of the engine that a whole test run shares. */
export const ENGINE_SOCKET = 'CDK_FLINK_PIPELINE_ENGINE_SOCKET';

/** Where people read of what takes long. */
export function say(message: string): void {
  process.stderr.write(`cdk-flink-pipeline: ${message}\n`);
}

let engine: Engine | undefined;

/** The engine of the test run where there is one, else one for this process, which ends with it. */
export function findEngine(): Engine {
  engine ??= process.env[ENGINE_SOCKET] === undefined ? startEngine() : sharedEngine(process.env[ENGINE_SOCKET]);
  return engine;
}

function startEngine(): Engine {
  const started = new PlannerProcess(preparePlanner(say));
  started.unref();
  return started;
}

function sharedEngine(path: string): Engine {
  const socket = connect(path).unref();
  const conversation = new Conversation((line) => socket.write(line));
  createInterface({ input: socket }).on('line', (line) => conversation.answer(line));
  socket.on('error', (error) => conversation.end(new Error(`the Flink engine of this test run does not answer: ${error.message}`)));
  socket.on('close', () => conversation.end(new Error('the Flink engine of this test run has ended')));
  return { run: async (run) => (await conversation.ask({ run })).result! };
}
