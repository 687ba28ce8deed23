import { readdirSync, readFileSync } from 'fs';
import { join, relative } from 'path';
import type { Cluster, JobDetails } from './cluster';
import { CANARY } from './order-items';

/** The secret as a whole, the part of it that no escaping changes, and as JSON and SQL write it. */
const FORMS = [CANARY, CANARY.slice(0, CANARY.indexOf("'")), JSON.stringify(CANARY).slice(1, -1), CANARY.replaceAll("'", "''")];

/** Whether a text or the bytes of a file hold the secret. */
export function holdsSecret(text: string | Buffer): boolean {
  return FORMS.some((form) => text.includes(form));
}

/** The files below a directory by their paths. */
export function filesBelow(directory: string): { [path: string]: Buffer } {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => [relative(directory, join(parentPath, name)), readFileSync(join(parentPath, name))]),
  );
}

/** What the job manager answers to each path that it knows of the job, its settings and its task managers. */
export async function answers(cluster: Cluster): Promise<{ [path: string]: string }> {
  const read = async (path: string) => {
    const { status, text } = await cluster.get(path);
    if (status !== 200) {
      throw new Error(`${path} is answered by ${status}: ${text}`);
    }
    return text;
  };
  const { jobPath } = cluster;
  const { vertices } = JSON.parse(await read(jobPath)) as JobDetails;
  const { taskmanagers } = JSON.parse(await read('/taskmanagers')) as { taskmanagers: { id: string }[] };
  const { history } = JSON.parse(await read(`${jobPath}/checkpoints`)) as { history: { id: number }[] };
  const { logs } = JSON.parse(await read('/jobmanager/logs')) as { logs: { name: string }[] };
  const paths = [
    '/overview',
    '/config',
    '/jobs',
    '/jobs/overview',
    '/jobs/metrics',
    '/datasets',
    '/jobmanager/config',
    '/jobmanager/environment',
    '/jobmanager/log',
    '/jobmanager/logs',
    ...logs.map(({ name }) => `/jobmanager/logs/${name}`),
    '/jobmanager/metrics',
    '/jobmanager/thread-dump',
    '/taskmanagers',
    '/taskmanagers/metrics',
    ...taskmanagers.flatMap(({ id }) => ['', '/log', '/logs', '/metrics', '/thread-dump'].map((path) => `/taskmanagers/${id}${path}`)),
    ...['', '/config', '/exceptions', '/plan', '/status', '/accumulators', '/metrics', '/checkpoints', '/checkpoints/config'].map(
      (path) => `${jobPath}${path}`,
    ),
    ...['/jobmanager/config', '/jobmanager/environment', '/jobmanager/log-url'].map((path) => `${jobPath}${path}`),
    ...history.map(({ id }) => `${jobPath}/checkpoints/details/${id}`),
    ...vertices.flatMap(({ id }) =>
      ['', '/accumulators', '/backpressure', '/metrics', '/subtasks/accumulators', '/subtasktimes', '/taskmanagers', '/watermarks'].map(
        (path) => `${jobPath}/vertices/${id}${path}`,
      ),
    ),
  ];
  const found: { [path: string]: string } = {};
  for (const path of paths) {
    found[path] = await read(path);
  }
  return found;
}
