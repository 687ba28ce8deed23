import type { Duration, Size } from 'aws-cdk-lib';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { bucketEndpoint, bucketUri, checkPrefix, grantBucketPrefix } from '../aws/bucket-prefix';
import { Changes, type ConnectorBinding, DeliveryGuarantee, type IConnector, type TableDefinition, TableRole } from '../sql/connector';
import { flinkDuration, flinkSize } from '../sql/flink-notation';
import { instance, requireProps } from '../sql/required-props';
import { physicalColumns } from './column-types';
import type { Format } from './format';
import { FORMAT } from './prop-kinds';
import { checkRawOptions } from './raw-options';
import { checkNoIdleKey, checkNoMetadata } from './table-checks';
import { checkDuration, checkSize, checkWriters, definedOptions, textOption } from './typed-value';

/**
 * When a file is closed and the next one begun, whichever comes first. Formats that write whole blocks (Avro, Parquet) close a
 * file at each checkpoint in any case.
 */
export interface FileRolling {
  /** Size of the file. @default - Flink's: 128 MiB */
  readonly fileSize?: Size;
  /** How long the file has been open. @default - Flink's: 30 minutes */
  readonly rolloverInterval?: Duration;
  /** How long nothing has been written to the file. @default - Flink's: 30 minutes */
  readonly inactivityInterval?: Duration;
  /** How often the two intervals are looked at. @default - Flink's: 1 minute */
  readonly checkInterval?: Duration;
}

/** By which clock a partition is complete. */
export enum PartitionCommitTrigger {
  /** The clock of the machine: `delay` after the partition was begun. */
  PROCESS_TIME = 'process-time',
  /** The watermark: `delay` after the time that is read from the values of the partition. The source needs a watermark. */
  PARTITION_TIME = 'partition-time',
}

/** When a partition is complete: a file `_SUCCESS` then says so. */
export interface PartitionCommit {
  /** By which clock. @default PartitionCommitTrigger.PROCESS_TIME */
  readonly trigger?: PartitionCommitTrigger;
  /** How long to wait: the length of a partition, such as an hour, for partition time. @default - none: as soon as there is a file */
  readonly delay?: Duration;
  /** How a time is made of the values of the partition, for partition time: `$day $hour:00:00`. @default - the value of the first column */
  readonly timestampPattern?: string;
  /** Time zone of the watermark, where event time is TIMESTAMP_LTZ: `Asia/Shanghai`. @default UTC */
  readonly watermarkTimeZone?: string;
}

/** How the small files of one checkpoint are merged. */
export interface FileCompaction {
  /** Size of a merged file. @default - the `fileSize` of `rolling` */
  readonly fileSize?: Size;
}

/** Files in S3 as a sink. */
export interface FileSystemSinkProps {
  /** The bucket. */
  readonly bucket: IBucket;
  /**
   * Prefix of all files, without a slash at either end. Keep it apart from the prefix of any job's checkpoints: a job cleans up
   * there, and life-cycle rules that suit files destroy checkpoints.
   * @default - the whole bucket
   */
  readonly prefix?: string;
  /** Format of the files: JSON or text lines, CSV, Avro, Parquet. */
  readonly format: Format;
  /** When a file is closed. @default - Flink's: 128 MiB, 30 minutes */
  readonly rolling?: FileRolling;
  /** When a partition is complete, for a table with `partitionedBy`. @default - partitions are never marked as complete */
  readonly partitionCommit?: PartitionCommit;
  /** Merging of the files of one checkpoint. Rows are seen later by the time of the merge. @default - none */
  readonly compaction?: FileCompaction;
  /** Parallel writers, each of which writes files of its own. @default - the parallelism of the job */
  readonly writers?: number;
  /** Raw table options beside the typed ones. @default - none */
  readonly options?: { [key: string]: string };
}

/**
 * Appends rows to files in S3 (`filesystem`), exactly once: files become visible when a checkpoint completes, so that the
 * checkpoint interval bounds how soon a reader sees a row. Without checkpoints nothing ever becomes visible.
 *
 * Flink's Hadoop file system (`s3a://`) does the writing; its plugin is added to the image.
 *
 * @see https://nightlies.apache.org/flink/flink-docs-release-2.2/docs/connectors/table/filesystem/
 */
export class FileSystemSink implements IConnector {
  private readonly rendered: { [key: string]: string };

  constructor(private readonly props: FileSystemSinkProps) {
    requireProps('FileSystemSink', props, { bucket: instance('a Bucket of aws-s3', 'bucketArn', 'bucketName'), format: FORMAT });
    const { format } = props;
    if (props.prefix !== undefined) {
      checkPrefix('prefix', props.prefix);
    }
    if (!FILE_FORMATS.includes(format.identifier)) {
      throw new Error(`format must be one of ${FILE_FORMATS.join(', ')} for files, got '${format.identifier}'`);
    }
    checkWriters(props.writers);
    this.rendered = { ...rollingOptions(props.rolling), ...commitOptions(props.partitionCommit), ...compactionOptions(props.compaction) };
    checkRawOptions({
      identifier: 'filesystem',
      role: TableRole.SINK,
      formats: [format._inUse()],
      options: props.options ?? {},
      typed: { ...TYPED, ...format._typed() },
    });
  }

