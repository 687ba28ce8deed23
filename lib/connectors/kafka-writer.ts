import { Token } from 'aws-cdk-lib';
import type { IKafkaTopic } from '../kafka/kafka-topic';
import { isKafkaVersionAtLeast } from '../kafka/kafka-version';
import type { Artifact } from '../sql/artifact';
import { type ConnectorBinding, DeliveryGuarantee, type SinkBinding, TableRole } from '../sql/connector';
import type { Format } from './format';
import { kafkaArtifacts, kafkaClientOptions, kafkaSplits } from './kafka-client';
import { producerComplaints } from './producer-options';
import { checkRawOptions } from './raw-options';
import { checkTransactionalIdPrefix } from './transactional-id-prefix';
import { checkWriters } from './typed-value';

/** How an exactly-once sink names its transactions. */
export enum TransactionNaming {
  /** A new name for each checkpoint; after a restart the sink tries names until it finds no more open transactions. */
  INCREMENTING = 'INCREMENTING',
  /**
   * Few names, used again; after a restart the sink asks the broker for open transactions. For that it also reads from the topic,
   * and the cluster must run Kafka 3.0 or later. There is no way back to INCREMENTING.
   */
  POOLING = 'POOLING',
}

/** What all tables that write a Kafka topic have in common. */
export interface KafkaWriterProps {
  /** The topic. It must exist before the job starts: without it the first checkpoint hangs, and no error is shown. */
  readonly topic: IKafkaTopic;

  /**
   * What a reader may find after the job was killed and restored. EXACTLY_ONCE writes in transactions, which are committed by
   * checkpoints: readers need `isolation.level = read_committed`, and see rows once a checkpoint is complete.
   *
   * @default DeliveryGuarantee.AT_LEAST_ONCE
   */
  readonly guarantee?: DeliveryGuarantee;

  /**
   * What the names of transactions begin with. It must stay the same over deployments and be unique among all sinks that
   * write to the cluster. For EXACTLY_ONCE only.
   *
   * @default - `<namespace>.<job name>.<table>`
   */
  readonly transactionalIdPrefix?: string;

  /**
   * How transactions are named. For EXACTLY_ONCE only.
   *
   * @default TransactionNaming.INCREMENTING
   */
  readonly transactionNaming?: TransactionNaming;

  /**
   * Number of writers.
   *
   * @default - the partitions of the topic, at most the parallelism of the job
   */
  readonly writers?: number;

  /**
   * Further options of the connector, by their names in SQL.
   *
   * @default - none
   */
  readonly options?: { [key: string]: string };
}

/** What tells one Kafka sink from the other. */
export interface KafkaWriting {
  readonly identifier: string;
  readonly props: KafkaWriterProps;
  /** Options beside those of the client, with the property that sets each. */
  readonly options: { [option: string]: string };
  readonly typed: { [option: string]: string };
  readonly keyFormat?: Format;
  readonly valueFormat: Format;
  readonly sink: Pick<SinkBinding, 'changes' | 'parallelismOption'>;
  readonly artifacts?: Artifact[];
  readonly contract: string[];
}

/** Refuses writer props that contradict each other. */
export function checkWriter(props: KafkaWriterProps): void {
  checkWriters(props.writers);
  checkTransactionalIdPrefix(props.transactionalIdPrefix);
  const transactional = props.guarantee === DeliveryGuarantee.EXACTLY_ONCE;
  for (const prop of ['transactionalIdPrefix', 'transactionNaming'] as const) {
    if (props[prop] !== undefined && !transactional) {
      throw new Error(
        `${prop} is for exactly-once sinks, got guarantee '${guaranteeOf(props)}'; give guarantee: DeliveryGuarantee.EXACTLY_ONCE or leave ${prop} out`,
      );
    }
  }
  const literal = (option: string) => {
    const value = props.options?.[option];
    return typeof value !== 'string' || Token.isUnresolved(value) || value.includes('${env:') ? undefined : value;
  };
  const [complaint] = producerComplaints(literal, transactional);
  if (complaint !== undefined) {
    throw new Error(complaint);
  }
  const kafkaVersion = props.topic.cluster._msk?.kafkaVersion;
  if (
    props.transactionNaming === TransactionNaming.POOLING &&
    kafkaVersion !== undefined &&
    !isKafkaVersionAtLeast(kafkaVersion, [3, 0, 0])
  ) {
    throw new Error(
      `transactionNaming POOLING needs Kafka 3.0 or later, got kafkaVersion '${kafkaVersion}' of the cluster; leave transactionNaming out`,
    );
  }
}

