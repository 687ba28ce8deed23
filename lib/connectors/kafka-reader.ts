import { Duration, Token } from 'aws-cdk-lib';
import type { IKafkaTopic } from '../kafka/kafka-topic';
import { CleanupPolicy } from '../kafka/topic-configuration';
import { checkKafkaName } from '../kafka/topic-name';
import type { ConnectorBinding, SourceBinding } from '../sql/connector';
import { TableRole } from '../sql/connector';
import type { Format } from './format';
import { IsolationLevel } from './isolation-level';
import { kafkaArtifacts, kafkaClientOptions, kafkaSplits } from './kafka-client';
import { checkRawOptions } from './raw-options';

/** What all tables that read a Kafka topic have in common. */
export interface KafkaReaderProps {
  /** The topic. */
  readonly topic: IKafkaTopic;

  /**
   * Consumer group. The offsets that it commits are for monitoring and for `KafkaStart.groupOffsets`; a restored job goes on
   * from its own state.
   *
   * @default - `<namespace>.<job name>`
   */
  readonly consumerGroup?: string;

  /**
   * Which records of transactions are read. The connector's own default is Kafka's, `read_uncommitted`, which also reads what
   * an exactly-once writer has taken back. `read_committed` is right for a topic that is written exactly-once and changes
   * nothing for one that knows no transactions, so it is always the default. A transaction that stays open holds its readers
   * up.
   *
   * @default IsolationLevel.READ_COMMITTED
   */
  readonly isolationLevel?: IsolationLevel;

  /**
   * Further options of the connector, by their names in SQL.
   *
   * @default - none
   */
  readonly options?: { [key: string]: string };
}

/** What tells one Kafka source from the other. */
export interface KafkaReading {
  readonly identifier: string;
  readonly props: KafkaReaderProps;
  /** Options beside those of the client, with the property that sets each. */
  readonly options: { [option: string]: string };
  readonly typed: { [option: string]: string };
  readonly keyFormat?: Format;
  readonly valueFormat: Format;
  readonly source: Pick<SourceBinding, 'changes' | 'parallelismOption' | 'repeatsEvents'>;
  readonly contract: string[];
}

/** The table option that names the consumer group. */
export const CONSUMER_GROUP_OPTION = 'properties.group.id';

/** Refuses a consumer group that the broker would refuse, or that would be a pattern in a policy. */
export function checkConsumerGroup(name: string | undefined): void {
  if (name !== undefined && !Token.isUnresolved(name) && name.trim() === '') {
    throw new Error("consumerGroup must not be empty, got ''; leave it out for the group '<namespace>.<job name>'");
  }
  checkKafkaName('consumerGroup', name);
}

/** The binding of a table that reads a topic. */
export function bindReader(reading: KafkaReading): ConnectorBinding {
  const { props, identifier } = reading;
  const { topic } = props;
  const formats = [...(reading.keyFormat ? [reading.keyFormat] : []), reading.valueFormat];
  const secrets = [...topic.cluster.clientSecrets, ...formats.flatMap((format) => format.secrets)];
  const client = { ...kafkaClientOptions(topic), 'properties.isolation.level': props.isolationLevel ?? IsolationLevel.READ_COMMITTED };
  checkRawOptions({
    identifier,
    role: TableRole.SOURCE,
    formats: [...(reading.keyFormat ? [reading.keyFormat._inUse('key.')] : []), reading.valueFormat._inUse('value.')],
    options: props.options ?? {},
    typed: {
      ...Object.fromEntries(Object.keys(client).map((option) => [option, 'cluster of the topic'])),
      topic: 'topic',
      [CONSUMER_GROUP_OPTION]: 'consumerGroup',
      'properties.isolation.level': 'isolationLevel',
      'scan.parallelism': 'partitions of the topic, from which it is derived,',
      ...reading.typed,
      ...(reading.keyFormat?._typed('key.') ?? {}),
      ...reading.valueFormat._typed('value.'),
    },
    secrets,
  });
  return {
    identifier,
    role: TableRole.SOURCE,
    options: { ...client, ...reading.options, ...props.options },
    source: {
      splits: kafkaSplits(topic),
      ...reading.source,
      consumerGroup: { option: CONSUMER_GROUP_OPTION, name: props.consumerGroup },
      retentionPeriod: retentionPeriod(topic),
    },
    artifacts: [...kafkaArtifacts(topic.cluster), ...formats.flatMap((format) => format.artifacts)],
    access: [{ grantTo: (grantee, context) => void topic.grantRead(grantee, props.consumerGroup ?? context.consumerGroup) }],
    secrets,
    dependsOn: topic.dependable ? [topic.dependable] : [],
    contract: reading.contract,
  };
}

/** What is only compacted keeps the last record of each key for ever; below 0 is for ever too. */
function retentionPeriod({ config, cleanupPolicy }: IKafkaTopic): Duration | undefined {
  const stated = config?.['retention.ms'];
  if (stated === undefined || Token.isUnresolved(stated) || cleanupPolicy === CleanupPolicy.COMPACT) {
    return undefined;
  }
  const milliseconds = Number(stated);
  return milliseconds > 0 ? Duration.millis(milliseconds) : undefined;
}
