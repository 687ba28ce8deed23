import { Token } from 'aws-cdk-lib';
import { Artifact, FlinkImage, FlinkJobMonitoring, FlinkOperatorVersion, FlinkVersion } from '../../lib';
import { imageSpec } from '../../lib/application/pipeline-image';
import { application, programOf, sink, stream } from '../fixtures/programs';
import { job, manifest, newStack } from '../fixtures/stacks';
import { objects } from './job-fixtures';

const FACTORY = 'org.apache.flink.metrics.prometheus.PrometheusReporterFactory';

describe('F2-02 jars built for Flink 1', () => {
  const image = (artifact: Artifact) => {
    const program = programOf({ events: stream('clicks', 4), printed: sink({}, {}, { artifacts: [artifact] }) });
    const created = application({ program, image: FlinkImage.generated() });
    return imageSpec(created.image, created._imageNeeds());
  };

  test.each([
    Artifact.maven('org.apache.flink:flink-connector-jdbc:3.3.0-1.20'),
    Artifact.maven('org.apache.flink:flink-sql-connector-mongodb:2.0.0-1.20'),
    Artifact.file('jars/flink-sql-connector-mongodb-2.0.0-1.20.jar'),
  ])('$coordinate $path is refused', (artifact) => {
    expect(() => image(artifact)).toThrow(/is built for Flink 1\.20 and cannot run on Flink 2\.2/);
  });

  test('a connector whose last release is for Flink 1 says so', () => {
    expect(() => image(Artifact.released('org.apache.flink:flink-sql-connector-mongodb'))).toThrow(
      'the last release, 2.0.0, is built for Flink 1.20 and fails on Flink 2',
    );
  });

  test.each([
    Artifact.maven('org.apache.flink:flink-connector-jdbc-core:4.1.0-2.2'),
    Artifact.maven('org.apache.flink:flink-sql-connector-dynamodb:6.0.1-2.0'),
    Artifact.maven('com.example:functions:1.20'),
  ])('$coordinate passes', (artifact) => {
    expect(() => image(artifact)).not.toThrow();
  });
});

describe('F2-03 the Prometheus reporter', () => {
  test('named by its class is refused, with the key to use', () => {
    expect(() =>
      application({ flinkConfiguration: { 'metrics.reporter.prom.class': 'org.apache.flink.metrics.prometheus.PrometheusReporter' } }),
    ).toThrow("'metrics.reporter.prom.class' is ignored by Flink 2: name the factory in 'metrics.reporter.prom.factory.class'");
  });

  test('stands under its factory where the job is monitored', () => {
    const stack = newStack();
    new FlinkJobMonitoring(stack, 'Monitoring', { job: job(stack) });
    const { flinkConfiguration } = manifest(stack, 'FlinkDeployment').objects[0]!.spec;
    expect(Object.keys(flinkConfiguration).filter((key) => key.startsWith('metrics.reporter.'))).toEqual([
      'metrics.reporter.prom.factory.class',
      'metrics.reporter.prom.port',
    ]);
    expect(flinkConfiguration['metrics.reporter.prom.factory.class']).toBe(FACTORY);
  });

  test.each([FACTORY, Token.asString({ Ref: 'Factory' })])('named by its factory passes', (factory) => {
    const flinkConfiguration = { 'metrics.reporter.prom.factory.class': factory };
    expect(application({ flinkConfiguration }).flinkConfiguration).toMatchObject(flinkConfiguration);
  });
});

describe('F2-04 Flink 2.2 needs operator 1.13', () => {
  test.each(['1.12', '1.12.1', '1.2'])('%s is refused', (version) => {
    expect(() => FlinkOperatorVersion.of(version)).toThrow(`operatorVersion must be 1.13 or later, got '${version}'`);
  });

  test.each(['1.13', '1.13.0', '1.15.0'])('%s passes', (version) => {
    const { spec } = objects({ operatorVersion: FlinkOperatorVersion.of(version), flinkVersion: FlinkVersion.V2_2 }).FlinkDeployment;
    expect(spec.flinkVersion).toBe('v2_2');
  });
});

describe('F2-05 Flink 2 reads no flink-conf.yaml', () => {
  test('a file as a key is refused', () => {
    expect(() => application({ flinkConfiguration: { 'flink-conf.yaml': 'a: b' } })).toThrow(
      "'flink-conf.yaml' is a file: give its entries one by one",
    );
  });

  test.each(['/opt/flink/conf', '/opt/flink/conf/flink-conf.yaml', '/opt/flink'])('a mount at %s is refused', (mountPath) => {
    expect(() => application({ pod: { secretMounts: [{ secretName: 'conf', mountPath }] } })).toThrow(
      "mountPath of pod.secretMounts must be an absolute path that is not one of Flink's own directories",
    );
  });

  test('another mount passes, and a text that is no YAML goes on as it is', () => {
    const mount = { secretName: Token.asString({ Ref: 'Secret' }), mountPath: '/opt/flink/certificates' };
    expect(() => application({ pod: { secretMounts: [mount] } })).not.toThrow();
    const flinkConfiguration = { 'env.java.opts.all': '-Da=b: c: d', 'metrics.scope.jm': '*' };
    const { spec } = objects({ flinkConfiguration }).FlinkDeployment;
    expect(spec.flinkConfiguration).toMatchObject(flinkConfiguration);
    expect(spec.logConfiguration).toBeUndefined();
  });
});
