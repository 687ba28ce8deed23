import { type ChildProcessWithoutNullStreams, spawn } from 'child_process';
import { readFileSync } from 'fs';
import { delimiter, join } from 'path';
import { createInterface } from 'readline';
import { findJava } from '../../../lib/planner/java-home';
import { freePorts } from './free-ports';
import { Gate } from './gate';

const TARGET = join(__dirname, '..', '..', '..', 'runtime', 'test-broker', 'target');

/** A record without a value is a tombstone. */
export interface KafkaRecord {
  readonly key: string;
  readonly value: string | null;
}

export interface ReadRecord extends KafkaRecord {
  readonly partition: number;
}

export interface Transaction {
  /** `Ongoing`, `CompleteCommit`, `CompleteAbort` … */
  readonly state: string;
  readonly producerEpoch: number;
}

export interface BrokerLogin {
  readonly user: string;
  readonly password: string;
}

/** A real Kafka broker in a JVM of its own, with a gate before it for the job, and the ZooKeeper that stands in for Kubernetes. */
export class Broker {
  public static async start(directory: string, login: BrokerLogin, transactionVersion = 2): Promise<Broker> {
    const [port, controllerPort, gatedPort, advertisedPort, zooKeeperPort] = await freePorts(5);
    const settings = { directory, port, controllerPort, gatedPort, advertisedPort, zooKeeperPort, transactionVersion, ...login };
    const classPath = [join(TARGET, 'test-broker.jar'), readFileSync(join(TARGET, 'class-path.txt'), 'utf8').trim()].join(delimiter);
    const main = 'io.github.cdkflinkpipeline.broker.TestBroker';
    const child = spawn(findJava().java, ['-Xmx512m', '-XX:TieredStopAtLevel=1', '-cp', classPath, main, JSON.stringify(settings)]);
    const broker = new Broker(child, new Gate(advertisedPort!, gatedPort!), zooKeeperPort!);
    await broker.ready;
    return broker;
  }

  private readonly waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  private readonly ready: Promise<void>;
  private requests = 0;
  private log = '';

  private constructor(
    private readonly child: ChildProcessWithoutNullStreams,
    readonly gate: Gate,
    readonly zooKeeperPort: number,
  ) {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.log = (this.log + text).slice(-10_000);
    });
    this.ready = new Promise((resolve, reject) => {
      child.on('close', (code) => reject(new Error(`the broker ended with ${code}: ${this.log}`)));
      createInterface({ input: child.stdout }).on('line', (line) => {
        const answer = line.startsWith('{') ? JSON.parse(line) : {};
        if (answer.ready) {
          resolve();
        } else if (answer.error !== undefined) {
          this.waiting.get(answer.id)?.reject(new Error(answer.error));
        } else {
          this.waiting.get(answer.id)?.resolve(answer.result);
        }
      });
    });
  }

  public get bootstrapServers(): string {
    return `127.0.0.1:${this.gate.port}`;
  }

  public async createTopic(topic: string, partitions: number, configuration: { [key: string]: string } = {}): Promise<void> {
    await this.ask({ do: 'createTopic', topic, partitions, configuration });
  }

  /** Give a topic so many partitions. */
  public async growTopic(topic: string, partitions: number): Promise<void> {
    await this.ask({ do: 'growTopic', topic, partitions });
  }

  public async produce(topic: string, records: KafkaRecord[]): Promise<void> {
    await this.ask({ do: 'produce', topic, records });
  }

  public async consume(topic: string, isolation: 'read_committed' | 'read_uncommitted' = 'read_committed'): Promise<ReadRecord[]> {
    return (await this.ask({ do: 'consume', topic, isolation })) as ReadRecord[];
  }

  /** Each transaction whose id begins so. */
  public async transactions(prefix: string): Promise<{ [id: string]: Transaction }> {
    return (await this.ask({ do: 'transactions', prefix })) as { [id: string]: Transaction };
  }

  /** Leave a transaction in a partition of which the coordinator of its id knows nothing: it never ends. */
  public async hang(transaction: string, topic: string, partition: number, timestamp: number): Promise<void> {
    await this.ask({ do: 'hang', transaction, topic, partition, timestamp });
  }

  /** The level of a feature that the cluster works with. */
  public async featureLevel(feature: string): Promise<number> {
    return (await this.ask({ do: 'featureLevel', feature })) as number;
  }

  /** What the job had to be allowed up to now: `READ TOPIC dwd_order_item`. */
  public async asked(): Promise<string[]> {
    return (await this.ask({ do: 'asked' })) as string[];
  }

  public async close(): Promise<void> {
    this.gate.close();
    const ended = new Promise((resolve) => this.child.on('close', resolve));
    this.child.kill('SIGKILL');
    await ended;
  }

  private ask(request: object): Promise<unknown> {
    const id = ++this.requests;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.child.stdin.write(`${JSON.stringify({ id, ...request })}\n`);
    });
  }
}
