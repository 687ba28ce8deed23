import { Annotations, Stack, Token } from 'aws-cdk-lib';
import { Alarm, type IAlarmAction } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { FlinkApplication } from '../application/flink-application';
import type { TableAlarm } from '../sql/connector';

/**
 * The alarms of the AWS resources behind the tables of a job. Two tables of one resource share its alarms.
 *
 * @param scope where the alarms go
 * @param application the job
 * @param action what an alarm does, and does again when it is over
 */
export function createAlarms(scope: Construct, application: FlinkApplication, action?: IAlarmAction): Alarm[] {
  const made = new Set<string>();
  return application._bindings().flatMap(({ name: table, binding }) =>
    (binding.alarms ?? []).flatMap((told) => {
      const identity = `${told.name} ${JSON.stringify(told.metric.toMetricConfig())}`;
      if (made.has(identity)) {
        return [];
      }
      made.add(identity);
      if (isElsewhere(scope, told)) {
        Annotations.of(scope).addWarningV2(
          'cdk-flink-pipeline:AlarmRegion',
          `table '${table}' is in region ${regionOf(told)}, and an alarm watches its own region only: there is no alarm ${told.name}; make one in a stack of that region`,
        );
        return [];
      }
      const alarm = createAlarm(scope, application.jobName, table, told);
      if (action) {
        alarm.addAlarmAction(action);
        alarm.addOkAction(action);
      }
      return [alarm];
    }),
  );
}

function regionOf({ metric }: TableAlarm): string | undefined {
  return metric.toMetricConfig().metricStat?.region;
}

function isElsewhere(scope: Construct, told: TableAlarm): boolean {
  const { region } = Stack.of(scope);
  const at = regionOf(told);
  return at !== undefined && !Token.isUnresolved(at) && !Token.isUnresolved(region) && at !== region;
}

function createAlarm(scope: Construct, jobName: string, table: string, told: TableAlarm): Alarm {
  return new Alarm(scope, `${table}.${told.name}`, {
    alarmDescription: `${told.name} of table ${table}, job ${jobName}: ${told.description}`,
    metric: told.metric,
    comparisonOperator: told.comparison,
    threshold: told.threshold,
    evaluationPeriods: told.evaluationPeriods,
    datapointsToAlarm: told.datapointsToAlarm,
    treatMissingData: told.missingData,
  });
}
