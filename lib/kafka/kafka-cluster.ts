import { Duration, Token } from 'aws-cdk-lib';
import { redacted } from '../sql/redacted';
import { instance, listOf, requireProps, TEXT } from '../sql/required-props';
import type { SecretRef } from '../sql/secret-ref';
import type { DeploymentTarget } from '../target/deployment-target';
import { KafkaAuthentication } from './kafka-authentication';
import { isKafkaVersionAtLeast } from './kafka-version';
import { checkClusterArn } from './msk-arn';

/** What any Kafka cluster has. */
export interface KafkaClusterProps {
  /**
   * Brokers to ask first, each `host:port`. One element may also be a list with commas, as `GetBootstrapBrokers` of Amazon
   * MSK gives it.
   */
  readonly bootstrapServers: string[];
  /**
   * `transaction.max.timeout.ms` of the brokers: no transaction may stay open longer.
   * @default 15 minutes, the default of Kafka
   */
  readonly transactionMaxTimeout?: Duration;
  /** Number of brokers, to check replication factors and to add up metrics. @default - unknown */
  readonly brokerCount?: number;
}

/** Kinds of Amazon MSK clusters, by their limits. */
export enum MskClusterType {
  /** Provisioned, standard brokers. */
  STANDARD = 'standard',
  /** Provisioned, Express brokers: replication factor 3 and 2 in-sync replicas, fixed. */
  EXPRESS = 'express',
  /** Serverless: IAM only; its topics cannot be managed by CloudFormation. */
  SERVERLESS = 'serverless',
}

/** An Amazon MSK cluster. */
export interface MskClusterProps extends KafkaClusterProps {
  /** ARN of the cluster. */
  readonly clusterArn: string;
  /** How clients sign in. Serverless clusters know IAM only. @default KafkaAuthentication.iam() */
  readonly authentication?: KafkaAuthentication;
  /** Kafka version of the cluster: `3.6.0`, `3.9.x`. Topics can be managed from 3.6.0. @default - unknown, taken for good */
  readonly kafkaVersion?: string;
  /**
   * Kind of the cluster.
   * @default - serverless where a bootstrap server is one of MSK Serverless, else standard
   */
  readonly clusterType?: MskClusterType;
}

/** A cluster that the Strimzi operator runs. */
export interface StrimziClusterProps extends KafkaClusterProps {
  /** Name of the `Kafka` object. */
  readonly name: string;
  /** Namespace that the cluster's topic operator watches, usually that of the `Kafka` object. Topics go there. */
  readonly namespace: string;
  /** Where the `KafkaTopic` objects are applied. */
  readonly target: DeploymentTarget;
  /** How clients sign in. @default KafkaAuthentication.unauthenticated() */
  readonly authentication?: KafkaAuthentication;
}

/** Any other Kafka cluster. */
export interface SelfManagedClusterProps extends KafkaClusterProps {
  /** How clients sign in. @default KafkaAuthentication.unauthenticated() */
  readonly authentication?: KafkaAuthentication;
}

/** What is known of an MSK cluster. */
export interface MskCluster {
  readonly clusterArn: string;
  readonly clusterType: MskClusterType;
  readonly kafkaVersion?: string;
}

/** What is known of a Strimzi cluster. */
export interface StrimziCluster {
  readonly name: string;
  readonly namespace: string;
  readonly target: DeploymentTarget;
}

/** First version with the API that `AWS::MSK::Topic` calls. */
const TOPIC_API: [number, number, number] = [3, 6, 0];

const SERVERS = {
  bootstrapServers: { ...listOf(TEXT), is: "a list of brokers, each 'host:port'" },
  'authentication?': instance('a KafkaAuthentication, such as KafkaAuthentication.iam()', 'clientProperties'),
};
const TARGET = instance('a DeploymentTarget, such as DeploymentTarget.eksV2(cluster, …)', 'namespace', '_add');

