import { Annotations, Lazy } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { App as Cdk8sApp, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import type { FlinkJob } from '../job/flink-job';
import { jobDirectory } from '../job/job-files';
import { FLAG, instance, MAP, requireProps, TEXT } from '../sql/required-props';
import { claim } from '../target/claim';
import { letAlarmsUseKey } from './alarm-topic-key';
import { createAlarms } from './cloud-watch-alarms';
import { PrometheusMonitoring } from './prometheus-monitoring';
import { checkRunbookUrl } from './runbook';

/** What watches a job. */
export interface FlinkJobMonitoringProps {
  /** The job. */
  readonly job: FlinkJob;
  /**
   * Topic that is told of each CloudWatch alarm and of its end. Where it is encrypted with a key of this program, CloudWatch is allowed to
   * use that.
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
  /**
   * Where the team keeps docs/operations.md: alerts have the annotation `runbook_url`, and the descriptions of alarms end in it, with the
   * anchor of the heading.
   * @default - none; both name the heading
   */
  readonly runbookUrl?: string;
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
      'runbookUrl?': TEXT,
    });
    const { job, alarmTopic, prometheus = true } = props;
    checkRunbookUrl(props.runbookUrl);
    checkSigns(this, props, prometheus);
    this.alarms = createAlarms(this, job.application, alarmTopic && new SnsAction(alarmTopic), props.runbookUrl);
    if (alarmTopic && this.alarms.length > 0) {
      letAlarmsUseKey(this, alarmTopic);
    }
    if (prometheus) {
      addPrometheus(this, props);
    }
  }
}

/** Most tables are in no AWS service, and have no alarm: nobody would be told of anything. */
function checkSigns(scope: Construct, { job, alarmTopic }: FlinkJobMonitoringProps, prometheus: boolean): void {
  const { application } = job;
  if (application._bindings().some(({ binding }) => (binding.alarms ?? []).length > 0)) {
    return;
  }
  const none = `no table of job '${application.jobName}' has a CloudWatch alarm`;
  if (!prometheus) {
    throw new Error(`${none}, and prometheus is false: nothing would watch the job; leave prometheus out, or drop this FlinkJobMonitoring`);
  }
  if (alarmTopic) {
    Annotations.of(scope).addWarningV2(
      'cdk-flink-pipeline:UnusedAlarmTopic',
      `${none}, and alarmTopic is never told of anything: the signs of the job are the alerts of Prometheus; have its Alertmanager tell people, and leave alarmTopic out`,
    );
  }
}

function addPrometheus(scope: Construct, { job, prometheusLabels, runbookUrl }: FlinkJobMonitoringProps): void {
  claim(
    scope,
    ['Prometheus', job.node.path],
    `both have Prometheus watch job '${job.application.jobName}': give prometheus: false to one of them`,
  );
  const { application, flinkDeployment } = job;
  const { podMonitor, prometheusRule } = new PrometheusMonitoring(new Chart(new Cdk8sApp(), 'chart'), 'Monitoring', {
    application,
    flinkDeployment,
    labels: prometheusLabels,
    runbookUrl,
  });
  // Among the job's own objects, and so in the one file that holds all that is applied for it; patches that are added later count.
  job._target._add(job, 'PrometheusObjects', {
    objects: [podMonitor, prometheusRule].map((object) => Lazy.any({ produce: () => object.toJson() })),
    logicalIdKey: `${application.jobName}/monitoring`,
    file: `${jobDirectory(job, application.jobName)}/manifests.yaml`,
  });
}
