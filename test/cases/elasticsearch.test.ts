import { Duration, Size } from 'aws-cdk-lib';
import {
  Artifact,
  BackOff,
  Changes,
  Column,
  Credentials,
  CustomConnector,
  DataType,
  ElasticsearchSink,
  type ElasticsearchSinkProps,
  FlinkImage,
  SecretRef,
  TableRole,
} from '../../lib';
import { imageSpec } from '../../lib/application/pipeline-image';
import { application, sink as plainSink, programOf, stream } from '../fixtures/programs';
import { bind, into, mirrored, refused, shownAfter, TOKEN, warned } from './findings';

const KEYED = { primaryKey: ['id'] };

function sink(changed: Partial<ElasticsearchSinkProps> = {}): ElasticsearchSink {
  return new ElasticsearchSink({ hosts: ['http://es:9200'], index: 'clicks', ...changed });
}

/** A table of another connector, with its options as they stand in SQL. */
function other(identifier: string, options: { [option: string]: string }): () => unknown {
  const given = { hosts: 'http://es:9200', index: 'clicks', ...options };
  return () => bind(new CustomConnector({ identifier, role: TableRole.SINK, changes: Changes.UPSERT, options: given }), KEYED);
}

function image(artifact: Artifact): () => unknown {
  const program = programOf({ events: stream('clicks', 4), out: plainSink({}, {}, { artifacts: [artifact] }) });
  return () => {
    const created = application({ image: FlinkImage.generated(), program });
    return imageSpec(created.image, created._imageNeeds());
  };
}

describe('ES-01 an index without a primary key', () => {
  test('takes no aggregate', () => {
    const counts = 'SELECT id, COUNT(*) FROM events GROUP BY id';
    expect(refused(into(sink(), {}, counts))).toEqual([expect.stringContaining('give the table a primaryKey')]);
    expect(refused(into(sink(), KEYED, counts))).toEqual([]);
  });

  test('takes no changes of a database, nor does OpenSearch', () => {
    const options = { hosts: 'http://es:9200', index: 'clicks' };
    const other = new CustomConnector({ identifier: 'opensearch-2', role: TableRole.SINK, changes: Changes.UPSERT, options });
    for (const connector of [sink(), other]) {
      expect(refused(mirrored(connector))).toEqual([
        expect.stringMatching(
          / reads 'events', whose rows are updated or deleted later, and .* only appends without a primary key: the job fails/,
        ),
      ]);
      expect(refused(mirrored(connector, KEYED))).toEqual([]);
      expect(warned(into(connector))).toEqual(['InsertsWithoutKey']);
    }
  });

  test('gets documents twice after a restore: a warning, silent once acknowledged', () => {
    expect(warned(into(sink()))).toEqual(['InsertsWithoutKey']);
    expect(warned(into(sink(), KEYED))).toEqual([]);
    expect(shownAfter('InsertsWithoutKey', into(sink()))).toEqual([]);
  });
});

describe('ES-02 document ids that collide', () => {
  const columns = ['tenant', 'doc'].map((name) => Column.physical(name, DataType.STRING));
  const composite = { columns, primaryKey: ['tenant', 'doc'] };

  test('are kept apart by a character that is rare in values', () => {
    expect(bind(sink(), composite).options['document-id.key-delimiter']).toBe('|');
    expect(bind(sink({ keyDelimiter: '$' }), composite).options['document-id.key-delimiter']).toBe('$');
    expect(bind(sink({ keyDelimiter: TOKEN }), composite).options['document-id.key-delimiter']).toBe(TOKEN);
    expect(() => sink({ keyDelimiter: 'a b' })).toThrow('keyDelimiter must not hold spaces');
  });

  test.each([DataType.array(DataType.STRING), DataType.map(DataType.STRING, DataType.STRING), DataType.BYTES])(
    'a key of %s is refused',
    (type) => {
      const keyed = { columns: [Column.physical('id', type), Column.physical('amount', DataType.BIGINT)], ...KEYED };
      expect(() => bind(sink(), keyed)).toThrow("key column 'id' of table 'out' must be text, a number, BOOLEAN");
    },
  );
});

