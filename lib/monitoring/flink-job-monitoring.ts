import { Lazy } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { App as Cdk8sApp, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import type { FlinkJob } from '../job/flink-job';
import { jobDirectory } from '../job/job-files';
import { FLAG, instance, MAP, requireProps } from '../sql/required-props';
import { claim } from '../target/claim';
import { createAlarms } from './cloud-watch-alarms';
import { PrometheusMonitoring } from './prometheus-monitoring';

/** What watches a job. */
export interface FlinkJobMonitoringProps {
  /** The job. */
  readonly job: FlinkJob;
  /**
   * Topic that is told of each CloudWatch alarm and of its end. CloudWatch must be allowed to use the customer key of an encrypted topic.
   * @default - nobody is told
   */
  readonly alarmTopic?: ITopic;
  /**
   * Whether Prometheus watches the job itself; the Prometheus Operator must be in the cluster.
   * @default true
   */
  readonly prometheus?: boolean;
  /**
   * Labels by which the Prometheus in the cluster selects monitors and rules, such as `{ release: 'kube-prometheus-stack' }`.
   * @default - none: Prometheus must select all of the namespace
   */
  readonly prometheusLabels?: { [key: string]: string };
}

/**
 * Watches a job: CloudWatch alarms on the AWS resources behind its tables, Prometheus alerts on the job itself. What to do about each
 * stands in docs/operations.md.
 */
export class FlinkJobMonitoring extends Construct {
  /** The CloudWatch alarms, in the order of the tables. */
  public readonly alarms: Alarm[];

  constructor(scope: Construct, id: string, props: FlinkJobMonitoringProps) {
    super(scope, id);
    requireProps('FlinkJobMonitoring', props, {
      job: instance('a FlinkJob', 'application', 'flinkDeployment'),
      'alarmTopic?': instance('an SNS topic', 'topicArn'),
      'prometheus?': FLAG,
      'prometheusLabels?': MAP,
    });
    const { job, alarmTopic } = props;
    this.alarms = createAlarms(this, job.application, alarmTopic && new SnsAction(alarmTopic));
    if (props.prometheus ?? true) {
      addPrometheus(this, job, props.prometheusLabels);
    }
  }
}

function addPrometheus(scope: Construct, job: FlinkJob, labels?: { [key: string]: string }): void {
  claim(
    scope,
    ['Prometheus', job.node.path],
    `both have Prometheus watch job '${job.application.jobName}': give prometheus: false to one of them`,
  );
  const { application, flinkDeployment } = job;
  const { podMonitor, prometheusRule } = new PrometheusMonitoring(new Chart(new Cdk8sApp(), 'chart'), 'Monitoring', {
    application,
    flinkDeployment,
    labels,
  });
  // Among the job's own objects, and so in the one file that holds all that is applied for it; patches that are added later count.
  job._target._add(job, 'PrometheusObjects', {
    objects: [podMonitor, prometheusRule].map((object) => Lazy.any({ produce: () => object.toJson() })),
    logicalIdKey: `${application.jobName}/monitoring`,
    file: `${jobDirectory(job, application.jobName)}/manifests.yaml`,
  });
}
