import { App } from 'aws-cdk-lib';
import { UserEventsStack } from '../bin/user-events-stack';
import { record, row, SqlTest } from '../lib/testing';

jest.setTimeout(120_000); // the first test starts Flink

const env = { account: '111122223333', region: 'cn-north-1' };

const app = new App();
new UserEventsStack(app, 'UserEvents', { env });
const userEvents = SqlTest.ofAssembly(app.synth().directory, 'user-events');

test('the event of a user that the dimension does not know has no level', async () => {
  const result = await userEvents.run({
    kinesis_source: [record('{"user_id":"u1","event_type":"click","event_time":"2026-01-01T00:00:01Z"}')],
    dim_users: [row({ user_id: 'u2', level: 'gold' })],
  });
  expect(result.rows('es_sink')).toEqual([{ user_id: 'u1', event_time: '2026-01-01T00:00:01', level: null, event_type: 'click' }]);
});
