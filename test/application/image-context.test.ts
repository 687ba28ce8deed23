import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { FlinkArchitecture } from '../../lib/application/flink-architecture';
import { FlinkImage } from '../../lib/application/flink-image';
import { FlinkVersion } from '../../lib/application/flink-version';
import {
  builtInPlugins,
  imageContext,
  LOOKUP_JAR_PATH,
  RUNNER_CLASS,
  RUNNER_JAR_PATH,
  SCRIPT_PATH,
  writeImageContext,
} from '../../lib/application/image-context';
import { type ImageNeeds, imageSpec, imageSpecOf, pipelineImage } from '../../lib/application/pipeline-image';
import { Artifact } from '../../lib/sql/artifact';

const KAFKA = Artifact.released('org.apache.flink:flink-sql-connector-kafka');
const MSK_IAM = Artifact.released('software.amazon.msk:aws-msk-iam-auth');
const KINESIS = Artifact.released('org.apache.flink:flink-sql-connector-aws-kinesis-streams');
const FIREHOSE = Artifact.released('org.apache.flink:flink-sql-connector-aws-kinesis-firehose');
const DYNAMODB = Artifact.released('org.apache.flink:flink-sql-connector-dynamodb');
const MONGODB = Artifact.released('org.apache.flink:flink-sql-connector-mongodb');
const RUNTIME = join(__dirname, '..', '..', 'runtime');

const needs = (props: Partial<ImageNeeds> = {}): ImageNeeds => ({
  flinkVersion: FlinkVersion.V2_2,
  artifacts: [],
  fileSystems: [],
  ...props,
});
const contextOf = (props: Partial<ImageNeeds> = {}, image = FlinkImage.generated()) => imageContext(imageSpec(image, needs(props)));
const textOf = (context: ReturnType<typeof contextOf>, path: string): string => {
  const file = context[path];
  return 'content' in file ? file.content : readFileSync(file.copyOf, 'utf8');
};

let directory: string;
let functions: string;
let program: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'image-'));
  functions = join(directory, 'functions.jar');
  program = join(directory, 'program.jar');
  writeFileSync(functions, 'functions');
  writeFileSync(program, 'program');
});
afterEach(() => rmSync(directory, { recursive: true }));

