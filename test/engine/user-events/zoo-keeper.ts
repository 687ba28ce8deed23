import { type ChildProcess, spawn } from 'child_process';
import { mkdirSync, writeFileSync } from 'fs';
import { connect } from 'net';
import { join } from 'path';
import { findJava } from '../../../lib/planner/java-home';
import { flinkDistribution } from '../kafka/cluster';
import { freePorts } from '../kafka/free-ports';

const MAIN = 'org.apache.flink.shaded.zookeeper3.org.apache.zookeeper.server.ZooKeeperServerMain';

/** The ZooKeeper within Flink, which stands in for Kubernetes where the job manager asks who leads. */
export class ZooKeeper {
  public static async start(directory: string): Promise<ZooKeeper> {
    const [port] = await freePorts(1);
    mkdirSync(directory);
    const configuration = join(directory, 'zoo.cfg');
    writeFileSync(
      configuration,
      `dataDir=${directory}\nclientPortAddress=127.0.0.1\nclientPort=${port}\ntickTime=500\nadmin.enableServer=false\n`,
    );
    const child = spawn(
      findJava().java,
      ['-Xmx64m', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-cp', join(flinkDistribution(), 'lib', '*'), MAIN, configuration],
      { stdio: 'ignore' },
    );
    const zooKeeper = new ZooKeeper(child, port!);
    await zooKeeper.ready();
    return zooKeeper;
  }

  private constructor(
    private readonly child: ChildProcess,
    private readonly port: number,
  ) {}

  public get quorum(): string {
    return `127.0.0.1:${this.port}`;
  }

  public async close(): Promise<void> {
    const ended = new Promise((resolve) => this.child.on('exit', resolve));
    this.child.kill('SIGKILL');
    await ended;
  }

  private async ready(): Promise<void> {
    for (let attempt = 0; attempt < 200; attempt++) {
      const answers = await new Promise<boolean>((resolve) => {
        const socket = connect(this.port, '127.0.0.1');
        socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
        socket.on('connect', () => socket.destroy());
      });
      if (answers) {
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`ZooKeeper does not answer at ${this.quorum}`);
  }
}
