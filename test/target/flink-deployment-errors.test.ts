import { flinkDeploymentErrors } from '../../lib/target/flink-deployment-errors';
import { flinkDeployment } from '../fixtures/flink-deployment';
import type { Json } from '../fixtures/json';

type Change = (object: Json) => unknown;

function errorsOf(change: Change): string[] {
  const object = flinkDeployment();
  change(object);
  return flinkDeploymentErrors(object);
}

const pod = (object: Json) => object.spec.taskManager.podTemplate.spec;
const container = (object: Json) => pod(object).containers[0];
const TOKEN = { Ref: 'Late' };
const JOIN = { 'Fn::Join': ['', ['a', TOKEN]] };
const TOO_LARGE = 'must be a whole number of at most 2^31 - 1, got 2147483648, else it stops the operator';

test.each<[string, Change, string | RegExp]>([
  [
    'parallelism above an int',
    (o) => (o.spec.job.parallelism = 99999999999),
    "'spec.job.parallelism' of FlinkDeployment 'orders' must be a literal whole number from 1 to 2147483647, got 99999999999; more stops the operator, and with it every other job of the cluster",
  ],
  ['parallelism 0', (o) => (o.spec.job.parallelism = 0), 'got 0'],
  ['parallelism as text', (o) => (o.spec.job.parallelism = '4'), "got '4'"],
  ['parallelism as a fraction', (o) => (o.spec.job.parallelism = 1.5), 'got 1.5'],
  ['parallelism as a token', (o) => (o.spec.job.parallelism = TOKEN), 'got a value known only at deployment'],
  ['no parallelism', (o) => delete o.spec.job.parallelism, 'got nothing'],
  [
    'replicas above an int',
    (o) => (o.spec.jobManager.replicas = 2 ** 31),
    `'spec.jobManager.replicas' of FlinkDeployment 'orders' ${TOO_LARGE}`,
  ],
  ['replicas 0', (o) => (o.spec.jobManager.replicas = 0), 'at least 1, got 0'],
  [
    'two replicas without HA',
    (o) => {
      o.spec.jobManager.replicas = 2;
      o.spec.flinkConfiguration['high-availability.type'] = 'NONE';
    },
    'must be 1 without high availability, got 2',
  ],
  ['replicas of TaskManagers', (o) => (o.spec.taskManager.replicas = 2), 'the parallelism of the job would be ignored'],
  [
    'a containerPort above an int',
    (o) => (container(o).ports[0].containerPort = 2 ** 31),
    `'spec.taskManager.podTemplate.spec.containers.0.ports.0.containerPort' of FlinkDeployment 'orders' ${TOO_LARGE}`,
  ],
  [
    'a fraction where a whole number is',
    (o) => (o.spec.job.savepointTriggerNonce = 1.5),
    'must be a whole number of at most 2^63 - 1, got 1.5',
  ],
  ['a nonce above a long', (o) => (o.spec.restartNonce = 2 ** 63), 'must be a whole number of at most 2^63 - 1'],
  [
    'an empty limit',
    (o) => (container(o).resources = { limits: { memory: '' } }),
    "'spec.taskManager.podTemplate.spec.containers.0.resources.limits.memory' of FlinkDeployment 'orders' must be a quantity such as '500m' or '10Gi', got '', else it stops the operator",
  ],
  ['a malformed request', (o) => (container(o).resources = { requests: { cpu: 'two' } }), "got 'two'"],
  [
    'an empty divisor',
    (o) => (container(o).env[0] = { name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '' } } }),
    "divisor' of FlinkDeployment 'orders' must be a quantity",
  ],
  [
    'a numeric divisor without bound',
    (o) => (container(o).env[0] = { name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: 1e30 } } }),
    'got 1e+30',
  ],
  ['a malformed size limit', (o) => (pod(o).volumes = [{ name: 'a', emptyDir: { sizeLimit: '20 GB' } }]), "got '20 GB'"],
  [
    'an empty claim',
    (o) => (pod(o).volumes = [{ name: 'a', ephemeral: { volumeClaimTemplate: { spec: { resources: { requests: { storage: '' } } } } } }]),
    "got ''",
  ],
  ['an empty overhead', (o) => (pod(o).overhead = { cpu: '' }), "podTemplate.spec.overhead.cpu' of"],
  [
    'a quantity in the common pod',
    (o) => (o.spec.podTemplate = { spec: { containers: [{ resources: { limits: { cpu: '' } } }] } }),
    "'spec.podTemplate.spec.containers.0.resources.limits.cpu'",
  ],
  ['an empty ephemeralStorage', (o) => (o.spec.taskManager.resource.ephemeralStorage = ''), "'spec.taskManager.resource.ephemeralStorage'"],
  [
    'configuration as text',
    (o) => (o.spec.flinkConfiguration = 'abc'),
    "'spec.flinkConfiguration' of FlinkDeployment 'orders' must be a map, got 'abc', else it stops the operator",
  ],
  ['configuration as a list', (o) => (o.spec.flinkConfiguration = []), 'must be a map, got []'],
  ['configuration as a token', (o) => (o.spec.flinkConfiguration = TOKEN), 'must be a map, got a value known only at deployment'],
  ['no configuration', (o) => delete o.spec.flinkConfiguration, 'must be a map, got nothing'],
  [
    'a forbidden option',
    (o) => (o.spec.flinkConfiguration.kubernetes = { namespace: 'a' }),
    "'spec.flinkConfiguration.kubernetes.namespace' of FlinkDeployment 'orders' is set by the operator",
  ],
  [
    'null in the configuration',
    (o) => (o.spec.flinkConfiguration.a = null),
    "'spec.flinkConfiguration.a' of FlinkDeployment 'orders' is null",
  ],
  ['the text null in the configuration', (o) => (o.spec.flinkConfiguration.a = 'null'), "is the text 'null'"],
  ['null for a nonce', (o) => (o.spec.restartNonce = null), "'spec.restartNonce' of FlinkDeployment 'orders' is null"],
  ['what is written as null', (o) => (container(o).args = undefined), "containers.0.args' of FlinkDeployment 'orders' is null"],
  ['null within a pod', (o) => (container(o).args = null), "containers.0.args' of FlinkDeployment 'orders' is null"],
  [
    'no image',
    (o) => delete o.spec.image,
    "'spec.image' of FlinkDeployment 'orders' must name an image, got nothing: without one, another Flink version runs",
  ],
  ['an empty image', (o) => (o.spec.image = ''), "must name an image, got ''"],
  ['an image without its tag', (o) => (o.spec.image = 'registry/orders:'), "must name an image, got 'registry/orders:'"],
  ['no service account', (o) => delete o.spec.serviceAccount, 'must name a service account, got nothing'],
  [
    'no version',
    (o) => delete o.spec.flinkVersion,
    "'spec.flinkVersion' of FlinkDeployment 'orders' must be a version that the operator runs",
  ],
  ['an old version', (o) => (o.spec.flinkVersion = 'v1_15'), "got 'v1_15'"],
  [
    'cpu 0',
    (o) => (o.spec.jobManager.resource.cpu = 0),
    'must be a literal number above 0, got 0: otherwise it becomes the number of task slots',
  ],
  ['cpu as text', (o) => (o.spec.jobManager.resource.cpu = '2'), "got '2'"],
  ['memory without a unit', (o) => (o.spec.jobManager.resource.memory = '4096'), "such as '2048m', got '4096'"],
  ['memory as a fraction', (o) => (o.spec.jobManager.resource.memory = '4.5g'), "got '4.5g'"],
  ['a name with an underscore', (o) => (o.metadata.name = 'Bad_Name'), "'metadata.name' of FlinkDeployment 'Bad_Name' must be at most 45"],
  ['a name of 46 characters', (o) => (o.metadata.name = 'a'.repeat(46)), 'must be at most 45'],
  [
    'an unknown upgrade mode',
    (o) => (o.spec.job.upgradeMode = 'lastState'),
    "must be one of savepoint, last-state, stateless, got 'lastState'",
  ],
  ['an unknown state', (o) => (o.spec.job.state = 'RUNNING'), 'must be one of running, suspended'],
  ['an unknown mode', (o) => (o.spec.mode = 'Native'), 'must be one of native, standalone'],
  ['an unknown pull policy', (o) => (o.spec.imagePullPolicy = 'Sometimes'), 'must be one of Always'],
  ['a log file that is not read', (o) => (o.spec.logConfiguration = { 'log4j.properties': '' }), 'must be one of log4j-console.properties'],
  ['a jar with a space', (o) => (o.spec.job.jarURI = 'local:///a b.jar'), "without a space, got 'local:///a b.jar'"],
  [
    'savepoints without a directory',
    (o) => delete o.spec.flinkConfiguration['execution.checkpointing.savepoint-dir'],
    "'savepoint' needs 'execution.checkpointing.savepoint-dir'",
  ],
])('%s is refused', (_, change, message) => {
  const errors = errorsOf(change);
  expect(errors.join('\n')).toMatch(message);
});

