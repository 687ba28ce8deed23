import { Annotations, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

/**
 * Lets the alarms of an account use the customer key of a topic: CloudWatch publishes nothing without, and tells nobody.
 *
 * @param scope the monitoring, whose alarms they are
 * @param topic the topic
 */
export function letAlarmsUseKey(scope: Construct, topic: ITopic): void {
  const added = topic.masterKey?.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
      resources: ['*'],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
  );
  if (added?.statementAdded === false) {
    Annotations.of(scope).addWarningV2(
      'cdk-flink-pipeline:AlarmTopicKey',
      'the key of alarmTopic is not of this program, and its policy must let cloudwatch.amazonaws.com use it (kms:Decrypt, kms:GenerateDataKey*): else no alarm reaches the topic; add that to the policy of the key, and acknowledge this',
    );
  }
}