/** A Kafka cluster: how to reach it, how to sign in, how topics are made in it. It creates nothing. */
export class KafkaCluster {
  /**
   * Amazon MSK. Topics become `AWS::MSK::Topic`s.
   *
   * @param props ARN and brokers
   */
  public static msk(props: MskClusterProps): KafkaCluster {
    requireProps('KafkaCluster.msk', props, { ...SERVERS, clusterArn: TEXT });
    checkClusterArn(props.clusterArn);
    const clusterType = props.clusterType ?? (isServerless(props.bootstrapServers) ? MskClusterType.SERVERLESS : MskClusterType.STANDARD);
    const authentication = props.authentication ?? KafkaAuthentication.iam();
    if (clusterType === MskClusterType.SERVERLESS && !authentication.usesIam) {
      throw new Error('authentication of a serverless MSK cluster must be KafkaAuthentication.iam(): it knows no other');
    }
    if (props.kafkaVersion !== undefined) {
      isKafkaVersionAtLeast(props.kafkaVersion, TOPIC_API);
    }
    checkMskPorts(splitServers(props.bootstrapServers), authentication);
    const { clusterArn, kafkaVersion } = props;
    return new KafkaCluster(`msk:${clusterArn}`, props, authentication, { clusterArn, clusterType, kafkaVersion });
  }

  /**
   * A cluster that Strimzi runs. Topics become `KafkaTopic` objects (`kafka.strimzi.io/v1`), each in a manifest of its own.
   *
   * @param props names and brokers
   */
  public static strimzi(props: StrimziClusterProps): KafkaCluster {
    requireProps('KafkaCluster.strimzi', props, { ...SERVERS, name: TEXT, namespace: TEXT, target: TARGET });
    checkDnsName('name', props.name, 253);
    checkDnsName('namespace', props.namespace, 63);
    const { name, namespace, target } = props;
    return new KafkaCluster(
      `strimzi:${target.clusterName === undefined ? '' : `${target.clusterName}/`}${namespace}/${name}`,
      props,
      withoutIam(props.authentication ?? KafkaAuthentication.unauthenticated()),
      undefined,
      { name, namespace, target },
    );
  }

  /**
   * Any other cluster. Its topics are only declared: someone else creates them, before the job starts.
   *
   * @param props brokers and security settings
   */
  public static selfManaged(props: SelfManagedClusterProps): KafkaCluster {
    requireProps('KafkaCluster.selfManaged', props, SERVERS);
    const id = `brokers:${splitServers(props.bootstrapServers).sort().join(',')}`;
    return new KafkaCluster(id, props, withoutIam(props.authentication ?? KafkaAuthentication.unauthenticated()));
  }

  /** Brokers to ask first, separated by commas. */
  public readonly bootstrapServers: string;
  /** The longest time that the brokers let a transaction stay open. */
  public readonly brokerTransactionMaximum: Duration;
  /** Number of brokers, unset where it is not known. */
  public readonly brokerCount?: number;
  /** Whether clients sign in with IAM of Amazon MSK, which needs the thin connector jars. */
  public readonly usesIam: boolean;
  /** Secrets that the client settings refer to. */
  public readonly clientSecrets: SecretRef[];

  private constructor(
    /** Tells clusters apart: transactional ids and topics are unique within one cluster. */
    public readonly id: string,
    props: KafkaClusterProps,
    private readonly authentication: KafkaAuthentication,
    /** @internal */
    public readonly _msk?: MskCluster,
    /** @internal */
    public readonly _strimzi?: StrimziCluster,
  ) {
    checkServers(props.bootstrapServers);
    this.bootstrapServers = props.bootstrapServers.join(',');
    this.brokerTransactionMaximum = checkTransactionMaximum(props.transactionMaxTimeout) ?? Duration.minutes(15);
    if (props.brokerCount !== undefined && !Token.isUnresolved(props.brokerCount)) {
      if (!Number.isInteger(props.brokerCount) || props.brokerCount < 1) {
        throw new Error(`brokerCount must be a whole number of at least 1, got ${props.brokerCount}`);
      }
      this.brokerCount = props.brokerCount;
    }
    this.usesIam = authentication.usesIam;
    this.clientSecrets = authentication.secrets;
  }

