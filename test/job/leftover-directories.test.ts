import { type App, Stack, Stage } from 'aws-cdk-lib';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'fs';
import { join } from 'path';
import { DeploymentTarget } from '../../lib';
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
  (app: App | Stage) => {
    const stack = new Stack(app, 'Stack', { env: ENVIRONMENT });
    const target = DeploymentTarget.eks(eksCluster(stack), { namespace: 'streaming' });
    for (const jobName of jobNames) {
      job(stack, { jobName, target }, jobName);
    }
  };

const jobNames = (outdir: string) => findPrograms(outdir).map(({ jobName }) => jobName);

test('a job that was renamed or removed leaves nothing in the assembly', () => {
  const { outdir } = newApp();
  synthesize(outdir, withJobs('clicks', 'visits'));
  expect(jobNames(outdir)).toEqual(['clicks', 'visits']);
  synthesize(outdir, withJobs('views'));
  expect(jobNames(outdir)).toEqual(['views']);
  expect(readdirSync(outdir).filter((name) => name.startsWith('Stack.'))).not.toContain('Stack.clicks');
});

test('what others have put there stays', () => {
  const { outdir } = newApp();
  mkdirSync(join(outdir, 'mine'), { recursive: true });
  writeFileSync(join(outdir, 'mine', 'pipeline.json'), '{ "stages": [] }');
  synthesize(outdir, withJobs('clicks'));
  expect(existsSync(join(outdir, 'mine', 'pipeline.json'))).toBe(true);
});

test('a stage that is gone is read no more, the jobs of others stay', () => {
  const { outdir } = newApp();
  const withStages =
    (...stages: string[]) =>
    (app: App) => {
      withJobs('clicks')(app);
      for (const name of stages) {
        withJobs(`clicks-${name.toLowerCase()}`)(new Stage(app, name));
      }
    };
  synthesize(outdir, withStages('Dev', 'Prod'));
  expect(jobNames(outdir)).toEqual(['clicks', 'clicks-dev', 'clicks-prod']);
  synthesize(outdir, withStages('Prod'));
  expect(jobNames(outdir)).toEqual(['clicks', 'clicks-prod']);
});