/** The binding of a table that writes a topic. */
export function bindWriter(writing: KafkaWriting): ConnectorBinding {
  const { props, identifier } = writing;
  const { topic } = props;
  const { cluster } = topic;
  const guarantee = guaranteeOf(props);
  const transactional = guarantee === DeliveryGuarantee.EXACTLY_ONCE;
  const formats = [...(writing.keyFormat ? [writing.keyFormat] : []), writing.valueFormat];
  const secrets = [...cluster.clientSecrets, ...formats.flatMap((format) => format.secrets)];
  const client = kafkaClientOptions(topic);
  checkRawOptions({
    identifier,
    role: TableRole.SINK,
    formats: [...(writing.keyFormat ? [writing.keyFormat._inUse('key.')] : []), writing.valueFormat._inUse('value.')],
    options: props.options ?? {},
    typed: {
      ...Object.fromEntries(Object.keys(client).map((option) => [option, 'cluster of the topic'])),
      topic: 'topic',
      'sink.delivery-guarantee': 'guarantee',
      'sink.transactional-id-prefix': 'transactionalIdPrefix',
      'sink.transaction-naming-strategy': 'transactionNaming',
      'sink.parallelism': 'writers',
      'properties.transactional.id': 'transactionalIdPrefix',
      ...(transactional ? { [TRANSACTION_TIMEOUT_OPTION]: 'checkpointing of the job, from which it is derived' } : {}),
      ...writing.typed,
      ...(writing.keyFormat?._typed('key.') ?? {}),
      ...writing.valueFormat._typed('value.'),
    },
    secrets,
  });
  return {
    identifier,
    role: TableRole.SINK,
    options: {
      ...client,
      ...writing.options,
      'sink.delivery-guarantee': guarantee,
      ...(props.transactionNaming === undefined ? {} : { 'sink.transaction-naming-strategy': props.transactionNaming }),
      ...requestSize(topic),
      ...props.options,
    },
    sink: {
      ...writing.sink,
      guarantee,
      splits: kafkaSplits(topic),
      writers: props.writers,
      transactions: transactional
        ? {
            prefixOption: 'sink.transactional-id-prefix',
            timeoutOption: TRANSACTION_TIMEOUT_OPTION,
            prefix: props.transactionalIdPrefix,
            brokerMaximumMillis: cluster.brokerTransactionMaximum.toMilliseconds(),
            clusterId: cluster.id,
          }
        : undefined,
      compacted: topic.compacted,
    },
    artifacts: [...kafkaArtifacts(cluster), ...formats.flatMap((format) => format.artifacts), ...(writing.artifacts ?? [])],
    access: [
      {
        grantTo: (grantee, context) => {
          topic.grantWrite(grantee, transactional ? (props.transactionalIdPrefix ?? context.transactionalIdPrefix) : undefined);
          if (props.transactionNaming === TransactionNaming.POOLING) {
            // The broker lists open transactions only to those who may read the topic.
            topic.grantRead(grantee);
          }
        },
      },
    ],
    secrets,
    dependsOn: topic.dependable ? [topic.dependable] : [],
    contract: [
      ...writing.contract,
      `cleanup policy: ${topic.cleanupPolicy ?? 'not known here'}`,
      transactional ? 'guarantee: exactly-once; read with isolation.level = read_committed' : `guarantee: ${guarantee}`,
    ],
  };
}

/** What a producer sends at the most by default, in bytes. */
const REQUEST_SIZE = 1_048_576;

/** A topic for larger records is no use to a producer that refuses them itself: the job would fail at the first one, again and again. */
function requestSize({ config }: IKafkaTopic): { [option: string]: string } {
  const largest = config?.['max.message.bytes'];
  return largest !== undefined && !Token.isUnresolved(largest) && Number(largest) > REQUEST_SIZE
    ? { 'properties.max.request.size': largest.trim() }
    : {};
}

const TRANSACTION_TIMEOUT_OPTION = 'properties.transaction.timeout.ms';

function guaranteeOf(props: KafkaWriterProps): DeliveryGuarantee {
  return props.guarantee ?? DeliveryGuarantee.AT_LEAST_ONCE;
}
