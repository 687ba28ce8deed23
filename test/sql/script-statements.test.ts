import { computedColumns, scriptDefinitions, scriptStatements } from '../../lib/sql/script-statements';

const SCRIPT = `SET 'table.exec.state.ttl' = '1 d';
CREATE TABLE \`a;b\` (id STRING, line STRING, day AS SUBSTRING(line FROM 1, 10), PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'kafka');
CREATE TEMPORARY VIEW v AS
SELECT id FROM \`a;b\`;
EXECUTE STATEMENT SET BEGIN
INSERT INTO sink SELECT * FROM v;
END;`;

const textsOf = (tokens: { text: string }[]) => tokens.map(({ text }) => text).join(' ');

test('what begins and ends a statement set is a statement of its own', () => {
  expect(scriptStatements(SCRIPT).map((tokens) => textsOf(tokens.slice(0, 4)))).toEqual([
    'SET table.exec.state.ttl = 1 d',
    'CREATE TABLE a;b (',
    'CREATE TEMPORARY VIEW v',
    'EXECUTE STATEMENT SET BEGIN',
    'INSERT INTO sink SELECT',
    'END',
  ]);
});

test('a table or view is told by its name, with what follows it', () => {
  const [table, view, ...others] = scriptDefinitions(`${SCRIPT}\nALTER TABLE t SET ('a' = 'b');`);
  expect(others).toEqual([]);
  expect(table).toMatchObject({ kind: 'TABLE', name: 'a;b' });
  expect(computedColumns(table!).map(({ name, expression }) => [name, textsOf(expression)])).toEqual([
    ['day', 'SUBSTRING ( line FROM 1 , 10 )'],
  ]);
  expect({ ...view, body: textsOf(view!.body) }).toEqual({ kind: 'VIEW', name: 'v', body: 'SELECT id FROM a;b' });
});
