import { App, Stack } from 'aws-cdk-lib';
import { readdirSync } from 'fs';
import { CompactedTopic, DeploymentTarget, KafkaCluster } from '../../lib';
import { assemblyDirectory } from '../../lib/target/assembly-directory';
import { newApp } from '../fixtures/assembly';

test('a directory is named by stack and names, up to 200 characters', () => {
  const stack = new Stack(new App(), 'Stack');
  expect(assemblyDirectory(stack, 'a', 'b')).toBe('Stack.a.b');
  expect(assemblyDirectory(stack, 'a'.repeat(194))).toBe(`Stack.${'a'.repeat(194)}`);
});

test('the end of a longer name is a digest, which tells it from others', () => {
  const stack = new Stack(new App(), 'Stack');
  const [one, other] = ['b', 'c'].map((end) => assemblyDirectory(stack, `${'a'.repeat(250)}${end}`));
  expect(one).toMatch(/^Stack\.a+-[0-9a-f]{12}$/);
  expect(one).toHaveLength(200);
  expect(other).not.toBe(one);
});

test('the longest names of stack, Strimzi cluster and topic can be written', () => {
  const app = newApp();
  const stack = new Stack(app, 'S'.repeat(128));
  const cluster = KafkaCluster.strimzi({
    name: 'k'.repeat(63),
    namespace: 'kafka',
    target: DeploymentTarget.manifests({ namespace: 'kafka' }),
    bootstrapServers: ['kafka:9092'],
  });
  new CompactedTopic(stack, 'Topic', { cluster, topicName: 't'.repeat(249), partitions: 1 });
  const { directory } = app.synth();
  expect(readdirSync(directory).filter((name) => name.includes('kkk') || /-[0-9a-f]{12}$/.test(name))).toHaveLength(1);
});