describe('build context', () => {
  test('of a job with connectors, a file system, jar files', () => {
    const context = contextOf({
      artifacts: [KAFKA, MSK_IAM, Artifact.file(functions)],
      fileSystems: ['s3-fs-presto', 's3-fs-hadoop', 's3-fs-hadoop'],
      programJar: program,
    });
    expect(textOf(context, 'Dockerfile')).toBe(
      [
        '# Written by cdk-flink-pipeline. Maven runs on the architecture of the builder: jars have none, and emulation is slow.',
        'FROM --platform=$BUILDPLATFORM maven:3.9-eclipse-temurin-17 AS jars',
        'WORKDIR /build',
        '# Our own jars change with the library, the connectors with the program: a layer each.',
        'COPY runtime/ runtime/',
        'RUN mvn -B -ntp -f runtime/sql-runner/pom.xml compile jar:jar',
        'RUN mvn -B -ntp -f runtime/dynamodb-lookup/pom.xml compile jar:jar shade:shade',
        'COPY connectors/ connectors/',
        'RUN mvn -B -ntp -f connectors/pom.xml dependency:copy-dependencies',
        '',
        '# Nothing runs in this stage, so that the image of another architecture needs no emulation.',
        'FROM flink:2.2.1-scala_2.12-java17',
        'ENV ENABLE_BUILT_IN_PLUGINS="flink-s3-fs-hadoop-2.2.1.jar;flink-s3-fs-presto-2.2.1.jar"',
        'COPY --from=jars --chown=9999:9999 /build/runtime/dynamodb-lookup/target/dynamodb-lookup.jar /opt/flink/lib/dynamodb-lookup.jar',
        'COPY --from=jars --chown=9999:9999 /build/connectors/target/dependency/ /opt/flink/lib/',
        'COPY --chown=9999:9999 files/ /opt/flink/lib/',
        'COPY --chown=9999:9999 program/ /opt/flink/usrlib/',
        'COPY --from=jars --chown=9999:9999 /build/runtime/sql-runner/target/sql-runner.jar /opt/flink/usrlib/sql-runner.jar',
        'USER 9999:9999',
        '',
      ].join('\n'),
    );
    const pom = textOf(context, 'connectors/pom.xml');
    expect(pom.match(/<artifactId>(?!\*|connectors|maven)[^<]*<\/artifactId>/g)).toEqual([
      '<artifactId>aws-msk-iam-auth</artifactId>',
      '<artifactId>flink-sql-connector-kafka</artifactId>',
      '<artifactId>zstd-jni</artifactId>',
    ]);
    expect(pom).toContain('<version>2.3.6</version>\n      <classifier>all</classifier>\n');
    expect(pom.match(/<groupId>\*<\/groupId>/g)).toHaveLength(3);
    expect(context['files/functions.jar']).toEqual({ copyOf: functions });
    expect(context['program/program.jar']).toEqual({ copyOf: program });
  });

  test('of a job that needs nothing has no empty steps', () => {
    const context = contextOf();
    const dockerfile = textOf(context, 'Dockerfile');
    expect(dockerfile).not.toMatch(/\b(connectors|files|program)\/|^ENV/m);
    expect(Object.keys(context).filter((path) => !path.startsWith('runtime/'))).toEqual(['.dockerignore', 'Dockerfile']);
  });

  test('the SQL jars of the AWS connectors are mended', () => {
    const context = contextOf({ artifacts: [KINESIS, FIREHOSE, DYNAMODB, KAFKA] });
    const jars = ['aws-kinesis-firehose', 'aws-kinesis-streams', 'dynamodb'].map((name) => `flink-sql-connector-${name}`);
    const shading = jars.map((jar) => `shade:shade@${jar}`).join(' ');
    expect(textOf(context, 'Dockerfile')).toContain(`connectors/pom.xml dependency:copy-dependencies jar:jar ${shading}\n`);
    const pom = textOf(context, 'connectors/pom.xml');
    expect(pom).toContain('<packaging>jar</packaging>');
    expect(pom).toContain('<excludeArtifactIds>eventstream</excludeArtifactIds>');
    expect(pom.match(/<artifactId>(?!\*|connectors|maven)[^<]*/g)).toContain('<artifactId>eventstream');
    const [firehose, streams, dynamodb] = pom
      .match(/<execution>[\s\S]*?<\/execution>/g)!
      .map((execution) => execution.match(/(?<=<(outputFile|include|exclude|pattern|shadedPattern)>)[^<]*/g));
    expect(firehose).toEqual([
      '${project.build.directory}/dependency/flink-sql-connector-aws-kinesis-firehose-6.0.1-2.0.jar',
      'org.apache.flink:flink-sql-connector-aws-kinesis-firehose',
      '**',
      'org.apache.flink.connector.aws',
      'shaded.flink_sql_connector_aws_kinesis_firehose.org.apache.flink.connector.aws',
    ]);
    expect(streams).toEqual([
      '${project.build.directory}/dependency/flink-sql-connector-aws-kinesis-streams-6.0.1-2.0.jar',
      'org.apache.flink:flink-sql-connector-aws-kinesis-streams',
      'software.amazon.eventstream:eventstream',
      '**',
      'org.apache.flink.connector.aws',
      'shaded.flink_sql_connector_aws_kinesis_streams.org.apache.flink.connector.aws',
      'software.amazon.eventstream',
      'org.apache.flink.connector.kinesis.sink.shaded.software.amazon.eventstream',
    ]);
    expect(dynamodb).toEqual([
      '${project.build.directory}/dependency/flink-sql-connector-dynamodb-6.0.1-2.0.jar',
      'org.apache.flink:flink-sql-connector-dynamodb',
      '**',
      'org/apache/flink/connector/dynamodb/shaded/software/amazon/awssdk/services/dynamodb/execution.interceptors',
      'org.apache.flink.connector.aws',
      'shaded.flink_sql_connector_dynamodb.org.apache.flink.connector.aws',
    ]);
  });

  test.each([
    ['6.0.0-2.0', true],
    ['6.0.1-2.0', true],
    ['6.0.10-2.0', false],
    ['6.1.0-2.2', false],
  ])('only releases that were seen to ail are mended: %s', (version, mended) => {
    const context = contextOf({ artifacts: [Artifact.maven(`org.apache.flink:flink-sql-connector-dynamodb:${version}`)] });
    expect(textOf(context, 'Dockerfile').includes('shade:shade@flink-sql-connector-dynamodb\n')).toBe(mended);
    expect(textOf(context, 'connectors/pom.xml').includes('maven-shade-plugin')).toBe(mended);
    expect(textOf(context, 'connectors/pom.xml')).toContain(`<version>${version}</version>`);
  });

  test('other jars, and a jar file of such a connector, stay as they are', () => {
    const own = join(directory, 'flink-sql-connector-dynamodb-6.0.1-2.0.jar');
    writeFileSync(own, 'dynamodb');
    const context = contextOf({ artifacts: [KAFKA, Artifact.file(own)] });
    expect(textOf(context, 'Dockerfile')).toContain('connectors/pom.xml dependency:copy-dependencies\n');
    expect(textOf(context, 'connectors/pom.xml')).not.toMatch(/shade|<packaging>jar|excludeArtifactIds/);
    expect(context['files/flink-sql-connector-dynamodb-6.0.1-2.0.jar']).toEqual({ copyOf: own });
  });

  test('starts from a base image that was given', () => {
    expect(textOf(contextOf({}, FlinkImage.generated({ baseImage: 'team/flink:7' })), 'Dockerfile')).toContain('\nFROM team/flink:7\n');
  });

  test('holds the sources of the runner and of the lookup, no tests and no build output', () => {
    const paths = Object.keys(contextOf()).filter((path) => path.startsWith('runtime/'));
    expect(paths).toContain('runtime/pom.xml');
    expect(paths).toContain('runtime/sql-runner/pom.xml');
    expect(paths).toContain(`runtime/sql-runner/src/main/java/${RUNNER_CLASS.replaceAll('.', '/')}.java`);
    expect(paths).toContain('runtime/dynamodb-lookup/pom.xml');
    expect(paths).toContain('runtime/dynamodb-lookup/src/main/resources/META-INF/services/org.apache.flink.table.factories.Factory');
    expect(paths.filter((path) => /\/(test|target)\//.test(path))).toEqual([]);
  });

  test('names the class and the paths that the runner has', () => {
    const pom = readFileSync(join(RUNTIME, 'sql-runner', 'pom.xml'), 'utf8');
    expect(pom).toContain(`<mainClass>${RUNNER_CLASS}</mainClass>`);
    expect(pom).toContain(`<finalName>${RUNNER_JAR_PATH.split('/').pop()!.replace('.jar', '')}</finalName>`);
    const source = readFileSync(join(RUNTIME, `sql-runner/src/main/java/${RUNNER_CLASS.replaceAll('.', '/')}.java`), 'utf8');
    expect(source).toContain(`"${SCRIPT_PATH}"`);
    const lookup = readFileSync(join(RUNTIME, 'dynamodb-lookup', 'pom.xml'), 'utf8');
    expect(lookup).toContain(`<finalName>${LOOKUP_JAR_PATH.split('/').pop()!.replace('.jar', '')}</finalName>`);
    expect(readFileSync(join(RUNTIME, 'pom.xml'), 'utf8')).toContain(`<flink.version>${FlinkVersion.V2_2.fullVersion}</flink.version>`);
  });

  test('does not depend on the order in which connectors are listed', () => {
    const jars = [KAFKA, MSK_IAM, Artifact.file(functions)];
    expect(contextOf({ artifacts: [...jars].reverse() })).toEqual(contextOf({ artifacts: jars }));
    expect(Object.keys(contextOf())).toEqual(Object.keys(contextOf()).sort());
  });

  test('is written whole, or not at all when a jar file is missing', () => {
    const target = join(directory, 'context');
    expect(() => writeImageContext(target, imageSpec(FlinkImage.generated(), needs({ artifacts: [Artifact.file('none.jar')] })))).toThrow(
      "jar file 'none.jar' does not exist; build it before the image",
    );
    expect(existsSync(target)).toBe(false);

    writeImageContext(target, imageSpec(FlinkImage.generated(), needs({ artifacts: [KAFKA, Artifact.file(functions)] })));
    expect(readdirSync(target).sort()).toEqual(['.dockerignore', 'Dockerfile', 'connectors', 'files', 'runtime']);
    expect(readFileSync(join(target, 'files/functions.jar'), 'utf8')).toBe('functions');
    expect(readFileSync(join(target, 'runtime/pom.xml'), 'utf8')).toBe(readFileSync(join(RUNTIME, 'pom.xml'), 'utf8'));
  });

  test('a plugin jar carries the patch version of Flink', () => {
    expect(builtInPlugins(['s3-fs-hadoop'], FlinkVersion.of('2.2.0'))).toBe('flink-s3-fs-hadoop-2.2.0.jar');
    expect(builtInPlugins([], FlinkVersion.V2_2)).toBe('');
  });
});

describe('image section of pipeline.json', () => {
  test('leads to the same build context on another machine', () => {
    const image = FlinkImage.generated({ architecture: FlinkArchitecture.ARM_64, baseImage: 'team/flink:7' });
    const given = needs({ artifacts: [KAFKA, Artifact.file(functions)], programJar: program, fileSystems: ['s3-fs-hadoop'] });
    const json = JSON.stringify(pipelineImage(image, given));
    expect(json).not.toContain(directory);
    expect(imageContext(imageSpecOf(JSON.parse(json), [program, functions]))).toEqual(imageContext(imageSpec(image, given)));
    expect(imageSpecOf(JSON.parse(json), [program, functions]).architecture).toBe('arm64');
  });

  test('of a named image says what the image must hold, releases or not, files read or not', () => {
    const image = FlinkImage.named('team/user-events:1');
    const section = pipelineImage(image, needs({ artifacts: [KAFKA, MONGODB, MONGODB, Artifact.file('elsewhere.jar')] }));
    expect(section).toMatchObject({
      name: 'team/user-events:1',
      coordinates: ['org.apache.flink:flink-sql-connector-kafka:5.0.0-2.2', 'com.github.luben:zstd-jni:1.5.6-10'],
      unreleased: ['org.apache.flink:flink-sql-connector-mongodb'],
      files: [{ fileName: 'elsewhere.jar' }],
    });
  });

  test('a connector without a release is an error where the library builds the image', () => {
    expect(() => pipelineImage(FlinkImage.generated(), needs({ artifacts: [MONGODB] }))).toThrow(
      'there is no release of org.apache.flink:flink-sql-connector-mongodb for Flink 2.2',
    );
    expect(() => pipelineImage(FlinkImage.generated(), needs({ artifacts: [Artifact.file('none.jar')] }))).toThrow(
      "jar file 'none.jar' does not exist",
    );
  });

  test('asks for each jar file and checks it', () => {
    const section = pipelineImage(FlinkImage.generated(), needs({ artifacts: [Artifact.file(functions)] }));
    expect(() => imageSpecOf(section, [])).toThrow("the image needs the jar file 'functions.jar': give its path with --jar");
    expect(() => imageSpecOf(section, [functions, program])).toThrow("pipeline.json asks for no jar 'program.jar'");
    writeFileSync(functions, 'other bytes');
    expect(() => imageSpecOf(section, [functions])).toThrow(
      /functions.jar' is not the one of the synth: its SHA-256 is [0-9a-f]{64}, pipeline.json says/,
    );
  });

  test('takes a build of a connector without a release by its name', () => {
    const section = pipelineImage(FlinkImage.named('team/user-events:1'), needs({ artifacts: [MONGODB] }));
    const build = join(directory, 'flink-sql-connector-mongodb-2.1-SNAPSHOT.jar');
    writeFileSync(build, 'mongodb');
    expect(imageContext(imageSpecOf(section, [build]))['files/flink-sql-connector-mongodb-2.1-SNAPSHOT.jar']).toEqual({ copyOf: build });
    expect(() => imageSpecOf(section, [])).toThrow('for Flink 2.2: the last release, 2.0.0, is built for Flink 1.20');
  });
});
