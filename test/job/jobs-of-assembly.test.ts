import { type App, NestedStack, Stack, Stage } from 'aws-cdk-lib';
import { readFileSync, writeFileSync } from 'fs';
import { join } from 'path';
import { DeploymentTarget, FlinkJob } from '../../lib';
import { pipelineDirectories } from '../../lib/application/pipeline-directories';
import { findPrograms } from '../../lib/planner/find-programs';
import { newApp } from '../fixtures/assembly';
import { ENVIRONMENT, eksCluster, job } from '../fixtures/stacks';

/** An app as the next synthesis would run it, into the directory of the one before. */
function synthesize(outdir: string, build: (app: App) => void): void {
  const app = newApp({ outdir });
  build(app);
  app.synth();
}

const withJobs =
  (...jobNames: string[]) =>
  (scope: App | Stage) => {
    const stack = new Stack(scope, 'Stack', { env: ENVIRONMENT });
    const target = DeploymentTarget.eks(eksCluster(stack), { namespace: 'streaming' });
    for (const jobName of jobNames) {
      job(stack, { jobName, target }, jobName);
    }
  };

const jobNames = (outdir: string) => findPrograms(outdir).map(({ jobName }) => jobName);

test('a job that was renamed or removed is read no more, the last one too', () => {
  const { outdir } = newApp();
  synthesize(outdir, withJobs('visits', 'clicks'));
  expect(jobNames(outdir)).toEqual(['clicks', 'visits']);
  synthesize(outdir, withJobs('views'));
  expect(jobNames(outdir)).toEqual(['views']);
  synthesize(outdir, withJobs());
  expect(jobNames(outdir)).toEqual([]);
});

test('nor is that of a stage that is gone, or has lost its last job', () => {
  const { outdir } = newApp();
  const withStages =
    (stages: { [name: string]: string[] }) =>
    (app: App): void => {
      withJobs('clicks')(app);
      for (const [name, names] of Object.entries(stages)) {
        withJobs(...names)(new Stage(app, name));
      }
    };
  synthesize(outdir, withStages({ Dev: ['clicks-dev'], Prod: ['clicks-prod'], Test: ['clicks-test'] }));
  expect(jobNames(outdir)).toEqual(['clicks', 'clicks-dev', 'clicks-prod', 'clicks-test']);
  synthesize(outdir, withStages({ Dev: [], Prod: ['clicks-prod'] }));
  expect(jobNames(outdir)).toEqual(['clicks', 'clicks-prod']);
});

test('two copies of the library in one app leave each other their jobs', () => {
  const app = newApp();
  withJobs('clicks')(app);
  const stack = new Stack(app, 'Other', { env: ENVIRONMENT });
  jest.isolateModules(() => {
    const other = require('../../lib') as typeof import('../../lib');
    expect(other.FlinkJob).not.toBe(FlinkJob);
    const columns = [other.Column.physical('line', other.DataType.STRING)];
    const stream = other.EventStream.external({
      streamArn: `arn:aws:kinesis:${ENVIRONMENT.region}:111122223333:stream/visits`,
      shardCount: 4,
    });
    const program = new other.SqlProgram();
    const source = program.addTable('visits', {
      connector: new other.KinesisSource({ stream, start: other.StartPosition.latest(), format: other.Format.raw() }),
      columns,
    });
    program.addInsert(program.addTable('printed', { connector: new other.PrintSink(), columns }), `SELECT line FROM ${source}`);
    new other.FlinkJob(stack, 'Job', {
      jobName: 'visits',
      program,
      flinkVersion: other.FlinkVersion.V2_2,
      target: other.DeploymentTarget.manifests({ namespace: 'streaming', clusterName: 'main' }),
      checkpointing: { storage: other.CheckpointStorage.location('s3://flink-state/visits') },
    });
  });
  expect(jobNames(app.synth().directory)).toEqual(['visits', 'clicks']);
});

test('a job in a nested stack', () => {
  const app = newApp();
  const stack = new Stack(app, 'Stack', { env: ENVIRONMENT });
  const target = DeploymentTarget.eks(eksCluster(stack), { namespace: 'streaming' });
  job(new NestedStack(stack, 'Nested'), { target }, 'clicks');
  expect(jobNames(app.synth().directory)).toEqual(['clicks']);
});

/** The CDK of the least version writes a file for the metadata of a stack; others write it into the manifest. */
test.each(['file', 'manifest'])('jobs are named by the metadata of a stack in a %s', (place) => {
  const app = newApp();
  withJobs('clicks')(app);
  const { directory } = app.synth();
  const path = join(directory, 'manifest.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  const { additionalMetadataFile, metadata, ...artifact } = manifest.artifacts.Stack;
  const inFile = additionalMetadataFile === undefined ? {} : JSON.parse(readFileSync(join(directory, additionalMetadataFile), 'utf8'));
  const all = { ...metadata, ...inFile };
  writeFileSync(join(directory, 'mine.json'), JSON.stringify(all));
  manifest.artifacts.Stack = { ...artifact, ...(place === 'file' ? { additionalMetadataFile: 'mine.json' } : { metadata: all }) };
  writeFileSync(path, JSON.stringify(manifest));
  expect(pipelineDirectories(directory)).toEqual([join(directory, 'Stack.clicks')]);
});