test.each<[string, Change]>([
  ['nothing', () => {}],
  ['the largest parallelism', (o) => (o.spec.job.parallelism = 2 ** 31 - 1)],
  ['two replicas with HA', (o) => (o.spec.jobManager.replicas = 2)],
  ['the largest port, which is for the API to judge', (o) => (container(o).ports[0].containerPort = 2 ** 31 - 1)],
  [
    'a long',
    (o) => {
      o.spec.restartNonce = 2 ** 40;
      pod(o).securityContext = { supplementalGroups: [2 ** 40] };
    },
  ],
  [
    'quantities',
    (o) => (container(o).resources = { limits: { cpu: 2, memory: '1e9', 'nvidia.com/gpu': '1' }, requests: { cpu: '.5', memory: '20Gi' } }),
  ],
  [
    'labels that are called as quantities are',
    (o) => (o.spec.taskManager.podTemplate.metadata = { labels: { divisor: '', sizeLimit: '' } }),
  ],
  ['options of other types', (o) => (o.spec.flinkConfiguration.a = { b: 4294967296, c: 0.5, d: true })],
  [
    'a standalone job without a jar',
    (o) => {
      o.spec.mode = 'standalone';
      delete o.spec.job.jarURI;
    },
  ],
  ['the longest name', (o) => (o.metadata.name = 'a'.repeat(45))],
  [
    'texts that are tokens',
    (o) => {
      o.spec.image = JOIN;
      o.spec.serviceAccount = TOKEN;
      o.spec.flinkConfiguration.a = JOIN;
      o.spec.job.jarURI = JOIN;
      container(o).env[0].value = TOKEN;
    },
  ],
  ['a quantity that is a token', (o) => (container(o).resources = { limits: { cpu: TOKEN, memory: JOIN } })],
  [
    'another kind',
    (o) => {
      o.kind = 'ConfigMap';
      o.spec = null;
    },
  ],
])('%s passes', (_, change) => {
  expect(errorsOf(change)).toEqual([]);
});

test('whatever is no object at all is refused, and never breaks', () => {
  for (const value of [undefined, null, 'a', 1, [], TOKEN]) {
    for (const change of [
      (o: Json) => (o.spec = value),
      (o: Json) => (o.metadata = value),
      (o: Json) => (o.spec.job = value),
      (o: Json) => (o.spec.jobManager = value),
    ]) {
      expect(errorsOf(change)).not.toEqual([]);
    }
  }
});
