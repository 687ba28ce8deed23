import type { App, Stack } from 'aws-cdk-lib';
import { readFileSync } from 'fs';
import { join } from 'path';
import { parseAllDocuments } from 'yaml';
import { OrderItemsStack } from '../../bin/order-items-stack';
import { UserEventsStack } from '../../bin/user-events-stack';
import { type Assembly, synthesize } from '../fixtures/assembly';
import type { Json } from '../fixtures/json';
import committed from './upgrades.json';

/*
 * What runs must survive an upgrade of the library: another logical id replaces a resource, with what is stored in it; another Kubernetes
 * name is another object, and a FlinkDeployment of another name starts from an empty state. An entry that is changed or removed in
 * upgrades.json is a step that every user must be told of.
 */

const account = '111122223333';

const APPS: { name: string; build: (app: App) => Stack }[] = [
  { name: 'UserEvents', build: (app) => new UserEventsStack(app, 'UserEvents', { env: { account, region: 'cn-north-1' } }) },
  { name: 'OrderItems', build: (app) => new OrderItemsStack(app, 'OrderItems', { env: { account, region: 'eu-central-1' } }) },
];

/** What an app calls its things: logical ids with their types, and Kubernetes objects. */
interface Names {
  readonly logicalIds: { [id: string]: string };
  readonly objects: string[];
}

function namesOf(assembly: Assembly, stack: string): Names {
  const { Resources } = JSON.parse(assembly[`${stack}.template.json`]!) as { Resources: { [id: string]: { Type: string } } };
  const objects = Object.entries(assembly)
    .filter(([path]) => path.startsWith(`${stack}.`) && path.endsWith('manifests.yaml'))
    .flatMap(([, text]) => parseAllDocuments(text).map((document) => (document as { toJSON(): Json }).toJSON()))
    // A script of other text has another name on purpose: the earlier one stays for a rollback.
    .map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name.replace(/-sql-[0-9a-f]{10}$/, '-sql-<digest>')}`);
  return {
    logicalIds: Object.fromEntries(
      Object.entries(Resources)
        .map(([id, { Type }]) => [id, Type] as const)
        .sort(([left], [right]) => (left < right ? -1 : 1)),
    ),
    objects,
  };
}

test.each(APPS)('an upgrade leaves every name of $name as it is', ({ name, build }) => {
  expect(namesOf(synthesize(build), name)).toEqual((committed as { [app: string]: Names })[name]);
});

test.each(APPS)('the locks of $name are those of its programs', ({ name, build }) => {
  const assembly = synthesize(build);
  const scripts = Object.keys(assembly).filter((path) => path.startsWith(`${name}.`) && path.endsWith('/job.sql'));
  expect(scripts.length).toBeGreaterThan(0);
  for (const path of scripts) {
    const pipeline = JSON.parse(assembly[path.replace('job.sql', 'pipeline.json')]!);
    const lock = JSON.parse(readFileSync(join(__dirname, '..', '..', 'bin', `${pipeline.jobName}.lock.json`), 'utf8'));
    // What the plan makes of it is the engine suite's to compare; where the text differs, it does too.
    expect({ job: lock.job, flink: lock.flink, script: lock.script }).toEqual({
      job: pipeline.jobName,
      flink: pipeline.flinkVersion,
      script: assembly[path]!.trimEnd().split('\n'),
    });
  }
});
