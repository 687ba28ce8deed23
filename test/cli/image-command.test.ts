import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { basename, dirname, join } from 'path';
import { FlinkArchitecture } from '../../lib/application/flink-architecture';
import { FlinkImage } from '../../lib/application/flink-image';
import { FlinkVersion } from '../../lib/application/flink-version';
import { JOB_METADATA } from '../../lib/application/pipeline-directories';
import { PIPELINE_VERSION } from '../../lib/application/pipeline-file';
import { pipelineImage } from '../../lib/application/pipeline-image';
import { Artifact } from '../../lib/sql/artifact';
import { command } from '../fixtures/command';

let directory: string;
let assembly: string;
let target: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'cli-'));
  assembly = join(directory, 'cdk.out');
  target = join(directory, 'image');
  write('manifest.json', '{}');
  write('Gone.job/pipeline.json', 'not for us');
});
afterEach(() => rmSync(directory, { recursive: true }));

function write(path: string, content: string): void {
  mkdirSync(dirname(join(assembly, path)), { recursive: true });
  writeFileSync(join(assembly, path), content);
}

/** A job that the manifest beside its directory names. */
function addJob(path: string, jobName: string, image: FlinkImage, artifacts: Artifact[]): void {
  name(dirname(path), basename(path));
  const section = pipelineImage(image, { flinkVersion: FlinkVersion.V2_2, artifacts, fileSystems: [] });
  write(`${path}/pipeline.json`, JSON.stringify({ version: PIPELINE_VERSION, jobName, image: section }));
}

function name(directory: string, job: string): void {
  const manifest = JSON.parse(readFileSync(join(assembly, directory, 'manifest.json'), 'utf8'));
  manifest.artifacts = {
    ...manifest.artifacts,
    [job]: { type: 'aws:cloudformation:stack', metadata: { '/': [{ type: JOB_METADATA, data: job }] } },
  };
  write(join(directory, 'manifest.json'), JSON.stringify(manifest));
}

const call = (...args: string[]) => command(...args);

const KAFKA = [Artifact.released('org.apache.flink:flink-sql-connector-kafka')];

test('writes the image of the only job and says how to build it', () => {
  addJob('Stack.order-items', 'order-items', FlinkImage.generated({ architecture: FlinkArchitecture.ARM_64 }), KAFKA);
  expect(call('image', target, assembly)).toEqual({
    code: 0,
    out: `wrote the image of job 'order-items'; build it with\n  docker build --platform linux/arm64 -t 'order-items:TAG' '${target}'\n`,
    error: '',
  });
  expect(readFileSync(join(target, 'connectors/pom.xml'), 'utf8')).toContain('<artifactId>flink-sql-connector-kafka</artifactId>');
});

test('writes the image that a job names, under its name, with jars of your own', () => {
  addJob('Stack.user-events', 'user-events', FlinkImage.named('team/user-events:7'), [
    Artifact.released('org.apache.flink:flink-sql-connector-mongodb'),
  ]);
  const failed = call('image', target, assembly);
  expect(failed.code).toBe(1);
  expect(failed.error).toContain('there is no release of org.apache.flink:flink-sql-connector-mongodb');

  expect(failed.error).toContain(
    "whose file name begins with 'flink-sql-connector-mongodb-'; wanted: 'flink-sql-connector-mongodb-….jar'; given: none",
  );

  const jar = join(directory, 'flink-sql-connector-mongodb-2.1.jar');
  writeFileSync(jar, '');
  expect(call('image', target, assembly, '--jar', jar).out).toContain("-t 'team/user-events:7'");
  expect(readdirSync(join(target, 'files'))).toEqual(['flink-sql-connector-mongodb-2.1.jar']);
});

