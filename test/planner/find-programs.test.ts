import type { App } from 'aws-cdk-lib';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { JOB_METADATA } from '../../lib/application/pipeline-directories';
import { PIPELINE_VERSION } from '../../lib/application/pipeline-file';
import { findPrograms } from '../../lib/planner/find-programs';
import { newApp } from '../fixtures/assembly';
import { job, newStack } from '../fixtures/stacks';

test('the programs of an assembly, with what bears on a plan and nothing else', () => {
  const stack = newStack();
  job(stack);
  const [program, ...others] = findPrograms((stack.node.root as App).synth().directory);
  expect(others).toEqual([]);
  expect(program).toMatchObject({ directoryName: 'Stack.clicks', jobName: 'clicks', constructPath: 'Stack/Job', flinkVersion: '2.2.1' });
  expect(program!.script).toContain('INSERT INTO `printed`');
  expect(program!.configuration).toEqual({ 'parallelism.default': '4', 'pipeline.max-parallelism': '720' });
  expect(program!.coordinates).toContainEqual(expect.stringContaining('flink-sql-connector-aws-kinesis-streams'));
});

test('an assembly without jobs has none, and what is no assembly is refused', () => {
  expect(findPrograms(newApp().synth().directory)).toEqual([]);
  expect(() => findPrograms(tmpdir())).toThrow("run 'cdk synth' first");
});

test('a job of a JAR has no program, and another version is refused', () => {
  const directory = mkdtempSync(join(tmpdir(), 'programs-'));
  const write = (pipeline: object) => writeFileSync(join(directory, 'Stack.jar/pipeline.json'), JSON.stringify(pipeline));
  mkdirSync(join(directory, 'Stack.jar'));
  const metadata = { '/Stack/Job': [{ type: JOB_METADATA, data: 'Stack.jar' }] };
  writeFileSync(join(directory, 'manifest.json'), JSON.stringify({ artifacts: { Stack: { type: 'aws:cloudformation:stack', metadata } } }));
  write({ version: PIPELINE_VERSION, jobName: 'jar', image: { coordinates: [], files: [] }, flinkConfiguration: {} });
  expect(findPrograms(directory)).toEqual([]);
  write({ version: 1 });
  expect(() => findPrograms(directory)).toThrow('has version 1, this command reads version 2');
  rmSync(directory, { recursive: true });
});
