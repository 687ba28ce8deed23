import { execFileSync, spawnSync } from 'child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'fs';
import { homedir, tmpdir } from 'os';
import { delimiter, dirname, join } from 'path';
import { FlinkImage } from '../../lib/application/flink-image';
import { FlinkVersion } from '../../lib/application/flink-version';
import { writeImageContext } from '../../lib/application/image-context';
import { imageSpec } from '../../lib/application/pipeline-image';
import { findJava } from '../../lib/planner/java-home';
import { Artifact } from '../../lib/sql/artifact';

// The build of an image mends the SQL jars of the AWS connectors. Here real Maven does what the build context says, to small jars under
// their coordinates which ail as the released ones do.

const VERSION = '6.0.1-2.0';
const KINESIS = 'flink-sql-connector-aws-kinesis-streams';
const DYNAMODB = 'flink-sql-connector-dynamodb';
const INTERCEPTORS = 'org/apache/flink/connector/dynamodb/shaded/software/amazon/awssdk/services/dynamodb/execution.interceptors';
const MANIFEST = 'META-INF/MANIFEST.MF';
const EVENT_STREAM = 'org.apache.flink.connector.kinesis.sink.shaded.software.amazon.eventstream';

const work = mkdtempSync(join(tmpdir(), 'mended-jars-'));
const repository = join(work, 'repository');
const context = join(work, 'context');
const { directory: javaHome } = findJava();

afterAll(() => rmSync(work, { recursive: true, force: true }));

/** Runs a tool of the JDK. */
function jdk(tool: string, args: string[], cwd = work): void {
  execFileSync(join(javaHome, 'bin', tool), args, { cwd, stdio: 'pipe' });
}

function writeFiles(directory: string, files: { [path: string]: string }): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  return directory;
}

function compile(classes: string, sources: { [path: string]: string }, ...classPath: string[]): void {
  const directory = writeFiles(join(work, 'sources', classes), sources);
  jdk('javac', [
    '-d',
    join(work, classes),
    '-cp',
    classPath.join(delimiter) || '.',
    ...Object.keys(sources).map((path) => join(directory, path)),
  ]);
}

/** Puts a jar into the repository. */
function release(artifactId: string, classes: string, manifest: string): string {
  const name = `${artifactId}-${VERSION}`;
  const directory = writeFiles(join(repository, 'org/apache/flink', artifactId, VERSION), {
    [`${name}.pom`]:
      '<project><modelVersion>4.0.0</modelVersion><groupId>org.apache.flink</groupId>' +
      `<artifactId>${artifactId}</artifactId><version>${VERSION}</version></project>`,
    'manifest.txt': manifest,
  });
  jdk('jar', ['cfm', `${name}.jar`, 'manifest.txt', '-C', join(work, classes), '.'], directory);
  return join(directory, `${name}.jar`);
}

/** The local repository as it is, but for a group that the test has its own jars of: nothing of the test goes into the real one. */
function linkRepository(from: string, to: string, own: string[]): void {
  mkdirSync(to, { recursive: true });
  for (const name of existsSync(from) ? readdirSync(from) : []) {
    if (name !== own[0]) {
      symlinkSync(join(from, name), join(to, name));
    } else if (own.length > 1) {
      linkRepository(join(from, name), join(to, name), own.slice(1));
    }
  }
}

/** A class of the AWS base as one connector was built with it: it has a method that the other's lacks. */
const base = (method: string) =>
  `package org.apache.flink.connector.aws.util; public class AWSGeneralUtil { public static String ${method}() { return "${method}"; } }`;

const caller = (of: string, method: string, also = '') =>
  `package ${of}; public class Sink { public static String run() { ${also} ` +
  `return org.apache.flink.connector.aws.util.AWSGeneralUtil.${method}(); } }`;

/** Says what comes of each sink with the class path that it is run with. */
const SINKS = `public class Sinks {
  public static void main(String[] names) {
    for (String name : names) {
      try {
        System.out.println(Class.forName(name).getMethod("run").invoke(null));
      } catch (ReflectiveOperationException thrown) {
        System.out.println(thrown.getCause());
      }
    }
  }
}`;

function runSinks(jars: string[]): string[] {
  const args = ['-cp', [join(work, 'sinks'), ...jars].join(delimiter), 'Sinks', 'kinesis.Sink', 'dynamodb.Sink'];
  return execFileSync(join(javaHome, 'bin', 'java'), args, { encoding: 'utf8' })
    .trim()
    .split('\n');
}

/** The files of a jar by their paths. */
function filesOf(jar: string): { [path: string]: string } {
  const directory = mkdtempSync(join(work, 'jar-'));
  jdk('jar', ['xf', jar], directory);
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(paths.map((path) => [path.slice(directory.length + 1), readFileSync(path, 'utf8')]));
}

