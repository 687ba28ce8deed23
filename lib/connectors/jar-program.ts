import { Token } from 'aws-cdk-lib';
import { basename } from 'path';
import type { IEventStream } from '../aws/event-stream';
import type { IKafkaTopic } from '../kafka/kafka-topic';
import { type Artifact, PROGRAM_DIRECTORY } from '../sql/artifact';
import { Changes, type ConnectorBinding, TableRole } from '../sql/connector';
import { Program, type ProgramBinding, type ProgramEntry } from '../sql/program';
import { LIST, listOf, requireProps } from '../sql/required-props';
import { kafkaSplits } from './kafka-client';
import { CONSUMER_GROUP_OPTION, checkConsumerGroup } from './kafka-reader';
import { ARTIFACT, EVENT_STREAM, KAFKA_TOPIC } from './prop-kinds';

/** Props of a `JarProgram`. */
export interface JarProgramProps {
  /**
   * Path of the jar, which is copied into the image that the library builds.
   *
   * @default - the jar is in the image already, at `jarUri`
   */
  readonly jarFile?: string;

  /**
   * The jar in the image: `local:///opt/flink/usrlib/my-job.jar`.
   *
   * @default - where `jarFile` is copied to
   */
  readonly jarUri?: string;

  /**
   * Class with the `main` method, with its package.
   *
   * @default - the `Main-Class` of the jar's manifest
   */
  readonly entryClass?: string;

  /**
   * Arguments of `main`. They stand in the FlinkDeployment for everyone to read: hand secrets in by the environment of the pods.
   *
   * @default - none
   */
  readonly args?: string[];

  /**
   * Kinesis streams that the program reads. The job may read them, and their shards give its parallelism.
   *
   * @default - none
   */
  readonly eventStreams?: IEventStream[];

  /**
   * Kafka topics that the program reads. The job may read them, and their partitions give its parallelism where it reads no
   * stream.
   *
   * @default - none
   */
  readonly kafkaTopics?: IKafkaTopic[];

  /**
   * Consumer group that the program reads its Kafka topics with: needed with `kafkaTopics`, since the program itself sets it.
   *
   * @default - the program reads no Kafka topic
   */
  readonly consumerGroup?: string;

  /**
   * Jars that the image must hold beside the program's own.
   *
   * @default - none
   */
  readonly artifacts?: Artifact[];
}

/**
 * A Flink job that is written in Java or another JVM language against the DataStream or the Table API. It gets the same deployment as a SQL
 * program: checkpoints, permissions to read its inputs, and a parallelism derived from them.
 *
 * What the program writes to is granted by hand: `stream.grantWrite(job)`.
 */
export class JarProgram extends Program {
  /** The jar in the image. */
  public readonly jarUri: string;
  /** Class with the `main` method. */
  public readonly entryClass?: string;
  /** Arguments of `main`. */
  public readonly args: string[];

  constructor(private readonly props: JarProgramProps) {
    super();
    requireProps('JarProgram', props, {
      'args?': LIST,
      'eventStreams?': listOf(EVENT_STREAM),
      'kafkaTopics?': listOf(KAFKA_TOPIC),
      'artifacts?': listOf(ARTIFACT),
    });
    this.jarUri = jarUri(props);
    checkEntryClass(props.entryClass);
    checkArguments(props.args ?? []);
    checkInputs(props);
    this.entryClass = props.entryClass;
    this.args = [...(props.args ?? [])];
  }

  /** @internal */
  public _bindings(): ProgramBinding[] {
    const topics = this.props.kafkaTopics ?? [];
    const names = topics.map((topic) => topic.topicName);
    return [
      ...(this.props.eventStreams ?? []).map((stream) => ({ name: `stream ${stream.streamName}`, binding: streamBinding(stream) })),
      ...topics.map((topic) => ({
        // Two clusters may have topics of one name.
        name: `topic ${topic.topicName}${names.indexOf(topic.topicName) === names.lastIndexOf(topic.topicName) ? '' : ` of ${topic.cluster.id}`}`,
        binding: topicBinding(topic, this.props.consumerGroup!),
      })),
    ];
  }

  /** @internal */
  public _artifacts(): Artifact[] {
    return [...(this.props.artifacts ?? [])];
  }

  /** @internal */
  public override _programJar(): string | undefined {
    return this.props.jarFile;
  }