  /**
   * Client options without the `properties.` prefix of table options, brokers apart.
   *
   * @param shaded whether the job runs Flink's SQL connector jar, in which Kafka's login modules have another name; not
   * possible with IAM
   */
  public clientProperties(shaded: boolean): { [key: string]: string } {
    return this.authentication.clientProperties(shaded);
  }

  /**
   * Refuses to manage topics where CloudFormation cannot.
   *
   * @internal
   */
  public _checkManagesTopics(): void {
    if (this._msk?.clusterType === MskClusterType.SERVERLESS) {
      throw new Error(
        'topics of a serverless MSK cluster cannot be managed by CloudFormation: create them with a Kafka client and use KafkaTopic.fromTopicAttributes',
      );
    }
    const version = this._msk?.kafkaVersion;
    if (version !== undefined && !isKafkaVersionAtLeast(version, TOPIC_API)) {
      throw new Error(
        `topics can be managed by CloudFormation from Kafka 3.6.0, got kafkaVersion '${version}': upgrade the cluster, or use KafkaTopic.fromTopicAttributes`,
      );
    }
  }
}

function splitServers(servers: string[]): string[] {
  return Token.isUnresolved(servers) ? [] : servers.filter((server) => !Token.isUnresolved(server)).flatMap((server) => server.split(','));
}

function checkServers(servers: string[]): void {
  if (Token.isUnresolved(servers)) {
    throw new Error('bootstrapServers must be a list, got a token for the whole list: give [Fn.join(",", list)]');
  }
  if (servers.length === 0) {
    throw new Error("bootstrapServers must name at least one broker as 'host:port', got an empty list");
  }
  for (const server of splitServers(servers)) {
    const port = Number(/^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]):(\d{1,5})$/.exec(server)?.[1]);
    if (!(port >= 1 && port <= 65535)) {
      throw new Error(`bootstrapServers must be of the form 'host:port', got '${redacted(server)}'`);
    }
  }
}

function isServerless(servers: string[]): boolean {
  return splitServers(servers).some((server) => server.includes('.kafka-serverless.'));
}

/** Listeners of MSK, within the VPC and public. */
const MSK_LISTENERS: { [port: string]: string } = {
  9092: 'PLAINTEXT',
  9094: 'SSL',
  9096: 'SCRAM-SHA-512',
  9098: 'AWS_MSK_IAM',
  9194: 'SSL',
  9196: 'SCRAM-SHA-512',
  9198: 'AWS_MSK_IAM',
};

function checkMskPorts(servers: string[], authentication: KafkaAuthentication): void {
  const properties = authentication.clientProperties(false);
  const wanted = properties['sasl.mechanism'] ?? properties['security.protocol'];
  if (!Object.values(MSK_LISTENERS).includes(wanted)) {
    return;
  }
  for (const server of servers) {
    const listener = MSK_LISTENERS[server.slice(server.lastIndexOf(':') + 1)];
    if (listener !== undefined && listener !== wanted) {
      const port = Object.keys(MSK_LISTENERS).find((key) => MSK_LISTENERS[key] === wanted);
      throw new Error(
        `bootstrapServers holds '${server}', the ${listener} listener of Amazon MSK, but clients sign in by ${wanted}: use the brokers at port ${port}`,
      );
    }
  }
}

function withoutIam(authentication: KafkaAuthentication): KafkaAuthentication {
  if (authentication.usesIam) {
    throw new Error('KafkaAuthentication.iam() is for Amazon MSK only: use KafkaCluster.msk, or another authentication');
  }
  return authentication;
}

function checkTransactionMaximum(duration: Duration | undefined): Duration | undefined {
  if (duration?.isUnresolved()) {
    throw new Error('transactionMaxTimeout must be a literal, got a token: transaction timeouts are derived from it');
  }
  if (duration && duration.toMilliseconds() < 1) {
    throw new Error(`transactionMaxTimeout must be at least 1 millisecond, got ${duration.toHumanString()}`);
  }
  return duration;
}

function checkDnsName(prop: string, name: string, maximum: number): void {
  if (!Token.isUnresolved(name) && (name.length > maximum || !/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(name))) {
    throw new Error(`${prop} must be a Kubernetes name of up to ${maximum} lower case letters, digits and '-', got '${name}'`);
  }
}
