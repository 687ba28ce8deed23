import type { Duration } from 'aws-cdk-lib';
import type { Checkpointing } from './checkpointing';
import type { FlinkImage } from './flink-image';
import type { FlinkOperatorVersion } from './flink-operator-version';
import type { FlinkVersion } from './flink-version';
import type { PodSettings } from './pod-settings';
import type { ProcessResources } from './process-resources';
import type { RestartStrategy } from './restart-strategy';
import type { StateBackend } from './state-backend';
import type { JobState, SavepointFormat, UpgradeMode, UpsertMaterialize } from './upgrade';

/** How a job runs, wherever it is deployed. */
export interface FlinkSettings {
  /** Flink version. @default FlinkVersion.V2_2 */
  readonly flinkVersion?: FlinkVersion;
  /** Version of the Flink Kubernetes Operator in the cluster. @default FlinkOperatorVersion.V1_15 */
  readonly operatorVersion?: FlinkOperatorVersion;
  /** Image of the job. @default - `FlinkImage.generated()`: an image with the connectors in use */
  readonly image?: FlinkImage;
  /**
   * Parallelism of the job, 1 to `maxParallelism`. A stated parallelism is a pin: a reshard then needs no restart.
   * @default - the shards of the largest Kinesis source, else the partitions of the largest Kafka source
   */
  readonly parallelism?: number;
  /**
   * Highest parallelism that the job can ever be given, 1 to 32,768. It can never change while there is state.
   * @default 720
   */
  readonly maxParallelism?: number;
  /** Task slots of one TaskManager. @default 1 */
  readonly taskSlots?: number;
  /** CPU and memory of the job manager. @default - 1 CPU, 2 GiB */
  readonly jobManager?: ProcessResources;
  /** CPU and memory of one TaskManager. @default - 1 CPU, 2 GiB */
  readonly taskManager?: ProcessResources;
  /** When and where state is saved. */
  readonly checkpointing: Checkpointing;
  /** Where state is kept while the job runs. @default StateBackend.hashMap() */
  readonly stateBackend?: StateBackend;
  /** What happens when a task fails. @default - Flink's: restart for ever, after delays that grow to a minute */
  readonly restartStrategy?: RestartStrategy;
  /**
   * Whether a restarted job manager finds the job's last checkpoint (Kubernetes high availability).
   * Without it, it starts from the last savepoint, or from nothing.
   * @default true
   */
  readonly highAvailability?: boolean;
  /**
   * Time after which SQL state that was not touched is dropped. A later update of dropped state starts anew: sums restart.
   * @default - state is kept for ever
   */
  readonly stateTtl?: Duration;
  /** When SinkUpsertMaterializer stands before a sink. @default UpsertMaterialize.AUTO */
  readonly upsertMaterialize?: UpsertMaterialize;
  /**
   * Time after which a split without rows no longer holds back the watermark.
   * @default - the checkpoint interval and the longer of interval and least pause once more, at least 1 minute, where a source with a watermark may idle: what it counted of a window must have left it at a checkpoint
   */
  readonly sourceIdleTimeout?: Duration;
  /**
   * Longest outage that an exactly-once Kafka sink must survive: its transactions stay open for as long.
   * @default Duration.minutes(5)
   */
  readonly survivableOutage?: Duration;
  /** How the operator takes the job to a new spec. @default UpgradeMode.SAVEPOINT */
  readonly upgradeMode?: UpgradeMode;
  /** How savepoints are written; a change of `stateBackend` needs CANONICAL. @default SavepointFormat.NATIVE */
  readonly savepointFormat?: SavepointFormat;
  /** What the pods carry. @default - nothing beyond the operator's */
  readonly pod?: PodSettings;
  /**
   * Any other Flink or operator option, by its canonical key. Unknown keys, old spellings, values of the wrong type and keys that a prop owns are errors.
   * @default - none
   */
  readonly flinkConfiguration?: { [key: string]: string };
  /** Savepoint or checkpoint that a new job starts from; ignored once it has run. @default - an empty state */
  readonly initialSavepointPath?: string;
  /** Whether the job should run. @default JobState.RUNNING */
  readonly state?: JobState;
  /** Whether state that no operator of the new program claims may be dropped. @default false */
  readonly allowNonRestoredState?: boolean;
  /** A number that triggers a savepoint each time it changes. @default - none */
  readonly savepointTriggerNonce?: number;
  /** Whether a savepoint is taken when the FlinkDeployment is deleted. @default false */
  readonly savepointOnDeletion?: boolean;
  /** A number that restarts the job each time it changes. @default - none */
  readonly restartNonce?: number;
}
