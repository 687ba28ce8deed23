import { FlinkImage } from '../../lib/application/flink-image';
import { FlinkVersion } from '../../lib/application/flink-version';
import { missingFrom, pipelineImage } from '../../lib/application/pipeline-image';
import { CustomConnector, type CustomConnectorProps } from '../../lib/connectors/custom-connector';
import { Format, MalformedRecords } from '../../lib/connectors/format';
import { JarProgram } from '../../lib/connectors/jar-program';
import { JdbcSink } from '../../lib/connectors/jdbc-sink';
import { Artifact } from '../../lib/sql/artifact';
import { Column } from '../../lib/sql/column';
import type { IConnector } from '../../lib/sql/connector';
import { Changes, TableRole } from '../../lib/sql/connector';
import { DataType } from '../../lib/sql/data-type';
import type { Program } from '../../lib/sql/program';
import { SqlProgram } from '../../lib/sql/sql-program';

const columns = [Column.physical('id', DataType.STRING)];
const GENERATED = FlinkImage.generated();

function custom(changed: Partial<CustomConnectorProps>): CustomConnector {
  return new CustomConnector({
    identifier: 'clickhouse',
    role: TableRole.SINK,
    options: { url: 'u' },
    changes: Changes.INSERT_ONLY,
    ...changed,
  });
}

function program(...connectors: IConnector[]): SqlProgram {
  const created = new SqlProgram();
  const source = created.addTable('source', { connector: custom({ identifier: 'datagen', role: TableRole.SOURCE, options: {} }), columns });
  connectors.forEach((connector, index) => {
    created.addInsert(created.addTable(`sink${index}`, { connector, columns }), `SELECT id FROM ${source}`);
  });
  return created;
}

function image(of: Program, chosen: FlinkImage): void {
  pipelineImage(chosen, { flinkVersion: FlinkVersion.V2_2, artifacts: [], fileSystems: [], missing: missingFrom(of) });
}

test.each([
  [custom({}), "connector 'clickhouse' is not part of Flink"],
  [custom({ identifier: 'kafak' }), "connector 'kafak' is not part of Flink; did you mean 'kafka'?"],
  [custom({ identifier: 'blackhol' }), "did you mean 'blackhole'?"],
  [
    custom({ identifier: 'jdbc', options: { url: 'jdbc:mysql://h/x', 'table-name': 't' } }),
    "connector 'jdbc' is not part of Flink; its jar: Artifact.released('org.apache.flink:flink-connector-jdbc-core')",
  ],
  [custom({ format: Format.avro() }), "connector 'clickhouse' is not part of Flink"],
  [
    custom({ identifier: 'filesystem', options: { path: 's3a://b/p', format: 'parquet' } }),
    "format 'parquet' is not part of Flink's distribution; its jar: Artifact.released('org.apache.flink:flink-sql-parquet')",
  ],
  [
    custom({
      identifier: 'kafka',
      options: { topic: 't', 'properties.bootstrap.servers': 'b:9092', 'value.format': 'avro' },
      artifacts: [Artifact.released('org.apache.flink:flink-sql-connector-kafka')],
    }),
    "format 'avro' is not part of",
  ],
])('an image of the library would lack the jar %#', (connector, message) => {
  const needy = program(connector);
  expect(() => image(needy, GENERATED)).toThrow('give artifacts, a baseImage that holds it (FlinkImage.generated), or FlinkImage.named:');
  expect(() => image(needy, GENERATED)).toThrow(`table 'sink0': ${message.startsWith('did') ? 'connector' : message}`);
  expect(() => image(needy, GENERATED)).toThrow(message);
  expect(() => image(needy, FlinkImage.generated({ baseImage: 'team/flink:1' }))).not.toThrow();
  expect(() => image(needy, FlinkImage.named('team/flink:1'))).not.toThrow();
});

test.each([
  ['artifacts', [custom({ artifacts: [Artifact.file('jars/clickhouse.jar')] })]],
  ['a jar of another table', [custom({}), custom({ artifacts: [Artifact.file('jars/clickhouse.jar')] })]],
  [
    'a jar of a typed connector',
    [
      custom({ identifier: 'jdbc', options: { url: 'jdbc:mysql://h/x', 'table-name': 't' } }),
      new JdbcSink({ url: 'jdbc:mysql://h/x', tableName: 't' }),
    ],
  ],
  ['the distribution', [custom({ identifier: 'print', options: {} }), custom({ identifier: 'blackhole', options: {} })]],
  ['the distribution, its formats too', [custom({ identifier: 'filesystem', options: { path: 's3a://b/p', format: 'csv' } })]],
  [
    'a jar of your own, which may hold the format',
    [custom({ identifier: 'filesystem', options: { path: 's3a://b/p', format: 'orc' }, artifacts: [Artifact.file('jars/all.jar')] })],
  ],
  ['a typed format', [custom({ artifacts: [Artifact.file('a.jar')], format: Format.json({ malformedRecords: MalformedRecords.FAIL }) })]],
])('nothing is missing with %s', (_, connectors) => {
  expect(missingFrom(program(...connectors))).toEqual([]);
});

describe('a jar program', () => {
  test('whose jar would not be in the image', () => {
    const jar = new JarProgram({ jarUri: 'local:///opt/flink/usrlib/sessions.jar' });
    expect(() => image(jar, GENERATED)).toThrow("jarUri 'local:///opt/flink/usrlib/sessions.jar': give the jar as jarFile");
    expect(() => image(jar, FlinkImage.generated({ baseImage: 'team/flink:1' }))).not.toThrow();
    expect(() => image(jar, FlinkImage.named('team/flink:1'))).not.toThrow();
  });

  test.each([
    new JarProgram({ jarFile: 'build/sessions.jar' }),
    new JarProgram({ jarUri: 'local:///opt/flink/examples/streaming/StateMachineExample.jar' }),
    new JarProgram({ jarUri: 'local:///opt/flink/lib/sessions.jar', artifacts: [Artifact.file('build/sessions.jar')] }),
    new JarProgram({ jarUri: '${Token[TOKEN.1]}' }),
  ])('whose jar is, or may be %#', (jar) => {
    expect(missingFrom(jar)).toEqual([]);
  });
});