const released: { [artifactId: string]: string } = {};
const mended = (artifactId: string) => join(context, 'connectors/target/dependency', `${artifactId}-${VERSION}.jar`);

beforeAll(() => {
  compile('decoder', { 'MessageDecoder.java': `package ${EVENT_STREAM}; public class MessageDecoder {}` });
  const decoder = `new ${EVENT_STREAM}.MessageDecoder();`;
  compile(
    'kinesis',
    { 'AWSGeneralUtil.java': base('forKinesis'), 'Sink.java': caller('kinesis', 'forKinesis', decoder) },
    join(work, 'decoder'),
  );
  compile('dynamodb', { 'AWSGeneralUtil.java': base('forDynamoDb'), 'Sink.java': caller('dynamodb', 'forDynamoDb') });
  compile('sinks', { 'Sinks.java': SINKS });
  // Takes the place of the first for every Java that the job may run on, where the manifest says that there are such classes.
  compile('later', { 'Sink.java': caller('dynamodb', 'forDynamoDb').replace('return ', 'return "later " + ') }, join(work, 'dynamodb'));
  writeFiles(join(work, 'dynamodb'), {
    [INTERCEPTORS]: '# A licence\norg.apache.flink.connector.dynamodb.Interceptor\n',
    'META-INF/services/Factory': 'dynamodb.Sink',
  });
  mkdirSync(join(work, 'dynamodb/META-INF/versions/11'), { recursive: true });
  execFileSync('cp', ['-r', join(work, 'later', 'dynamodb'), join(work, 'dynamodb/META-INF/versions/11')]);

  linkRepository(join(homedir(), '.m2/repository'), repository, ['org', 'apache', 'flink']);
  released[KINESIS] = release(KINESIS, 'kinesis', 'Implementation-Title: kinesis\n');
  released[DYNAMODB] = release(DYNAMODB, 'dynamodb', 'Implementation-Title: dynamodb\nMulti-Release: true\n');

  const artifacts = [KINESIS, DYNAMODB].map((artifactId) => Artifact.released(`org.apache.flink:${artifactId}`));
  writeImageContext(context, imageSpec(FlinkImage.generated(), { flinkVersion: FlinkVersion.V2_2, artifacts, fileSystems: [] }));
  const [, ...args] = /^RUN (mvn .*connectors\/pom\.xml.*)$/m.exec(readFileSync(join(context, 'Dockerfile'), 'utf8'))![1]!.split(' ');
  const { status, stdout } = spawnSync('mvn', [...args, `-Dmaven.repo.local=${repository}`], {
    cwd: context,
    encoding: 'utf8',
    env: { ...process.env, JAVA_HOME: javaHome },
  });
  expect(status === 0 ? '' : stdout).toBe('');
}, 300_000);

test('as they are released, the jars break each other, and one lacks a class', () => {
  expect(runSinks([released[KINESIS]!, released[DYNAMODB]!])).toEqual([
    expect.stringMatching(/^java\.lang\.NoClassDefFoundError: .*eventstream.MessageDecoder$/),
    expect.stringMatching(/^java\.lang\.NoSuchMethodError: .*AWSGeneralUtil.forDynamoDb/),
  ]);
});

test('as the build mends them, both work in one JVM, in either order', () => {
  const jars = [mended(KINESIS), mended(DYNAMODB)];
  expect(runSinks(jars)).toEqual(['forKinesis', 'later forDynamoDb']);
  expect(runSinks(jars.reverse())).toEqual(['forKinesis', 'later forDynamoDb']);
});

test('a mended jar keeps its manifest and all else of its own', () => {
  for (const artifactId of [KINESIS, DYNAMODB]) {
    const before = filesOf(released[artifactId]!);
    const after = filesOf(mended(artifactId));
    expect(after[MANIFEST]).toBe(before[MANIFEST]);
    const kept = Object.keys(before).filter((path) => !path.includes('flink/connector/aws/') && path !== INTERCEPTORS);
    expect(Object.keys(after)).toEqual(expect.arrayContaining(kept));
    const added = Object.keys(after).filter((path) => !kept.includes(path) && !path.includes('/eventstream/'));
    expect(added).toEqual([`shaded/${artifactId.replaceAll('-', '_')}/org/apache/flink/connector/aws/util/AWSGeneralUtil.class`]);
  }
});

test('the image gets the mended jars, and no other', () => {
  const names = [KINESIS, DYNAMODB].map((artifactId) => `${artifactId}-${VERSION}.jar`);
  expect(readdirSync(join(context, 'connectors/target/dependency')).sort()).toEqual(names.sort());
});
