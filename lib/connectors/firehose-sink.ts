import type { IArchiveDeliveryStream } from '../aws/archive-delivery-stream';
import { deliveryAlarms } from '../aws/archive-delivery-stream-alarms';
import { Artifact } from '../sql/artifact';
import { type ConnectorBinding, DeliveryGuarantee, type IConnector, type TableDefinition, TableRole } from '../sql/connector';
import { requireProps } from '../sql/required-props';
import type { Format } from './format';
import { DELIVERY_STREAM, FORMAT } from './prop-kinds';
import { checkRawOptions } from './raw-options';
import { checkNoIdleKey, checkNoMetadata } from './table-checks';

/** A Firehose delivery stream that is written. */
export interface FirehoseSinkProps {
  /** The delivery stream. */
  readonly deliveryStream: IArchiveDeliveryStream;
  /** How rows stand in a record. The delivery stream, not the format, puts a newline after each. */
  readonly format: Format;
  /**
   * Whether a record that the service refuses fails the job at once, as it does for throttling too; otherwise it is sent again.
   *
   * @default false
   */
  readonly failOnError?: boolean;
  /** Options that have no property here. @default - none */
  readonly options?: { [key: string]: string };
}

/**
 * Writes to a Firehose delivery stream, at least once and in no order: a record that the service refused is sent again after later
 * ones, and records written since the last checkpoint come again after a failure.
 *
 * It appends. A query that updates rows is refused by the planner unless the format holds changes (`Format.debeziumJson`).
 *
 * @see https://nightlies.apache.org/flink/flink-docs-release-2.2/docs/connectors/table/firehose/
 */
export class FirehoseSink implements IConnector {
  private readonly options: { [option: string]: string };

  constructor(private readonly props: FirehoseSinkProps) {
    requireProps('FirehoseSink', props, { deliveryStream: DELIVERY_STREAM, format: FORMAT });
    const { deliveryStream, format, failOnError } = props;
    const raw = props.options ?? {};
    checkRawOptions({
      identifier: 'firehose',
      role: TableRole.SINK,
      formats: [format._inUse()],
      options: raw,
      typed: {
        'delivery-stream': 'deliveryStream',
        'aws.region': 'deliveryStream',
        'sink.fail-on-error': 'failOnError',
        ...format._typed(),
      },
      secrets: format.secrets,
    });
    this.options = {
      'delivery-stream': deliveryStream.deliveryStreamName,
      // The factory does not ask for it, but without it the client looks for a region in its surroundings and fails in a pod.
      'aws.region': deliveryStream.region,
      ...(failOnError === undefined ? {} : { 'sink.fail-on-error': String(failOnError) }),
      ...format._options(),
      ...raw,
    };
  }

  public bind(table: TableDefinition): ConnectorBinding {
    const { deliveryStream, format } = this.props;
    checkNoMetadata(table, 'the firehose sink writes none; make it a physical column of the record');
    checkNoIdleKey(table, format.changes, 'leave it out, or use another sink for updates');
    if (table.partitionedBy.length > 0) {
      throw new Error(
        `table '${table.name}' must not be partitioned, got partitionedBy ${table.partitionedBy.join(', ')}: the firehose sink refuses it; partition by the prefix of the delivery stream`,
      );
    }
    format._checkWrite(table);
    format._checkSubject(table);
    return {
      identifier: 'firehose',
      role: TableRole.SINK,
      options: { ...this.options },
      sink: { changes: format.changes, guarantee: DeliveryGuarantee.AT_LEAST_ONCE },
      artifacts: [Artifact.released('org.apache.flink:flink-sql-connector-aws-kinesis-firehose'), ...format.artifacts],
      access: [{ grantTo: (grantee) => void deliveryStream.grantPut(grantee) }],
      secrets: format.secrets,
      dependsOn: deliveryStream.dependable ? [deliveryStream.dependable] : [],
      alarms: deliveryAlarms(deliveryStream),
      contract: [format._contract(), 'delivery: at least once, in no order'],
    };
  }
}
