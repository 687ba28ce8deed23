import { mkdtempSync, rmSync } from 'fs';
import { createServer, type Server, type Socket } from 'net';
import { tmpdir } from 'os';
import { join } from 'path';
import { createInterface } from 'readline';
import type { PlannerAnswer, PlannerQuestion } from '../planner/planner-batch';
import { preparePlanner } from '../planner/planner-home';
import { PlannerProcess } from '../planner/planner-process';
import { ENGINE_SOCKET, say } from './engine';

/**
 * Starts one Flink for all test files and workers of a jest run. Without it each test file that uses `SqlTest` starts its own.
 *
 * ```json
 * { "globalSetup": "cdk-flink-pipeline/lib/testing/jest-setup", "globalTeardown": "cdk-flink-pipeline/lib/testing/jest-teardown" }
 * ```
 */
export default async function setUp(): Promise<void> {
  const engine = new PlannerProcess(preparePlanner(say));
  // In a directory that other users cannot enter, except on Windows, where the name cannot be guessed.
  const directory = mkdtempSync(join(tmpdir(), 'cdk-flink-pipeline-'));
  const path = process.platform === 'win32' ? `\\\\.\\pipe\\${directory.replace(/[^\w-]/g, '-')}` : join(directory, 'engine');
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket)));
    createInterface({ input: socket }).on('line', (line) => void answer(engine, line).then((text) => socket.write(text)));
  });
  await listen(server, path);
  process.env[ENGINE_SOCKET] = path;
  globalThis.cdkFlinkPipelineTearDown = async () => {
    for (const socket of sockets) {
      socket.destroy();
    }
    server.close();
    await engine.close();
    rmSync(directory, { recursive: true, force: true });
  };
}

declare global {
  // jest hands nothing from its setup to its teardown.
  var cdkFlinkPipelineTearDown: (() => Promise<void>) | undefined;
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => server.on('error', reject).listen(path, resolve));
}

async function answer(engine: PlannerProcess, line: string): Promise<string> {
  const { id, run } = JSON.parse(line) as { id: number } & Extract<PlannerQuestion, { run: unknown }>;
  const result: PlannerAnswer = await engine.run(run).then(
    (done) => ({ id, result: done }),
    (error: Error) => ({ id, error: error.message }),
  );
  return `${JSON.stringify(result)}\n`;
}
