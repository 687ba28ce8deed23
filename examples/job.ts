import { Duration, Size, type Stack, Validations } from 'aws-cdk-lib';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { JsonPatch } from 'cdk8s';
import { EnvValue } from 'cdk8s-plus-27';
import {
  CheckpointStorage,
  type DeploymentTarget,
  FlinkImage,
  FlinkJob,
  type IEventStream,
  JarProgram,
  JobState,
  RestartStrategy,
  SavepointFormat,
  SqlProgram,
  type SqlTable,
  StateBackend,
  UpgradeMode,
} from '../lib';

export function wellSetUp(stack: Stack, program: SqlProgram, target: DeploymentTarget, bucket: IBucket): FlinkJob {
  return new FlinkJob(stack, 'Job', {
    jobName: 'user-events',
    program,
    target,
    checkpointing: {
      storage: CheckpointStorage.s3(bucket, 'user-events'),
      interval: Duration.seconds(30),
      minPause: Duration.seconds(10),
      timeout: Duration.seconds(60),
    },
    stateBackend: StateBackend.rocksDb({ localStorage: Size.gibibytes(20), localRecovery: true }),
    stateTtl: Duration.days(7),
    restartStrategy: RestartStrategy.failureRate({ maxFailures: 10, interval: Duration.hours(1), delay: Duration.seconds(10) }),
    taskSlots: 4,
    jobManager: { cpu: 1, memory: Size.gibibytes(2) },
    taskManager: { cpu: 4, memory: Size.gibibytes(8) },
    pod: {
      labels: { team: 'analytics' },
      nodeSelector: { 'kubernetes.io/arch': 'amd64' },
      tolerations: [{ key: 'dedicated', value: 'flink', effect: 'NoSchedule' }],
      env: { LOG_LEVEL: EnvValue.fromValue('INFO') },
    },
    flinkConfiguration: { 'taskmanager.memory.managed.fraction': '0.6' },
  });
}

export function dayTwo(stack: Stack, program: SqlProgram, target: DeploymentTarget, bucket: IBucket): void {
  new FlinkJob(stack, 'Job', {
    jobName: 'user-events',
    program,
    target,
    checkpointing: { storage: CheckpointStorage.s3(bucket, 'user-events') },
    state: JobState.SUSPENDED,
    upgradeMode: UpgradeMode.SAVEPOINT,
    savepointFormat: SavepointFormat.CANONICAL,
    savepointTriggerNonce: 3,
    savepointOnDeletion: true,
    restartNonce: 1,
    allowNonRestoredState: true,
    initialSavepointPath: 's3p://flink-state/user-events/savepoints/savepoint-1a2b3c',
  });
}

export function jar(stack: Stack, events: IEventStream, sink: IEventStream, target: DeploymentTarget, bucket: IBucket): void {
  const job = new FlinkJob(stack, 'Job', {
    jobName: 'sessions',
    program: new JarProgram({
      jarUri: 'local:///opt/flink/usrlib/sessions.jar',
      entryClass: 'com.example.SessionsJob',
      args: ['--gap', '30m'],
      eventStreams: [events],
    }),
    image: FlinkImage.named('111122223333.dkr.ecr.eu-central-1.amazonaws.com/sessions:1.4.0'),
    target,
    checkpointing: { storage: CheckpointStorage.s3(bucket, 'sessions') },
  });
  sink.grantWrite(job);
}

type AddSink = (program: SqlProgram, events: SqlTable) => void;

export function oneJobForEachSink(
  stack: Stack,
  target: DeploymentTarget,
  bucket: IBucket,
  addEvents: (program: SqlProgram) => SqlTable,
  addSearch: AddSink,
  addArchive: AddSink,
): void {
  for (const [jobName, addSink] of Object.entries({ 'clicks-search': addSearch, 'clicks-archive': addArchive })) {
    const program = new SqlProgram();
    addSink(program, addEvents(program));
    new FlinkJob(stack, jobName, {
      jobName,
      program,
      target,
      checkpointing: { storage: CheckpointStorage.s3(bucket, jobName) },
    });
  }
}

export function escapeHatch(job: FlinkJob): void {
  job.flinkDeployment.addJsonPatch(JsonPatch.add('/spec/ingress', { template: 'flink.example.com/{{namespace}}/{{name}}' }));
  // The pods: each process has a template of its own, and nothing stands at '/spec/podTemplate'.
  job.flinkDeployment.addJsonPatch(JsonPatch.add('/spec/taskManager/podTemplate/spec/priorityClassName', 'high'));
}

export function acknowledge(job: FlinkJob): void {
  Validations.of(job).acknowledge({
    id: 'cdk-flink-pipeline:IdleSourceSubtasks',
    reason: 'the stream is resharded to 24 shards next week',
  });
}
