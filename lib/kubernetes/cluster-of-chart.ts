import type { IConstruct } from 'constructs';
import type { FlinkApplication } from '../application/flink-application';

const jobsOfApp = new WeakMap<IConstruct, Map<string, number>>();

/**
 * A name for the Kubernetes cluster of a chart. A cluster has one job of a name in a namespace: charts with the second one of each are for
 * another cluster, as for tests and for customers.
 *
 * @param chart the chart, in an app that nobody tells its clusters
 * @param application its job
 */
export function clusterOfChart(chart: IConstruct, { namespace, jobName }: FlinkApplication): string {
  const jobs = jobsOfApp.get(chart.node.root) ?? new Map<string, number>();
  jobsOfApp.set(chart.node.root, jobs);
  const job = JSON.stringify([namespace, jobName]);
  const before = jobs.get(job) ?? 0;
  jobs.set(job, before + 1);
  return String(before);
}