  /** @inheritdoc */
  public bind(table: TableDefinition): ConnectorBinding {
    const { bucket, prefix, format } = this.props;
    checkNoMetadata(table, 'the filesystem sink writes none; make it a physical column');
    checkNoIdleKey(table, Changes.INSERT_ONLY, 'leave it out');
    if (this.props.partitionCommit && table.partitionedBy.length === 0) {
      throw new Error(`table '${table.name}' must have partitionedBy for a partitionCommit; name the columns or leave partitionCommit out`);
    }
    const stored = physicalColumns(table).filter((column) => !table.partitionedBy.includes(column.name));
    if (stored.length === 0) {
      throw new Error(
        `table '${table.name}' must have a column beside those of partitionedBy, which stand in the path and not in the files`,
      );
    }
    format._checkColumns(table, stored);
    return {
      identifier: 'filesystem',
      role: TableRole.SINK,
      options: { path: bucketUri('s3a', bucket, prefix), ...format._options(), ...this.rendered, ...this.props.options },
      sink: {
        changes: Changes.INSERT_ONLY,
        guarantee: DeliveryGuarantee.EXACTLY_ONCE,
        parallelismOption: 'sink.parallelism',
        writers: this.props.writers,
      },
      artifacts: format.artifacts,
      secrets: format.secrets,
      access: [{ grantTo: (grantee) => void grantBucketPrefix(grantee, 's3a', bucket, prefix) }],
      dependsOn: [bucket],
      fileSystems: ['s3-fs-hadoop'],
      s3Endpoint: bucketEndpoint(bucket),
      contract: [format._contract(), 'delivery: exactly once; files become visible when a checkpoint completes'],
    };
  }
}

const FILE_FORMATS = ['json', 'csv', 'raw', 'avro', 'parquet', 'orc'];

const TYPED = {
  path: 'bucket',
  'sink.rolling-policy.file-size': 'rolling',
  'sink.rolling-policy.rollover-interval': 'rolling',
  'sink.rolling-policy.inactivity-interval': 'rolling',
  'sink.rolling-policy.check-interval': 'rolling',
  'sink.partition-commit.trigger': 'partitionCommit',
  'sink.partition-commit.delay': 'partitionCommit',
  'sink.partition-commit.policy.kind': 'partitionCommit',
  'sink.partition-commit.watermark-time-zone': 'partitionCommit',
  'partition.time-extractor.timestamp-pattern': 'partitionCommit',
  'auto-compaction': 'compaction',
  'compaction.file-size': 'compaction',
  'sink.parallelism': 'writers',
};

function rollingOptions(rolling: FileRolling = {}): { [key: string]: string } {
  checkSize('fileSize of rolling', rolling.fileSize);
  checkDuration('rolloverInterval of rolling', rolling.rolloverInterval, 1);
  checkDuration('inactivityInterval of rolling', rolling.inactivityInterval, 1);
  checkDuration('checkInterval of rolling', rolling.checkInterval, 1);
  return definedOptions({
    'sink.rolling-policy.file-size': rolling.fileSize && flinkSize(rolling.fileSize),
    'sink.rolling-policy.rollover-interval': rolling.rolloverInterval && flinkDuration(rolling.rolloverInterval),
    'sink.rolling-policy.inactivity-interval': rolling.inactivityInterval && flinkDuration(rolling.inactivityInterval),
    'sink.rolling-policy.check-interval': rolling.checkInterval && flinkDuration(rolling.checkInterval),
  });
}

function commitOptions(commit: PartitionCommit | undefined): { [key: string]: string } {
  if (!commit) {
    return {};
  }
  checkDuration('delay of partitionCommit', commit.delay, 0);
  const { timestampPattern, watermarkTimeZone } = commit;
  const partitionTime = commit.trigger === PartitionCommitTrigger.PARTITION_TIME;
  if (!partitionTime && (timestampPattern !== undefined || watermarkTimeZone !== undefined)) {
    throw new Error(
      'timestampPattern and watermarkTimeZone of partitionCommit must come with the trigger PartitionCommitTrigger.PARTITION_TIME',
    );
  }
  return definedOptions({
    'sink.partition-commit.trigger': commit.trigger,
    'sink.partition-commit.delay': commit.delay && flinkDuration(commit.delay),
    // Without a policy a complete partition leaves no trace.
    'sink.partition-commit.policy.kind': 'success-file',
    'sink.partition-commit.watermark-time-zone': watermarkTimeZone && textOption('watermarkTimeZone', watermarkTimeZone),
    'partition.time-extractor.timestamp-pattern': timestampPattern && textOption('timestampPattern', timestampPattern),
  });
}

function compactionOptions(compaction: FileCompaction | undefined): { [key: string]: string } {
  if (!compaction) {
    return {};
  }
  checkSize('fileSize of compaction', compaction.fileSize);
  return definedOptions({
    'auto-compaction': 'true',
    'compaction.file-size': compaction.fileSize && flinkSize(compaction.fileSize),
  });
}