  /** @internal */
  public override _entry(): ProgramEntry {
    return { jarUri: this.jarUri, entryClass: this.entryClass, args: this.args };
  }
}

function streamBinding(stream: IEventStream): ConnectorBinding {
  return {
    identifier: 'kinesis',
    role: TableRole.SOURCE,
    // Where it is, for rules over several jobs: the program has its own.
    options: { 'stream.arn': stream.streamArn },
    source: {
      changes: Changes.INSERT_ONLY,
      splits: {
        unit: 'shard',
        of: `stream ${stream.streamName}`,
        count: stream.shardCount,
        countReason: stream.shardCountReason,
        unknownBecause: stream.shardCount === undefined ? stream.shardCountUnknownBecause : undefined,
      },
    },
    access: [{ grantTo: (grantee) => void stream.grantRead(grantee) }],
    dependsOn: stream.dependable ? [stream.dependable] : [],
  };
}

function topicBinding(topic: IKafkaTopic, consumerGroup: string): ConnectorBinding {
  return {
    identifier: 'kafka',
    role: TableRole.SOURCE,
    options: { topic: topic.topicName, 'properties.bootstrap.servers': topic.cluster.bootstrapServers },
    source: {
      changes: Changes.INSERT_ONLY,
      splits: kafkaSplits(topic),
      consumerGroup: { option: CONSUMER_GROUP_OPTION, name: consumerGroup },
    },
    access: [{ grantTo: (grantee) => void topic.grantRead(grantee, consumerGroup) }],
    dependsOn: topic.dependable ? [topic.dependable] : [],
  };
}

function jarUri({ jarFile, jarUri }: JarProgramProps): string {
  if ((jarFile === undefined) === (jarUri === undefined)) {
    throw new Error(
      `a JAR program must be given either jarFile, to be copied into the image, or jarUri, in the image already; got ${jarFile === undefined ? 'neither' : 'both'}`,
    );
  }
  if (jarUri !== undefined) {
    checkJarUri(jarUri);
    return jarUri;
  }
  if (!/[^/]\.jar$/.test(jarFile!) || basename(jarFile!) === 'sql-runner.jar') {
    throw new Error(`jarFile must be the path of a .jar that is not called sql-runner.jar, as the library's own is, got '${jarFile}'`);
  }
  return `local://${PROGRAM_DIRECTORY}/${basename(jarFile!)}`;
}

function checkJarUri(uri: string): void {
  if (!Token.isUnresolved(uri) && !/^local:\/\/\/[^\s?#]*[^/\s?#]\.jar$/.test(uri)) {
    throw new Error(
      `jarUri must be the path of a jar in the image such as 'local:///opt/flink/usrlib/my-job.jar', got '${uri}': the Kubernetes operator starts jobs from the image`,
    );
  }
}

function checkEntryClass(name: string | undefined): void {
  if (name !== undefined && !Token.isUnresolved(name) && !/^[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*)*$/.test(name)) {
    throw new Error(`entryClass must be a Java class name such as 'com.example.MyJob', got '${name}'`);
  }
}

function checkArguments(args: string[]): void {
  const secret = args.find((arg) => !Token.isUnresolved(arg) && arg.includes('${env:'));
  if (secret !== undefined) {
    throw new Error(
      `args must not hold secrets, got '${secret}': nothing replaces it in an argument; hand the secret in by the environment of the pods and let the program read it from there`,
    );
  }
}

function checkInputs(props: JarProgramProps): void {
  checkConsumerGroup(props.consumerGroup);
  const topics = props.kafkaTopics ?? [];
  if (topics.length > 0 && props.consumerGroup === undefined) {
    throw new Error(
      'consumerGroup must be given with kafkaTopics: the program sets it itself, and the job needs permission to read with it',
    );
  }
  if (topics.length === 0 && props.consumerGroup !== undefined) {
    throw new Error(
      `consumerGroup is for kafkaTopics, got '${props.consumerGroup}' and no topic; name the topics or leave consumerGroup out`,
    );
  }
  for (const [prop, inputs] of [
    ['eventStreams', (props.eventStreams ?? []).map((stream) => stream.streamArn)],
    ['kafkaTopics', topics.map((topic) => `${topic.cluster.id}/${topic.topicName}`)],
  ] as const) {
    const twice = inputs.find((input, index) => inputs.indexOf(input) !== index);
    if (twice !== undefined) {
      throw new Error(`${prop} must name each input once, got '${twice}' twice`);
    }
  }
}
