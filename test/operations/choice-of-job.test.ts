import { Stack, Stage } from 'aws-cdk-lib';
import { readFileSync, writeFileSync } from 'fs';
import { join } from 'path';
import { JarProgram } from '../../lib';
import { newApp } from '../fixtures/assembly';
import { command } from '../fixtures/command';
import { copies } from '../fixtures/operations';
import { ENVIRONMENT, job } from '../fixtures/stacks';

/** What a command says when it fails. */
function failure(...args: string[]): string {
  const { code, out, error } = command('sql', ...args);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  return error;
}

test('a job that is a JAR has no SQL; the jobs that have are named', () => {
  const app = newApp();
  const program = () => new JarProgram({ jarUri: 'local:///opt/flink/usrlib/jobs.jar' });
  job(new Stack(app, 'Jar', { env: ENVIRONMENT }), { jobName: 'jar', program: program(), parallelism: 1 });
  expect(failure('reconcile', app.synth().directory)).toMatch(/holds no SQL program: none of its stacks names a job that has one/);

  const both = newApp();
  job(new Stack(both, 'Jar', { env: ENVIRONMENT }), { jobName: 'jar', program: program(), parallelism: 1 });
  job(new Stack(both, 'Sql', { env: ENVIRONMENT }), { program: copies() });
  const { directory } = both.synth();
  expect(failure('load', directory, '--job', 'jar')).toMatch(/the assembly holds no SQL job 'jar'; there are clicks \(Sql.clicks\)/);
  expect(failure('smoke', directory, '--job', 'click')).toMatch(/the assembly holds no SQL job 'click'; there are clicks \(Sql.clicks\)/);
  expect(command('sql', 'reconcile', directory, '--job', 'Sql.clicks').code).toBe(0);
});

test('jobs of stages are found; one of two that have a name is told by its directory', () => {
  const app = newApp();
  for (const stage of ['Test', 'Prod']) {
    job(new Stack(new Stage(app, stage, { env: ENVIRONMENT }), 'Sql'), { program: copies() });
  }
  const { directory } = app.synth();
  const error = failure('reconcile', directory, '--job', 'clicks');
  expect(error).toMatch(/several SQL jobs are called 'clicks': give the directory in brackets/);
  const [, first] = /\((\S+clicks)\)/.exec(error)!;
  expect(command('sql', 'reconcile', directory, '--job', first!)).toMatchObject({ code: 0, error: '' });
});

test('a job whose sinks cannot be read back, or that reads no topic of changes, is told what it has', () => {
  const app = newApp();
  job(new Stack(app, 'Sql', { env: ENVIRONMENT }));
  const { directory } = app.synth();
  expect(failure('reconcile', directory)).toMatch(
    /job 'clicks' has no sink that can be read back: \S+; readable are kafka, upsert-kafka, jdbc/,
  );
  expect(failure('smoke', directory)).toMatch(/job 'clicks' has no source that is one Kafka topic of changes \(debezium-json\)/);
  expect(failure('load', directory)).toMatch(/no query takes a field out of 'line' of table/);
});

test('an assembly of another version of the library is refused', () => {
  const app = newApp();
  job(new Stack(app, 'Sql', { env: ENVIRONMENT }), { program: copies() });
  const { directory } = app.synth();
  const path = join(directory, 'Sql.clicks', 'pipeline.json');
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), version: 1 }));
  expect(failure('reconcile', directory)).toMatch(
    /has version 1, this command reads version 2: run 'cdk synth' and this command with the same/,
  );
});

test('a value that begins with a hyphen is told apart from an option', () => {
  const { code, error } = command('sql', 'smoke', '--key-value', '-5');
  expect(code).toBe(2);
  expect(error).toMatch(/'--key-value' argument is ambiguous: write --key-value=VALUE where the value begins with a hyphen;/);
});
