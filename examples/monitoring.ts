import type { Stack } from 'aws-cdk-lib';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { type FlinkJob, FlinkJobMonitoring } from '../lib';

export function monitoring(stack: Stack, job: FlinkJob): void {
  new FlinkJobMonitoring(stack, 'Monitoring', {
    job,
    alarmTopic: new Topic(stack, 'Alarms'),
    prometheusLabels: { release: 'kube-prometheus-stack' },
    runbookUrl: 'https://wiki.example.com/flink/operations',
  });
}
