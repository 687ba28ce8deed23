import { type Duration, Token } from 'aws-cdk-lib';
import { redacted } from '../sql/redacted';
import { instance, MAP, requireProps, TEXT } from '../sql/required-props';
import { SqlProgram } from '../sql/sql-program';
import { checkCheckpointing } from './checkpointing';
import type { FlinkApplicationProps } from './flink-application';
import { checkPodSettings } from './pod-settings';
import { renderResources } from './process-resources';

/** Refuses values of a job that are wrong by themselves. */
export function checkApplication(props: FlinkApplicationProps): void {
  requireProps('the job', props, {
    jobName: TEXT,
    program: instance('a SqlProgram or a JarProgram', '_bindings', '_seal'),
    checkpointing: { is: '{ storage: CheckpointStorage.s3(bucket, prefix) }, and what else checkpoints need', fits: MAP.fits },
  });
  requireProps('checkpointing', props.checkpointing, {
    storage: instance('a CheckpointStorage, such as CheckpointStorage.s3(bucket, prefix)', 'uri', 'grantReadWrite'),
  });
  checkNames(props);
  checkCheckpointing(props.checkpointing);
  checkPodSettings(props.pod ?? {});
  renderResources('jobManager', props.jobManager);
  renderResources('taskManager', props.taskManager);
  checkWhole('maxParallelism', props.maxParallelism, 1, 32_768);
  checkWhole('taskSlots', props.taskSlots, 1, 1_024);
  checkWhole('savepointTriggerNonce', props.savepointTriggerNonce, 0, Number.MAX_SAFE_INTEGER);
  checkWhole('restartNonce', props.restartNonce, 0, Number.MAX_SAFE_INTEGER);
  checkKnown('stateTtl', props.stateTtl);
  if (props.stateTtl?.toMilliseconds({ integral: false }) === 0) {
    throw new Error('stateTtl must be longer than 0, which would keep state for ever; leave stateTtl out for that');
  }
  checkKnown('sourceIdleTimeout', props.sourceIdleTimeout);
  checkKnown('survivableOutage', props.survivableOutage);
  checkSavepointPath(props.initialSavepointPath);
  checkProgram(props);
}

function checkNames({ jobName, namespace }: FlinkApplicationProps): void {
  if (Token.isUnresolved(jobName)) {
    throw new Error(`jobName must be known at synth: paths and transactional ids carry it; got the token ${jobName}`);
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

function checkWhole(name: string, value: number | undefined, min: number, max: number): void {
  if (value === undefined) {
    return;
  }
  if (Token.isUnresolved(value)) {
    throw new Error(`${name} must be known at synth, got the token ${value}`);
  }
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new Error(`${name} must be a whole number from ${min} to ${max}, got ${value}`);
  }
}

function checkKnown(name: string, duration: Duration | undefined): void {
  if (duration?.isUnresolved()) {
    throw new Error(`${name} must be known at synth, got the token ${duration}`);
  }
}
