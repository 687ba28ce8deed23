import { ApiObject, JsonPatch } from 'cdk8s';
import { Construct } from 'constructs';
import type { FlinkApplication } from '../application/flink-application';
import { objectMetadata } from '../kubernetes/object-metadata';
import { instance, requireProps, TEXT } from '../sql/required-props';
import { alertRules } from './alert-rules';
import { checkRunbookUrl } from './runbook';

/** Name of the reporter and of the container port that it listens to. */
const REPORTER = 'prom';
const OPTIONS = `metrics.reporter.${REPORTER}`;
const DEFAULT_PORT = 9249;

/** How Prometheus comes to the metrics of a job. */
export interface PrometheusMonitoringProps {
  /** The job. */
  readonly application: FlinkApplication;
  /** The FlinkDeployment of the job, which is made to expose metrics. */
  readonly flinkDeployment: ApiObject;
  /**
   * Labels by which the Prometheus in the cluster selects monitors and rules, such as `{ release: 'kube-prometheus-stack' }`.
   * @default - none: Prometheus must select all of the namespace
   */
  readonly labels?: { [key: string]: string };
  /**
   * Where the team keeps docs/operations.md: each alert has the annotation `runbook_url`, this address with the anchor of its heading.
   * @default - none; the annotation `runbook` names the heading
   */
  readonly runbookUrl?: string;
}

/**
 * Lets Prometheus watch a job: its pods expose metrics, a PodMonitor has them scraped, a PrometheusRule has alerts with thresholds from
 * the job's own settings. The Prometheus Operator must be in the cluster.
 *
 * In a CDK app `FlinkJobMonitoring` makes it; use it alone in a plain cdk8s app, with a `FlinkChart`.
 */
export class PrometheusMonitoring extends Construct {
  /** Has the pods scraped. */
  public readonly podMonitor: ApiObject;
  /** Has the alerts. */
  public readonly prometheusRule: ApiObject;

  constructor(scope: Construct, id: string, props: PrometheusMonitoringProps) {
    super(scope, id);
    requireProps('PrometheusMonitoring', props, {
      application: instance('a FlinkApplication', 'flinkConfiguration', 'jobName'),
      flinkDeployment: instance('the FlinkDeployment of the job, such as flinkChart.flinkDeployment', 'addJsonPatch'),
      'runbookUrl?': TEXT,
    });
    const { application, labels, runbookUrl } = props;
    checkRunbookUrl(runbookUrl);
    exposeMetrics(application, props.flinkDeployment);
    const metadata = objectMetadata(application, application.jobName);
    const object = (kind: string) => ({
      apiVersion: 'monitoring.coreos.com/v1',
      kind,
      metadata: { ...metadata, labels: { ...metadata.labels, ...labels } },
    });
    this.podMonitor = new ApiObject(this, 'PodMonitor', {
      ...object('PodMonitor'),
      spec: {
        // The labels that Flink's native integration gives the pods of a job.
        selector: { matchLabels: { app: application.jobName, type: 'flink-native-kubernetes' } },
        podTargetLabels: ['app', 'component'],
        podMetricsEndpoints: [{ port: REPORTER }],
      },
    });
    this.prometheusRule = new ApiObject(this, 'PrometheusRule', {
      ...object('PrometheusRule'),
      spec: { groups: [{ name: `flink-${application.jobName}`, rules: alertRules(application, runbookUrl) }] },
    });
  }
}

/** The reporter is in Flink's image, as a plugin. */
function exposeMetrics(application: FlinkApplication, flinkDeployment: ApiObject): void {
  const { jobName, flinkConfiguration } = application;
  refuseOtherReporters(jobName, flinkConfiguration['metrics.reporters']);
  const port = reporterPort(jobName, flinkConfiguration[`${OPTIONS}.port`]);
  const containerPort = { name: REPORTER, containerPort: port, protocol: 'TCP' };
  const pods = ['jobManager', 'taskManager'].map((pod) => `/spec/${pod}/podTemplate/spec/containers/0/ports`);
  flinkDeployment.addJsonPatch(
    JsonPatch.add(`/spec/flinkConfiguration/${OPTIONS}.factory.class`, 'org.apache.flink.metrics.prometheus.PrometheusReporterFactory'),
    JsonPatch.add(`/spec/flinkConfiguration/${OPTIONS}.port`, String(port)),
    ...pods.map((path) => JsonPatch.add(path, [containerPort])),
  );
}

function refuseOtherReporters(jobName: string, reporters: string | undefined): void {
  if (reporters !== undefined && !reporters.split(',').some((name) => name.trim() === REPORTER)) {
    throw new Error(
      `flinkConfiguration of job '${jobName}' allows the metrics.reporters '${reporters}' alone: add '${REPORTER}', or leave the option out`,
    );
  }
}

function reporterPort(jobName: string, stated: string | undefined): number {
  const port = Number(stated ?? DEFAULT_PORT);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error(
      `${OPTIONS}.port of job '${jobName}' must be one port from 1 to 65,535, which the PodMonitor can name, got '${stated}'; leave it out for ${DEFAULT_PORT}`,
    );
  }
  return port;
}
