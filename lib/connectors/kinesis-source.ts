import { type Duration, Token } from 'aws-cdk-lib';
import type { IEventStream } from '../aws/event-stream';
import { streamReadAlarms } from '../aws/event-stream-alarms';
import { Artifact } from '../sql/artifact';
import { type ConnectorBinding, type IAccess, type IConnector, type Splits, type TableDefinition, TableRole } from '../sql/connector';
import { flinkDuration } from '../sql/flink-notation';
import { instance, requireProps } from '../sql/required-props';
import type { Format } from './format';
import { EVENT_STREAM, FORMAT } from './prop-kinds';
import { checkRawOptions } from './raw-options';
import { StartPosition } from './start-position';
import { checkNoMetadata } from './table-checks';

/** Who registers a consumer for enhanced fan-out. */
export enum EnhancedFanOutLifecycle {
  /** The job registers the consumer when it starts and deregisters it when it ends. */
  JOB_MANAGED = 'JOB_MANAGED',
  /** You register the consumer before the job starts, and it stays. */
  SELF_MANAGED = 'SELF_MANAGED',
}

/** Reading with a throughput of one's own: 2 MiB/s for each shard, pushed, at extra cost. */
export interface EnhancedFanOut {
  /**
   * Name of the consumer: 1 to 128 letters, digits, `_`, `.`, `-`.
   *
   * It must belong to one table of one job alone: a consumer holds one subscription per shard, and a job that ends deregisters it for
   * all. Name it after both, such as `user-events-kinesis_source`.
   */
  readonly consumerName: string;
  /** Who registers the consumer. @default EnhancedFanOutLifecycle.JOB_MANAGED */
  readonly lifecycle?: EnhancedFanOutLifecycle;
}

/** A Kinesis stream that is read. */
export interface KinesisSourceProps {
  /** The stream. */
  readonly stream: IEventStream;
  /** Where a job without state begins. There is no default: Kinesis' own, the latest record, skips what was written before in silence. */
  readonly start: StartPosition;
  /** How rows stand in a record. */
  readonly format: Format;
  /**
   * Read by enhanced fan-out instead of by polling. Polling readers of a stream share 2 MiB/s and 5 reads a second for each shard:
   * from three of them on, fan out.
   *
   * @default - polling
   */
  readonly enhancedFanOut?: EnhancedFanOut;
  /** How often the job looks for new shards after a reshard. @default Duration.seconds(10) */
  readonly shardDiscoveryInterval?: Duration;
  /** Options that have no property here. @default - none */
  readonly options?: { [key: string]: string };
}

/**
 * Reads a Kinesis stream.
 *
 * The shards of the stream are its natural parallelism: a Kinesis source cannot have one of its own in SQL, so the whole job takes
 * it. Watermarks are made after the source, not for each shard; while a job catches up, a fast shard makes rows of a slow one late.
 *
 * Records of the Kinesis Producer Library must not be aggregated: the connector does not take them apart (FLINK-32097), so that each
 * aggregate is one malformed record. Set `AggregationEnabled = false` at the producer.
 *
 * Connector 6.0 and above only: earlier ones lose records when a job restarts during a reshard (FLINK-37627), and the state of 4.x
 * cannot be restored.
 *
 * @see https://nightlies.apache.org/flink/flink-docs-release-2.2/docs/connectors/table/kinesis/
 */
export class KinesisSource implements IConnector {
  private readonly options: { [option: string]: string };

  constructor(private readonly props: KinesisSourceProps) {
    requireProps('KinesisSource', props, {
      stream: EVENT_STREAM,
      start: instance('a StartPosition, such as StartPosition.trimHorizon()', '_options'),
      format: FORMAT,
    });
    const { stream, start, format, enhancedFanOut, shardDiscoveryInterval } = props;
    const raw = props.options ?? {};
    checkRawOptions({
      identifier: 'kinesis',
      role: TableRole.SOURCE,
      formats: [format._inUse()],
      options: raw,
      typed: {
        'stream.arn': 'stream',
        'aws.region': 'stream',
        ...StartPosition._typed(),
        'source.reader.type': 'enhancedFanOut',
        'source.efo.consumer.name': 'enhancedFanOut',
        'source.efo.lifecycle': 'enhancedFanOut',
        'source.shard.discovery.interval': 'shardDiscoveryInterval',
        ...format._typed(),
      },
      secrets: format.secrets,
    });
    this.options = {
      'stream.arn': stream.streamArn,
      'aws.region': stream.region,
      ...start._options(),
      ...(enhancedFanOut ? fanOutOptions(enhancedFanOut) : {}),
      ...(shardDiscoveryInterval ? { 'source.shard.discovery.interval': discoveryInterval(shardDiscoveryInterval) } : {}),
      ...format._options(),
      ...raw,
    };
  }

  public bind(table: TableDefinition): ConnectorBinding {
    const { stream, format } = this.props;
    checkNoMetadata(
      table,
      'the kinesis connector declares metadata but never supplies it, and the job fails (FLINK-36671); put the value into the record',
    );
    format._checkRead(table);
    return {
      identifier: 'kinesis',
      role: TableRole.SOURCE,
      options: { ...this.options },
      source: {
        splits: shards(stream, table.name),
        changes: format.changes,
        repeatsEvents: format.repeatsEvents,
        retentionPeriod: stream.retentionPeriod,
      },
      artifacts: [Artifact.released('org.apache.flink:flink-sql-connector-aws-kinesis-streams'), ...format.artifacts],
      access: [this.access()],
      secrets: format.secrets,
      dependsOn: stream.dependable ? [stream.dependable] : [],
      alarms: streamReadAlarms(stream, this.props.enhancedFanOut?.consumerName),
      contract: [format._contract()],
    };
  }

  private access(): IAccess {
    const { stream, enhancedFanOut } = this.props;
    return {
      grantTo: (grantee) => {
        if (enhancedFanOut) {
          stream.grantReadWithEnhancedFanOut(grantee);
          if (enhancedFanOut.lifecycle !== EnhancedFanOutLifecycle.SELF_MANAGED) {
            stream.grantManageConsumers(grantee);
          }
        } else {
          stream.grantRead(grantee);
        }
      },
    };
  }
}

function shards(stream: IEventStream, table: string): Splits {
  return {
    unit: 'shard',
    of: Token.isUnresolved(stream.streamName) ? `the stream of table ${table}` : `stream ${stream.streamName}`,
    count: stream.shardCount,
    countReason: stream.shardCountReason,
    unknownBecause: stream.shardCountUnknownBecause,
  };
}

function fanOutOptions(fanOut: EnhancedFanOut): { [option: string]: string } {
  const { consumerName, lifecycle } = fanOut;
  if (!Token.isUnresolved(consumerName) && !/^[a-zA-Z0-9_.-]{1,128}$/.test(consumerName)) {
    throw new Error(`consumerName of enhanced fan-out must be 1 to 128 letters, digits, '_', '.' or '-', got '${consumerName}'`);
  }
  return {
    'source.reader.type': 'EFO',
    'source.efo.consumer.name': consumerName,
    ...(lifecycle ? { 'source.efo.lifecycle': lifecycle } : {}),
  };
}

function discoveryInterval(interval: Duration): string {
  if (!interval.isUnresolved() && interval.toMilliseconds({ integral: false }) < 1000) {
    throw new Error(
      `shardDiscoveryInterval must be 1 second at least, got ${interval.toHumanString()}: each look is a ListShards call, which the service limits`,
    );
  }
  return flinkDuration(interval);
}
