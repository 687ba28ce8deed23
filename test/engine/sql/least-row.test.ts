import { findEngine } from '../../../lib/testing/engine';

jest.setTimeout(120_000);

const KAFKA = "'connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'b:9092'";

/** The first row of each key by a column that is no time. */
const LEAST =
  'SELECT id, amount FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY amount) AS n FROM events) WHERE n = 1';

test.each(['a', 'b'])('try %s', async (which) => {
  const sink = which === 'a' ? `${KAFKA}, 'format' = 'json'` : "'connector' = 'print'";
  const script = `CREATE TABLE events (id STRING, amount INT) WITH (${KAFKA}, 'scan.startup.mode' = 'earliest-offset', 'format' = 'json');
CREATE TABLE least (id STRING, amount INT) WITH (${sink});
INSERT INTO least ${LEAST};`;
  const events = [5, 3, 4, 1].map((amount, index) => ({ phase: index + 1, record: JSON.stringify({ id: 'a', amount }) }));
  const { sinks } = await findEngine().run({ program: { script }, tables: { events } });
  process.stdout.write(`${which} ${JSON.stringify(sinks.least!.changes)}\n`);
});
