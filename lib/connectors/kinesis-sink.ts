import type { IEventStream } from '../aws/event-stream';
import { streamWriteAlarms } from '../aws/event-stream-alarms';
import { Artifact } from '../sql/artifact';
import { type ConnectorBinding, DeliveryGuarantee, type IConnector, type TableDefinition, TableRole } from '../sql/connector';
import { requireProps } from '../sql/required-props';
import type { Format } from './format';
import { EVENT_STREAM, FORMAT } from './prop-kinds';
import { checkRawOptions } from './raw-options';
import { checkNoIdleKey, checkNoMetadata } from './table-checks';

/** How rows of a table without PARTITIONED BY spread over the shards of a stream. */
export enum KinesisPartitioner {
  /** Each row goes to any shard. */
  RANDOM = 'random',
  /** Each writer writes to one shard. */
  FIXED = 'fixed',
}

/** A Kinesis stream that is written. */
export interface KinesisSinkProps {
  /** The stream. */
  readonly stream: IEventStream;
  /** How rows stand in a record. */
  readonly format: Format;
  /**
   * How rows spread over shards. Rows that must stay in order need PARTITIONED BY instead: the values of those columns become the
   * partition key. The two exclude each other.
   *
   * @default - random, or by the columns of PARTITIONED BY
   */
  readonly partitioner?: KinesisPartitioner;
  /** Whether a record that the service refuses fails the job at once; otherwise it is sent again. @default false */
  readonly failOnError?: boolean;
  /** Options that have no property here, such as a class for `sink.partitioner`. @default - none */
  readonly options?: { [key: string]: string };
}

/**
 * Writes to a Kinesis stream, at least once: records written since the last checkpoint come again after a failure.
 *
 * It appends. A query that updates rows is refused by the planner unless the format holds changes (`Format.debeziumJson`); a
 * primary key would be ignored and is refused. Writers cannot be limited: the connector ignores `sink.parallelism`.
 *
 * @see https://nightlies.apache.org/flink/flink-docs-release-2.2/docs/connectors/table/kinesis/
 */
export class KinesisSink implements IConnector {
  private readonly options: { [option: string]: string };

  constructor(private readonly props: KinesisSinkProps) {
    requireProps('KinesisSink', props, { stream: EVENT_STREAM, format: FORMAT });
    const { stream, format, partitioner, failOnError } = props;
    const raw = props.options ?? {};
    checkRawOptions({
      identifier: 'kinesis',
      role: TableRole.SINK,
      formats: [format._inUse()],
      options: raw,
      typed: {
        'stream.arn': 'stream',
        'aws.region': 'stream',
        'sink.fail-on-error': 'failOnError',
        // A class of one's own can only be named by the raw option.
        ...(partitioner ? { 'sink.partitioner': 'partitioner' } : {}),
        ...format._typed(),
      },
      secrets: format.secrets,
    });
    this.options = {
      'stream.arn': stream.streamArn,
      'aws.region': stream.region,
      ...(partitioner ? { 'sink.partitioner': partitioner } : {}),
      ...(failOnError === undefined ? {} : { 'sink.fail-on-error': String(failOnError) }),
      ...format._options(),
      ...raw,
    };
  }

  public bind(table: TableDefinition): ConnectorBinding {
    const { stream, format } = this.props;
    checkNoMetadata(table, 'the kinesis sink writes none; make it a physical column of the record');
    checkNoIdleKey(table, format.changes, 'use partitionedBy to keep rows of one key in order, or another sink for updates');
    format._checkWrite(table);
    format._checkSubject(table);
    const partitioner = this.options['sink.partitioner'];
    if (partitioner !== undefined && table.partitionedBy.length > 0) {
      throw new Error(
        `table '${table.name}' must have either partitionedBy or a partitioner, got partitionedBy ${table.partitionedBy.join(', ')} and '${partitioner}'; leave one of them out`,
      );
    }
    return {
      identifier: 'kinesis',
      role: TableRole.SINK,
      options: { ...this.options },
      sink: { changes: format.changes, guarantee: DeliveryGuarantee.AT_LEAST_ONCE },
      artifacts: [Artifact.released('org.apache.flink:flink-sql-connector-aws-kinesis-streams'), ...format.artifacts],
      access: [{ grantTo: (grantee) => void stream.grantWrite(grantee) }],
      secrets: format.secrets,
      dependsOn: stream.dependable ? [stream.dependable] : [],
      alarms: streamWriteAlarms(stream),
      contract: [
        format._contract(),
        `partition key: ${table.partitionedBy.length > 0 ? table.partitionedBy.join(', ') : (partitioner ?? KinesisPartitioner.RANDOM)}`,
        'delivery: at least once',
      ],
    };
  }
}
