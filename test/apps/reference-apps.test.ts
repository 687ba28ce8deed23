import { type App, Lazy, Stack, Validations } from 'aws-cdk-lib';
import { CfnStream } from 'aws-cdk-lib/aws-kinesis';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { AwsSolutionsChecks } from 'cdk-nag';
import { homedir, hostname, tmpdir } from 'os';
import { resolve } from 'path';
import { OrderItemsStack } from '../../bin/order-items-stack';
import { UserEventsStack } from '../../bin/user-events-stack';
import { type Assembly, newApp, synthesize } from '../fixtures/assembly';

const ACCOUNT = '111122223333';

const APPS: { name: string; jobs: string[]; build: (app: App) => Stack }[] = [
  {
    name: 'UserEvents',
    jobs: ['user-events'],
    build: (app) => new UserEventsStack(app, 'UserEvents', { env: { account: ACCOUNT, region: 'cn-north-1' } }),
  },
  {
    name: 'OrderItems',
    jobs: ['order-items', 'order-status'],
    build: (app) => new OrderItemsStack(app, 'OrderItems', { env: { account: ACCOUNT, region: 'eu-central-1' } }),
  },
];

/** Digests of assets change with the sources of the runner, which have tests of their own. */
function withoutAssetHashes(text: string): string {
  return text.replace(/\b[0-9a-f]{64}\b/g, 'ASSET_HASH');
}

describe.each(APPS)('$name', ({ name, jobs, build }) => {
  let assembly: Assembly;
  beforeAll(() => {
    assembly = synthesize(build);
  });

  test('template', () => {
    expect(JSON.parse(withoutAssetHashes(assembly[`${name}.template.json`]!))).toMatchSnapshot();
  });

  test.each(jobs)('files of job %s', (job) => {
    const files = Object.keys(assembly).filter((path) => path.startsWith(`${name}.${job}/`));
    expect(files).toEqual(['job.sql', 'manifests.yaml', 'pipeline.json'].map((file) => `${name}.${job}/${file}`));
    for (const file of files) {
      expect(withoutAssetHashes(assembly[file]!)).toMatchSnapshot(file);
    }
  });

  test('gives the same bytes again, with other token numbers and in another directory', () => {
    expect(synthesize(build)).toEqual(assembly);
  });

  test('an unrelated stack that is added before changes nothing', () => {
    const changed = synthesize((app) => {
      new Topic(new Stack(app, 'Before'), 'Topic', { topicName: Lazy.string({ produce: () => 'before' }) });
      build(app);
    });
    expect(Object.keys(changed)).toContain('Before.template.json');
    expect(filesOf(changed, name)).toEqual(filesOf(assembly, name));
  });

  test('holds no path of this machine', () => {
    for (const [path, text] of Object.entries(assembly)) {
      for (const place of [resolve(__dirname, '../..'), `${tmpdir()}/`, `${homedir()}/`, hostname()]) {
        expect({ path, holds: text.includes(place) ? place : undefined }).toEqual({ path, holds: undefined });
      }
    }
  });

  test('has no finding of AWS Solutions', () => {
    const app = newApp();
    build(app);
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    expect(() => app.synth()).not.toThrow();
  });
});

test('the AWS Solutions checks are on', () => {
  const app = newApp();
  const stack = APPS[0]!.build(app);
  new CfnStream(stack, 'Plain', { shardCount: 1 });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  expect(() => app.synth()).toThrow('AwsSolutions-KDS1');
});

/** Template of the stack and files of its jobs. */
function filesOf(assembly: Assembly, stack: string): Assembly {
  return Object.fromEntries(Object.entries(assembly).filter(([path]) => path.startsWith(`${stack}.`)));
}
