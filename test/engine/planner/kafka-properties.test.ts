import { spawnSync } from 'child_process';
import { delimiter, join } from 'path';
import properties from '../../../lib/connectors/data/kafka-4.2-client-properties.json';
import { connectorJars } from '../../../lib/planner/connector-jars';
import { findJava } from '../../../lib/planner/java-home';
import { preparePlanner } from '../../../lib/planner/planner-home';

jest.setTimeout(300_000);

test('the properties that the library knows are those that the connector and its Kafka client read', () => {
  const say = (message: string) => process.stderr.write(`${message}\n`);
  const { java, args } = preparePlanner(say);
  const { paths } = connectorJars(['org.apache.flink:flink-sql-connector-kafka:5.0.0-2.2'], findJava().directory, say);
  const classPath = [...paths, args[args.indexOf('-cp') + 1]!].join(delimiter);
  const { stdout, stderr } = spawnSync(java, ['-cp', classPath, join(__dirname, 'KafkaProperties.java')], { encoding: 'utf8' });
  const readers = stdout
    .trim()
    .split('\n')
    .map((line) => line.split(' '));
  const readBy = (reader: string) => readers.filter(([by]) => by === reader).map(([, property]) => property);
  expect({ both: readBy('both'), sink: readBy('sink'), source: readBy('source'), stderr: stdout === '' ? stderr : '' }).toEqual({
    ...properties,
    stderr: '',
  });
});
