import { App, Duration, Stack } from 'aws-cdk-lib';
import { mkdtempSync, rmSync, writeSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import {
  CheckpointStorage,
  Column,
  DataType,
  DeploymentTarget,
  FlinkImage,
  FlinkJob,
  Format,
  KafkaCluster,
  KafkaSource,
  KafkaStart,
  KafkaTopic,
  MalformedRecords,
  SqlProgram,
  type SqlTable,
  UpsertKafkaSink,
  Watermark,
} from '../lib';

/**
 * Synthesizes a job over a number of tables and tells the parent on file descriptor 3 how many milliseconds that took, once the modules
 * were loaded by a small job.
 */
function main(tables: number): void {
  synth(10);
  writeSync(3, String(synth(tables)));
}

function synth(tables: number): number {
  const outdir = mkdtempSync(join(tmpdir(), 'bench-tables-'));
  const start = process.hrtime.bigint();
  const app = new App({ outdir });
  const stack = new Stack(app, 'Stack', { env: { account: '111122223333', region: 'eu-west-1' } });
  new FlinkJob(stack, 'Job', {
    jobName: 'many-tables',
    program: createProgram(tables),
    parallelism: 12,
    target: DeploymentTarget.manifests({ namespace: 'streaming', clusterName: 'streaming' }),
    image: FlinkImage.named('111122223333.dkr.ecr.eu-west-1.amazonaws.com/many-tables:1.0.0'),
    checkpointing: { storage: CheckpointStorage.location('s3p://state/many-tables') },
  });
  app.synth();
  const milliseconds = Number(process.hrtime.bigint() - start) / 1e6;
  rmSync(outdir, { recursive: true });
  return milliseconds;
}

/** Half of the tables are sources, half are sinks; each sink is filled by a join of one source, through a view, with the first. */
function createProgram(tables: number): SqlProgram {
  const program = new SqlProgram();
  const cluster = KafkaCluster.selfManaged({ bootstrapServers: ['kafka-1:9092', 'kafka-2:9092'] });
  const topic = (name: string) => KafkaTopic.fromTopicAttributes({ cluster, topicName: name, partitions: 6 });
  const columns = [
    Column.physical('id', DataType.STRING.notNull()),
    Column.physical('quantity', DataType.BIGINT),
    Column.physical('time', DataType.timestamp(3)),
  ];
  const addSink = (index: number, query: string) => {
    const sink = program.addTable(`sink_${index}`, {
      connector: new UpsertKafkaSink({ topic: topic(`sink.${index}`), keyFormat: Format.json(), valueFormat: Format.json() }),
      columns,
      primaryKey: ['id'],
    });
    program.addInsert(sink, query);
  };
  const sources: SqlTable[] = [];
  for (let index = 0; index < Math.floor(tables / 2); index++) {
    sources.push(
      program.addTable(`source_${index}`, {
        connector: new KafkaSource({
          topic: topic(`source.${index}`),
          start: KafkaStart.earliest(),
          format: Format.json({ malformedRecords: MalformedRecords.FAIL }),
        }),
        columns,
        watermark: Watermark.delayed('time', Duration.seconds(5)),
      }),
    );
  }
  for (const [index, source] of sources.entries()) {
    const view = program.addView(`view_${index}`, `SELECT \`id\`, \`quantity\`, \`time\` FROM ${source} WHERE \`quantity\` > 0`);
    addSink(index, `SELECT a.\`id\`, a.\`quantity\`, b.\`time\` FROM ${view} AS a JOIN ${sources[0]} AS b ON a.\`id\` = b.\`id\``);
  }
  if (tables % 2 === 1) {
    addSink(sources.length, "VALUES ('a', 1, CURRENT_TIMESTAMP)");
  }
  return program;
}

main(Number(process.argv[2]));