describe('jars that do not fit', () => {
  const jar = (fileName: string) => {
    writeFileSync(join(directory, fileName), '');
    return join(directory, fileName);
  };

  beforeEach(() => {
    addJob('Stack.user-events', 'user-events', FlinkImage.named('team/user-events:7'), [
      Artifact.released('org.apache.flink:flink-sql-connector-mongodb'),
      Artifact.file('jars/functions.jar'),
    ]);
  });

  test('a file that is not there is told before anything else', () => {
    const { code, error } = call('image', target, assembly, '--jar', join(directory, 'nowhere.jar'), '--jar', jar('other.jar'));
    expect(code).toBe(1);
    expect(error).toContain(`there is no jar file '${join(directory, 'nowhere.jar')}': give --jar the path of a file`);
  });

  test('a wanted one that was not given', () => {
    expect(call('image', target, assembly, '--jar', jar('mongodb.jar')).error).toContain(
      "the image needs the jar file 'functions.jar': give its path with --jar; wanted: 'functions.jar', 'flink-sql-connector-mongodb-….jar'; given: 'mongodb.jar'",
    );
  });

  test('a given one that nothing wants', () => {
    const jars = ['functions.jar', 'flink-sql-connector-mongodb-2.1.jar', 'more.jar'].flatMap((name) => ['--jar', jar(name)]);
    expect(call('image', target, assembly, ...jars).error).toContain(
      "pipeline.json asks for no jar 'more.jar': a jar is found by its file name; wanted: 'functions.jar', 'flink-sql-connector-mongodb-….jar'; given:",
    );
  });

  test('a build for Flink 1', () => {
    const jars = ['functions.jar', 'flink-sql-connector-mongodb-2.0.0-1.20.jar'].flatMap((name) => ['--jar', jar(name)]);
    expect(call('image', target, assembly, ...jars).error).toContain('is built for Flink 1.20 and cannot run on Flink 2.2');
    expect(existsSync(target)).toBe(false);
  });
});

describe('several jobs', () => {
  beforeEach(() => {
    write('manifest.json', '{"artifacts":{"Prod":{"type":"cdk:cloud-assembly","properties":{"directoryName":"assembly-Prod"}}}}');
    write('assembly-Prod/manifest.json', '{}');
    write('assembly-Gone/manifest.json', '{}');
    addJob('Stack.one', 'one', FlinkImage.generated(), KAFKA);
    addJob('Stack.two', 'two', FlinkImage.generated(), []);
    addJob('assembly-Prod/Prod.two', 'two', FlinkImage.generated(), KAFKA);
    addJob('assembly-Gone/Gone.two', 'two', FlinkImage.generated(), KAFKA);
  });

  test('one has to be chosen', () => {
    const { code, error } = call('image', target, assembly);
    expect(code).toBe(1);
    expect(error).toBe(
      'cdk-flink-pipeline: the assembly holds several jobs: choose one with --job; there are one (Stack.one), two (Stack.two), two (Prod.two)\n',
    );
  });

  test('by its name, or by its directory where two share a name', () => {
    expect(call('image', target, assembly, '--job', 'one').code).toBe(0);
    expect(call('image', join(directory, 'b'), assembly, '--job', 'two').error).toContain("several jobs are called 'two'");
    expect(call('image', join(directory, 'b'), assembly, '--job', 'Prod.two').code).toBe(0);
    expect(readdirSync(join(directory, 'b'))).toContain('connectors');
    expect(call('image', join(directory, 'c'), assembly, '--job', 'three').error).toContain(
      "holds no job 'three'; there are one (Stack.one)",
    );
  });
});

test('refuses a directory that holds something', () => {
  addJob('Stack.one', 'one', FlinkImage.generated(), []);
  const { code, error } = call('image', assembly, assembly);
  expect(code).toBe(1);
  expect(error).toContain(`'${assembly}' is not empty`);
});

test('refuses what is no assembly, an assembly without jobs, and one of another version', () => {
  expect(call('image', target, directory).error).toContain("is no cloud assembly: it has no manifest.json; run 'cdk synth' first");
  expect(call('image', target, assembly).error).toContain('holds no Flink job');
  name('.', 'Stack.one');
  write('Stack.one/pipeline.json', '{"version":1,"jobName":"one","image":{}}');
  expect(call('image', target, assembly).error).toContain('has version 1, this command reads version 2');
});

test('a wrong call is told in one line on standard error, the usage by --help on standard output', () => {
  for (const [args, message] of [
    [[], 'no command given'],
    [['build'], "there is no command 'build'"],
    [['image'], 'no directory given to write into'],
    [['image', 'a', 'b', 'c'], "too many arguments: 'c'"],
    [['plan', '--job', 'x'], "'plan' has no option --job"],
    [['lock', '--chek'], "Unknown option '--chek'"],
    [['sql', 'smoke', '--nope'], "Unknown option '--nope'"],
    [['image', 'a', '--job', '--json'], "Option '--job' argument is ambiguous: write --job=VALUE where the value begins with a hyphen"],
    [['image', 'a', '--job'], "Option '--job <value>' argument missing"],
  ] as [string[], string][]) {
    expect(call(...args)).toEqual({ code: 2, out: '', error: `cdk-flink-pipeline: ${message}; see 'cdk-flink-pipeline --help'\n` });
  }
  const help = call('--help');
  expect([help.code, help.error]).toEqual([0, '']);
  expect(help.out).toContain('usage: cdk-flink-pipeline image DIR');
  expect(help.out).toContain('--job NAME');
});
