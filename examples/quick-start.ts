import { App, Duration, Stack } from 'aws-cdk-lib';
import { Cluster, KubectlProvider } from 'aws-cdk-lib/aws-eks-v2';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import * as flink from '../lib';

const app = new App();
const stack = new Stack(app, 'Clicks', { env: { account: '111122223333', region: 'eu-central-1' } });

const events = new flink.EventStream(stack, 'Events', { streamName: 'user-events', shardCount: 12 });
const archive = new flink.ArchiveDeliveryStream(stack, 'Archive', { deliveryStreamName: 'raw-logs-archive' });

const program = new flink.SqlProgram();
const clicks = program.addTable('clicks', {
  connector: new flink.KinesisSource({
    stream: events,
    start: flink.StartPosition.trimHorizon(),
    format: flink.Format.json({ malformedRecords: flink.MalformedRecords.SKIP }),
  }),
  columns: [
    flink.Column.physical('user_id', flink.DataType.STRING),
    flink.Column.physical('page', flink.DataType.STRING),
    flink.Column.physical('clicked_at', flink.DataType.STRING),
    // A null event time would end the job; the epoch is late, and moves no watermark.
    flink.Column.computed('event_time', `COALESCE(TRY_CAST(clicked_at AS TIMESTAMP(3)), TIMESTAMP '1970-01-01 00:00:00.000')`),
  ],
  watermark: flink.Watermark.delayed('event_time', Duration.seconds(5)),
});
const counts = program.addTable('click_counts', {
  connector: new flink.JdbcSink({
    url: 'jdbc:mysql://mysql:3306/analytics',
    tableName: 'click_counts',
    credentials: flink.Credentials.of('flink', flink.SecretRef.kubernetes('mysql-analytics', 'password')),
  }),
  columns: [
    flink.Column.physical('page', flink.DataType.STRING),
    flink.Column.physical('window_start', flink.DataType.timestamp(3)),
    flink.Column.physical('clicks', flink.DataType.BIGINT),
  ],
  primaryKey: ['page', 'window_start'],
});
const raw = program.addTable('raw_clicks', {
  connector: new flink.FirehoseSink({ deliveryStream: archive, format: flink.Format.json() }),
  columns: [flink.Column.physical('user_id', flink.DataType.STRING), flink.Column.physical('page', flink.DataType.STRING)],
});
program.addInsert(
  counts,
  // A null in a key column would fail the job at that row, and again after each restart.
  `SELECT page, window_start, COUNT(*)
   FROM TABLE(TUMBLE(TABLE ${clicks}, DESCRIPTOR(event_time), INTERVAL '1' MINUTE))
   WHERE page IS NOT NULL
   GROUP BY page, window_start, window_end`,
);
program.addInsert(raw, `SELECT user_id, page FROM ${clicks}`);

const cluster = Cluster.fromClusterAttributes(stack, 'Cluster', {
  clusterName: 'streaming',
  kubectlProvider: KubectlProvider.fromKubectlProviderAttributes(stack, 'Kubectl', {
    serviceToken: 'arn:aws:lambda:eu-central-1:111122223333:function:kubectl-handler',
  }),
});
const job = new flink.FlinkJob(stack, 'Job', {
  jobName: 'clicks',
  program,
  target: flink.DeploymentTarget.eksV2(cluster, { namespace: 'streaming' }),
  checkpointing: { storage: flink.CheckpointStorage.s3(new Bucket(stack, 'State'), 'clicks'), interval: Duration.seconds(30) },
  taskSlots: 4,
});
for (const { name, value, reason } of job.explain()) {
  console.error(`${name} = ${value}: ${reason}`); // job.parallelism = 12: shards of stream user-events; …
}
app.synth();
