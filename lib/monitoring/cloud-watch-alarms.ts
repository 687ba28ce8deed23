import { Annotations, Stack, Token } from 'aws-cdk-lib';
import { Alarm, type IAlarmAction, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { FlinkApplication } from '../application/flink-application';
import { JobState } from '../application/upgrade';
import type { TableAlarm } from '../sql/connector';
import { addressOf, runbookOf } from './runbook';

/**
 * The alarms of the AWS resources behind the tables of a job. Two tables of one resource share its alarms.
 *
 * @param scope where the alarms go
 * @param application the job
 * @param action what an alarm does, and does again when it is over
 * @param runbookUrl where the team keeps docs/operations.md
 */
export function createAlarms(scope: Construct, application: FlinkApplication, action?: IAlarmAction, runbookUrl?: string): Alarm[] {
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
      const alarm = createAlarm(scope, application, table, told, runbookUrl);
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

function createAlarm(
  scope: Construct,
  { jobName, settings }: FlinkApplication,
  table: string,
  told: TableAlarm,
  runbookUrl?: string,
): Alarm {
  const { name, description } = told;
  const runbook = runbookUrl === undefined ? runbookOf(name) : addressOf(name, runbookUrl);
  // A job that is suspended on purpose does not read.
  const silenceIsWell = settings.state === JobState.SUSPENDED && told.missingData === TreatMissingData.BREACHING;
  return new Alarm(scope, `${table}.${name}`, {
    alarmDescription: `${name} of table ${table}, job ${jobName}: ${description}${runbook === undefined ? '' : `. What to do: ${runbook}`}`,
    metric: told.metric,
    comparisonOperator: told.comparison,
    threshold: told.threshold,
    evaluationPeriods: told.evaluationPeriods,
    datapointsToAlarm: told.datapointsToAlarm,
    treatMissingData: silenceIsWell ? TreatMissingData.NOT_BREACHING : told.missingData,
  });
}
