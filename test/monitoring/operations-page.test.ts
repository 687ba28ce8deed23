import { readFileSync } from 'fs';
import { join } from 'path';
import {
  ArchiveDeliveryStream,
  type ConnectorBinding,
  DimensionTable,
  DynamoDbLookup,
  DynamoDbSink,
  FirehoseSink,
  Format,
  KinesisSink,
  KinesisSource,
  LookupCache,
  MalformedRecords,
  StartPosition,
} from '../../lib';
import { alertRules } from '../../lib/monitoring/alert-rules';
import { addressOf, runbookOf } from '../../lib/monitoring/runbook';
import { bind } from '../cases/findings';
import { application } from '../fixtures/programs';
import { externalStream, printed } from '../fixtures/stacks';

const page = (name: string) => readFileSync(join(__dirname, '..', '..', 'docs', name), 'utf8');

const STREAM = externalStream();
const TABLE = DimensionTable.external({ tableArn: 'arn:aws:dynamodb:eu-central-1:111122223333:table/users', partitionKey: 'id' });
const ARCHIVE = ArchiveDeliveryStream.external({
  deliveryStreamArn: 'arn:aws:firehose:eu-central-1:111122223333:deliverystream/archive',
});
const KEYED = { primaryKey: ['id'] };
const READ = { stream: STREAM, start: StartPosition.latest(), format: Format.json({ malformedRecords: MalformedRecords.FAIL }) };

/** Every table that has alarms. */
const BINDINGS: ConnectorBinding[] = [
  bind(new KinesisSource(READ)),
  bind(new KinesisSource({ ...READ, enhancedFanOut: { consumerName: 'clicks' } })),
  bind(new KinesisSink({ stream: STREAM, format: Format.json() })),
  bind(new DynamoDbLookup({ table: TABLE, cache: LookupCache.none() }), KEYED),
  bind(new DynamoDbSink({ table: TABLE }), KEYED),
  bind(new FirehoseSink({ deliveryStream: ARCHIVE, format: Format.json() })),
];

const ALARMS = new Set(BINDINGS.flatMap(({ alarms = [] }) => alarms.map(({ name }) => name)));
const RULES = alertRules(application({ program: printed(STREAM) }));
const ALERTS = RULES.map(({ alert }) => alert);

test('every connector with alarms is among these', () => {
  expect(BINDINGS.every(({ alarms = [] }) => alarms.length > 0)).toBe(true);
  expect(ALARMS.size).toBeGreaterThan(6);
});

test.each(['monitoring.md', 'operations.md'])('docs/%s tells of every alarm and every alert, and of no other', (name) => {
  const text = page(name);
  const told = new Set([...text.matchAll(/`(\w+)`/g)].map(([, word]) => word!));
  expect([...ALARMS, ...ALERTS].filter((one) => !told.has(one))).toEqual([]);
  expect(
    [...told].filter((word) => /^Flink[A-Z][a-z]+([A-Z][a-z]+)+$/.test(word) && !ALERTS.includes(word) && !OTHERS.includes(word)),
  ).toEqual([]);
});

/** What begins like an alert and is none. */
const OTHERS = ['FlinkJobMonitoring', 'FlinkDeployment'];

/** Sections by the anchors that GitHub makes of their headings. */
const SECTIONS = new Map(
  page('operations.md')
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const heading = section.split('\n', 1)[0]!;
      return [
        heading
          .toLowerCase()
          .replace(/[^\w\s-]/g, '')
          .replace(/\s/g, '-'),
        { heading, section },
      ] as const;
    }),
);

test.each([...ALARMS, ...ALERTS])('%s leads to the heading under which docs/operations.md tells of it', (sign) => {
  const [address, anchor] = addressOf(sign, 'https://wiki.example.com').split('#') as [string, string];
  expect(address).toBe('https://wiki.example.com');
  const { heading, section } = SECTIONS.get(anchor)!;
  expect(section).toContain(`\`${sign}\``);
  expect(runbookOf(sign)).toBe(`docs/operations.md of cdk-flink-pipeline: ${heading}`);
});

test('an alarm of a connector of your own leads to the page', () => {
  expect(addressOf('QueueDepth', 'https://wiki.example.com')).toBe('https://wiki.example.com');
  expect(runbookOf('QueueDepth')).toBeUndefined();
});

test('docs/monitoring.md tells the default times of the alerts of checkpoints', () => {
  const row = (alert: string) => page('monitoring.md').match(new RegExp(`^\\| \`${alert}\`.*$`, 'm'))![0];
  const rule = (alert: string) => RULES.find((one) => one.alert === alert)!;
  const [, range] = /\[(\d+)m\]/.exec(rule('FlinkCheckpointFailing').expr)!;
  expect(row('FlinkCheckpointFailing')).toContain(`; ${range} min with the default times`);
  const { expr, for: lasts, annotations } = rule('FlinkCheckpointMissing');
  expect(expr).toContain(`[${range}m]`);
  const silence = Number(range) + Number(/^(\d+)m$/.exec(lasts)![1]);
  expect(annotations.summary).toContain(`in ${silence}m`);
  expect(row('FlinkCheckpointMissing')).toContain(`: ${silence} min with the default times`);
});
