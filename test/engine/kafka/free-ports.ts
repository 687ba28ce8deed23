import { createServer } from 'net';

const FIRST = 10_000;
const PORTS_OF_A_PROCESS = 50;
const PROCESSES = 400;

const first = FIRST + (process.pid % PROCESSES) * PORTS_OF_A_PROCESS;
let given = 0;

/**
 * Ports that nobody listens on, all different.
 *
 * They are below those that an operating system gives away by itself, and each process has some of its own: nobody else takes them
 * before they are listened on.
 */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = first + (given++ % PORTS_OF_A_PROCESS);
    if (await isFree(port)) {
      ports.push(port);
    }
  }
  return ports;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
      .on('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
