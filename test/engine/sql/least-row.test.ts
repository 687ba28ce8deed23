import { findEngine } from '../../../lib/testing/engine';

jest.setTimeout(120_000);

const KAFKA = "'connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'b:9092', 'format' = 'json'";

/** What `What no rule can see` of docs/rules.md says of the first row in an order that is not of time: the planner says that it stays. */
test.each(['amount', 'amount, id', 'amount + 0'])(
  'a row that comes before the first by %s is one more record of a sink that only appends',
  async (order) => {
    const script = `CREATE TABLE events (id STRING, amount INT) WITH (${KAFKA}, 'scan.startup.mode' = 'earliest-offset');
CREATE TABLE least (id STRING, amount INT) WITH (${KAFKA});
INSERT INTO least SELECT id, amount FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY ${order}) AS n FROM events
) WHERE n = 1;`;
    const events = [5, 3, 4, 1].map((amount, index) => ({ phase: index + 1, record: JSON.stringify({ id: 'a', amount }) }));
    const { sinks } = await findEngine().run({ program: { script }, tables: { events } });
    expect(sinks.least!.changes.map(({ op, record }) => `${op} ${record}`)).toEqual([
      '+I {"id":"a","amount":5}',
      '+U {"id":"a","amount":3}',
      '+U {"id":"a","amount":1}',
    ]);
  },
);
