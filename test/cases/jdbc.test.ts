import { Duration, Lazy } from 'aws-cdk-lib';
import { Column, Credentials, DataType, JdbcSink, type JdbcSinkProps, SecretRef } from '../../lib';
import { application } from '../fixtures/programs';
import { AGGREGATE, bind, into, refused, shownAfter, TOKEN, warned } from './findings';
import { objects } from './job-fixtures';

const KEYED = { primaryKey: ['id'] };
const URL = 'jdbc:mysql://db:3306/shop';

function sink(changed: Partial<JdbcSinkProps> = {}): JdbcSink {
  return new JdbcSink({ url: URL, tableName: 'totals', ...changed });
}

describe('JD-01 a table without a primary key', () => {
  test('inserts rows again after a restore: a warning, silent once acknowledged', () => {
    expect(warned(into(sink()))).toEqual(['InsertsWithoutKey']);
    expect(shownAfter('InsertsWithoutKey', into(sink()))).toEqual([]);
  });

  test('with one it upserts, and takes an aggregate', () => {
    expect(warned(into(sink(), KEYED))).toEqual([]);
    expect(into(sink(), KEYED).toSql()).toContain('PRIMARY KEY (`id`) NOT ENFORCED');
    expect(refused(into(sink(), KEYED, AGGREGATE))).toEqual([]);
    expect(refused(into(sink(), {}, AGGREGATE))).toEqual([expect.stringContaining('the jdbc table only appends')]);
  });
});

describe('JD-03 reserved words as column names', () => {
  test('stand in backticks, as all names do; a backtick within is doubled', () => {
    const names = ['timestamp', 'time', 'method', 'user', 'value', 'order', 'year', 'a`b'];
    const columns = names.map((name) => Column.physical(name, DataType.STRING));
    const sql = into(sink(), { columns, primaryKey: ['user'] }, 'SELECT id, id, id, id, id, id, id, id FROM events').toSql();
    for (const name of names) {
      expect(sql).toContain(`  \`${name.replace('`', '``')}\` STRING`);
    }
    expect(sql).toContain('PRIMARY KEY (`user`) NOT ENFORCED');
  });
});

describe('JD-04 the batch flag of MySQL', () => {
  test.each(['rewriteBatchStatements=true', 'rewriteBatchedStatements=false', 'useSSL=true&rewriteBatchedStatements=false'])(
    '%s is refused',
    (parameters) => {
      expect(() => sink({ url: `${URL}?${parameters}` })).toThrow('rewriteBatchedStatements');
    },
  );

  test.each([URL, `${URL}?useSSL=true`, `${URL}?rewriteBatchedStatements=true`, `jdbc:mysql://${TOKEN}/shop`])(
    '%s passes as it is',
    (url) => {
      expect(bind(sink({ url }), KEYED).options.url).toBe(url);
    },
  );
});

describe('JD-05 a user name without a password', () => {
  test('is refused; as a pair they pass', () => {
    expect(() => bind(sink({ options: { username: 'app' } }), KEYED)).toThrow("'username' is written by the library: use credentials");
    expect(() => Credentials.of('app', undefined as never)).toThrow(/password/);
  });

  test('the password is nowhere but in its secret', () => {
    const credentials = Credentials.of('app', SecretRef.kubernetes('mysql', 'password'));
    const program = () => into(sink({ credentials }), KEYED);
    expect(application({ program: program() }).script).toMatch(/'password' = '\$\{env:\w+\}'/);
    const { FlinkDeployment: deployment, ConfigMap: script } = objects({ program: program() });
    expect(JSON.stringify(script)).toMatch(/'password' = '\$\{env:\w+\}'/);
    expect(JSON.stringify(deployment)).toContain('"secretKeyRef":{"key":"password","name":"mysql"}');
  });
});

describe('JD-06 rows that wait until the buffer is full', () => {
  const flush = (maxRows: number, interval: Duration) => into(sink({ flush: { maxRows, interval } }), KEYED);

  test('are warned of; silent once acknowledged', () => {
    expect(warned(flush(10_000, Duration.seconds(0)))).toEqual(['RowsWaitForCheckpoint']);
    expect(shownAfter('RowsWaitForCheckpoint', flush(10_000, Duration.seconds(0)))).toEqual([]);
  });

  test('an interval passes, few rows, and tokens', () => {
    expect(warned(flush(10_000, Duration.seconds(1)))).toEqual([]);
    expect(warned(flush(1_000, Duration.seconds(0)))).toEqual([]);
    expect(warned(flush(10_000, Duration.seconds(Lazy.number({ produce: () => 0 }))))).toEqual([]);
  });

  test('values below what the connector takes are refused', () => {
    expect(() => sink({ flush: { maxRows: 0 } })).toThrow('maxRows of flush must be a whole number of at least 1, got 0');
    expect(() => sink({ connectionMaxRetryTimeout: Duration.millis(500) })).toThrow(/connectionMaxRetryTimeout/);
    expect(() => sink({ connectionMaxRetryTimeout: Duration.seconds(1) })).not.toThrow();
  });
});