describe('ES-04 options that the sink does not take', () => {
  test.each([
    ['failure-handler', 'ignore'],
    ['sink.bulk-flush.backoff.strategy', 'EXPONENTIAL'],
  ])("'%s' is refused", (option, value) => {
    expect(() => bind(sink({ options: { [option]: value } }), KEYED)).toThrow(option);
  });

  test('a size is whole MiB, actions are one at least, and both may be tokens', () => {
    expect(() => bind(sink({ bulkFlush: { maxSize: Size.kibibytes(1) } }), KEYED)).toThrow(/maxSize/);
    expect(() => bind(sink({ bulkFlush: { maxActions: 0 } }), KEYED)).toThrow(/maxActions/);
    const { options } = bind(sink({ bulkFlush: { maxSize: Size.mebibytes(1), maxActions: 1 } }), KEYED);
    expect(options).toMatchObject({ 'sink.bulk-flush.max-size': '1 mb', 'sink.bulk-flush.max-actions': '1' });
  });

  test('user name and password come as a pair', () => {
    expect(() => bind(sink({ options: { username: 'flink' } }), KEYED)).toThrow("'username' is written by the library: use credentials");
    const credentials = Credentials.of('flink', SecretRef.kubernetes('elasticsearch', 'password'));
    expect(bind(sink({ credentials }), KEYED).options).toMatchObject({ username: 'flink', password: expect.stringMatching(/^\$\{env:/) });
  });
});

describe('ES-05 a document that is refused for ever', () => {
  test('by the released connector for Elasticsearch 8: its jar is refused', () => {
    expect(image(Artifact.maven('org.apache.flink:flink-sql-connector-elasticsearch8:4.0.0-2.0'))).toThrow('give 4.1.0 or later');
    expect(image(Artifact.maven('org.apache.flink:flink-sql-connector-elasticsearch8:4.1.0-2.0'))).not.toThrow();
  });
});

describe('ES-06 a busy cluster', () => {
  test('is asked again later and later, without asking', () => {
    expect(bind(sink(), KEYED).options).toMatchObject({
      'sink.bulk-flush.backoff.strategy': 'EXPONENTIAL',
      'sink.bulk-flush.backoff.max-retries': '8',
      'sink.bulk-flush.backoff.delay': '1 s',
    });
    const patient = BackOff.exponential({ maxRetries: 12, delay: Duration.seconds(2) });
    expect(bind(sink({ backOff: patient }), KEYED).options['sink.bulk-flush.backoff.max-retries']).toBe('12');
  });

  test('a strategy without its retries is refused for connectors by their options, too', () => {
    expect(other('opensearch-2', { 'sink.bulk-flush.backoff.strategy': 'EXPONENTIAL' })).toThrow('sink.bulk-flush.backoff.max-retries');
    expect(
      other('opensearch-2', {
        'sink.bulk-flush.backoff.strategy': 'EXPONENTIAL',
        'sink.bulk-flush.backoff.max-retries': '8',
        'sink.bulk-flush.backoff.delay': '1 s',
      }),
    ).not.toThrow();
  });
});

describe('ES-07 Amazon OpenSearch', () => {
  test.each([
    'https://search-logs-abc.eu-central-1.es.amazonaws.com:443',
    'https://abc.eu-central-1.aoss.amazonaws.com:443',
    'https://abc.aos.eu-central-1.on.aws:443',
  ])('%s is refused, with the connector to use', (host) => {
    expect(() => sink({ hosts: [host] })).toThrow(/use CustomConnector with the identifier 'opensearch-2'/);
  });

  test('by the options of a connector, too', () => {
    const hosts = 'https://search-logs-abc.eu-central-1.es.amazonaws.com:443';
    expect(other('elasticsearch-7', { hosts: `http://es:9200;${hosts}` })).toThrow(`the Amazon OpenSearch endpoint '${hosts}'`);
    expect(other('opensearch-2', { hosts })).not.toThrow();
    expect(other('elasticsearch-7', { hosts: TOKEN })).not.toThrow();
  });

  test('a node of Elasticsearch passes, and so does a token', () => {
    expect(() => sink({ hosts: ['https://search.example.com:443'] })).not.toThrow();
    expect(() => sink({ hosts: [TOKEN] })).not.toThrow();
  });
});

describe('ES-08 connectors without a release for Flink 2.2', () => {
  test.each([
    ['flink-sql-connector-elasticsearch8', 'has SQL tables for Elasticsearch 7 only'],
    ['flink-sql-connector-opensearch2', 'is built for Flink 1.19 and fails on Flink 2'],
    ['flink-sql-connector-opensearch3', 'it stands on the main branch of its project only'],
  ])('%s says why, and what to do', (artifactId, why) => {
    expect(image(Artifact.released(`org.apache.flink:${artifactId}`))).toThrow(why);
    expect(image(Artifact.released(`org.apache.flink:${artifactId}`))).toThrow('give a build for Flink 2.2');
  });

  test('Elasticsearch 7 passes', () => {
    expect(image(Artifact.released('org.apache.flink:flink-sql-connector-elasticsearch7'))).not.toThrow();
  });
});
