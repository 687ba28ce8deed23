import { type Duration, Token } from 'aws-cdk-lib';
import { knownMillis } from '../sql/duration-in';
import { LONGEST_FLINK_MILLIS } from '../sql/flink-notation';
import { printed } from '../sql/printed';
import { redacted } from '../sql/redacted';
import { DURATION, FLAG, instance, MAP, NUMBER, oneOf, type PropKind, requireProps, TEXT } from '../sql/required-props';
import { SqlProgram } from '../sql/sql-program';
import { checkKnownWhole } from '../sql/whole-number';
import { checkCheckpointing } from './checkpointing';
import type { FlinkApplicationProps } from './flink-application';
import { checkPodSettings } from './pod-settings';
import { renderResources } from './process-resources';
import { JobState, SavepointFormat, UpgradeMode, UpsertMaterialize } from './upgrade';

/** What the settings must be that nothing else looks at before they are used. */
const SETTINGS: { readonly [prop: string]: PropKind } = {
  'flinkVersion?': instance('a FlinkVersion, such as FlinkVersion.V2_2', 'fullVersion', 'operatorName'),
  'operatorVersion?': instance('a FlinkOperatorVersion, such as FlinkOperatorVersion.V1_15', 'version'),
  'image?': instance("a FlinkImage, such as FlinkImage.named('registry/repository:tag')", 'imageName', 'floatingTag'),
  'parallelism?': NUMBER,
  'maxParallelism?': NUMBER,
  'taskSlots?': NUMBER,
  'stateBackend?': instance('a StateBackend, such as StateBackend.rocksDb()', '_configuration', '_needsLocalVolume'),
  'restartStrategy?': instance('a RestartStrategy, such as RestartStrategy.exponentialDelay()', '_configuration'),
  'highAvailability?': FLAG,
  'stateTtl?': DURATION,
  'upsertMaterialize?': oneOf('UpsertMaterialize', UpsertMaterialize),
  'sourceIdleTimeout?': DURATION,
  'survivableOutage?': DURATION,
  'upgradeMode?': oneOf('UpgradeMode', UpgradeMode),
  'savepointFormat?': oneOf('SavepointFormat', SavepointFormat),
  'pod?': MAP,
  'flinkConfiguration?': MAP,
  'initialSavepointPath?': TEXT,
  'state?': oneOf('JobState', JobState),
  'allowNonRestoredState?': FLAG,
  'savepointTriggerNonce?': NUMBER,
  'savepointOnDeletion?': FLAG,
  'restartNonce?': NUMBER,
};

/** Refuses values of a job that are wrong by themselves. */
export function checkApplication(props: FlinkApplicationProps): void {
  requireProps('the job', props, {
    jobName: TEXT,
    namespace: TEXT,
    program: instance('a SqlProgram or a JarProgram', '_bindings', '_seal'),
    checkpointing: { is: '{ storage: CheckpointStorage.s3(bucket, prefix) }, and what else checkpoints need', fits: MAP.fits },
    ...SETTINGS,
  });
  requireProps('checkpointing', props.checkpointing, {
    storage: instance('a CheckpointStorage, such as CheckpointStorage.s3(bucket, prefix)', 'uri', 'grantReadWrite'),
  });
  checkNames(props);
  checkCheckpointing(props.checkpointing);
  checkPodSettings(props.pod ?? {});
  renderResources('jobManager', props.jobManager);
  renderResources('taskManager', props.taskManager);
  checkKnownWhole('maxParallelism', props.maxParallelism, 1, 32_768);
  checkKnownWhole('taskSlots', props.taskSlots, 1, 1_024);
  checkKnownWhole('savepointTriggerNonce', props.savepointTriggerNonce, 0, Number.MAX_SAFE_INTEGER);
  checkKnownWhole('restartNonce', props.restartNonce, 0, Number.MAX_SAFE_INTEGER);
  checkKnownDuration('stateTtl', props.stateTtl);
  if (props.stateTtl?.toMilliseconds() === 0) {
    throw new Error('stateTtl must be longer than 0, which would keep state for ever; leave stateTtl out for that');
  }
  checkKnownDuration('sourceIdleTimeout', props.sourceIdleTimeout);
  checkKnownDuration('survivableOutage', props.survivableOutage);
  checkSavepointPath(props.initialSavepointPath);
  checkProgram(props);
}

function checkNames({ jobName, namespace }: FlinkApplicationProps): void {
  if (Token.isUnresolved(jobName)) {
    throw new Error(`jobName must be known at synth: paths and transactional ids carry it; got ${printed(jobName)}`);
  }
  if (!/^[a-z]([-a-z0-9]{0,43}[a-z0-9])?$/.test(jobName)) {
    throw new Error(
      `jobName must be at most 45 lower case letters, digits and '-', beginning with a letter and not ending with '-', got '${jobName}'`,
    );
  }
  if (!Token.isUnresolved(namespace) && !/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(namespace)) {
    throw new Error(
      `namespace must be at most 63 lower case letters, digits and '-', beginning and ending with a letter or digit, got '${namespace}'`,
    );
  }
}

function checkSavepointPath(path: string | undefined): void {
  if (path !== undefined && !Token.isUnresolved(path) && !/^[a-z][a-z0-9+.-]*:\/{1,3}[^\s/]\S*$/.test(path)) {
    throw new Error(
      `initialSavepointPath must be a URI with a scheme, such as 's3p://bucket/job/savepoints/savepoint-1', got '${redacted(path)}'`,
    );
  }
}

function checkProgram(props: FlinkApplicationProps): void {
  if (!(props.program instanceof SqlProgram)) {
    for (const name of ['stateTtl', 'upsertMaterialize', 'sourceIdleTimeout'] as const) {
      if (props[name] !== undefined) {
        throw new Error(`${name} is for SQL programs; job '${props.jobName}' runs a JAR, which sets it in its own code`);
      }
    }
  } else if (props.program._inserts().length === 0) {
    throw new Error(`job '${props.jobName}' has nothing to do: its program has no INSERT; add one with addInsert`);
  }
}

function checkKnownDuration(name: string, duration: Duration | undefined): void {
  if (duration !== undefined) {
    knownMillis(name, duration, 0, LONGEST_FLINK_MILLIS);
  }
}
