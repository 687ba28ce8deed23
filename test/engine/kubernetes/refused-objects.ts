import type { KubernetesObject } from '../../../scripts/kubernetes/finding';

// biome-ignore lint/suspicious/noExplicitAny: the changes below break what types would protect
type Change = (object: any) => void;

const container = (object: KubernetesObject) => object.spec.jobManager.podTemplate.spec.containers[0];
const configuration = (object: KubernetesObject) => object.spec.flinkConfiguration;

/**
 * What Kubernetes or the operator refuses, what stops the operator, and what is taken in silence and goes wrong when it runs: each as one
 * change of a good FlinkDeployment. Measured with operator 1.15.0 and Kubernetes 1.34.
 */
export const REFUSED_FLINK_DEPLOYMENTS: { [what: string]: Change } = {
  'no service account': (object) => delete object.spec.serviceAccount,
  'resources instead of resource': (object) => {
    object.spec.jobManager.resources = object.spec.jobManager.resource;
    delete object.spec.jobManager.resource;
  },
  'null in flinkConfiguration': (object) => {
    configuration(object)['pipeline.name'] = null;
  },
  'flinkConfiguration that is a string': (object) => {
    object.spec.flinkConfiguration = 'pipeline.name: x';
  },
  'flinkConfiguration that is a list': (object) => {
    object.spec.flinkConfiguration = [{ 'pipeline.name': 'x' }];
  },
  'a name of 46 characters': (object) => {
    object.metadata.name = 'a'.repeat(46);
  },
  'a name that starts with a digit': (object) => {
    object.metadata.name = '1st-job';
  },
  'a name with a dot': (object) => {
    object.metadata.name = 'a.b';
  },
  'a name in upper case': (object) => {
    object.metadata.name = 'Orders';
  },
  'no namespace': (object) => delete object.metadata.namespace,
  'upgradeMode savepoint without a savepoint directory': (object) => delete configuration(object)['execution.checkpointing.savepoint-dir'],
  'upgradeMode savepoint without a checkpoint directory': (object) => delete configuration(object)['execution.checkpointing.dir'],
  'upgradeMode last-state without a checkpoint directory': (object) => {
    object.spec.job.upgradeMode = 'last-state';
    delete configuration(object)['execution.checkpointing.dir'];
  },
  'parallelism 0': (object) => {
    object.spec.job.parallelism = 0;
  },
  'parallelism -1': (object) => {
    object.spec.job.parallelism = -1;
  },
  'no parallelism': (object) => delete object.spec.job.parallelism,
  'parallelism as text': (object) => {
    object.spec.job.parallelism = '12';
  },
  'a fractional parallelism': (object) => {
    object.spec.job.parallelism = 12.5;
  },
  'parallelism above an int': (object) => {
    object.spec.job.parallelism = 2 ** 31;
  },
  'replicas above an int': (object) => {
    object.spec.jobManager.replicas = 2 ** 31;
  },
  'a containerPort above an int': (object) => {
    container(object).ports = [{ containerPort: 2 ** 31 }];
  },
  'a containerPort above 65535': (object) => {
    container(object).ports = [{ containerPort: 65_536 }];
  },
  'an empty quantity in a pod template': (object) => {
    container(object).resources = { limits: { memory: '' } };
  },
  'an empty divisor': (object) => {
    container(object).env.push({ name: 'CPUS', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '' } } });
  },
  'a divisor above any number': (object) => {
    container(object).env.push({ name: 'CPUS', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: 1e30 } } });
  },
  'a limit above an int': (object) => {
    container(object).resources = { limits: { cpu: 2 ** 31 } };
  },
  'a nonce above a long': (object) => {
    object.spec.restartNonce = 1e30;
  },
  'seconds above a long': (object) => {
    object.spec.jobManager.podTemplate.spec.terminationGracePeriodSeconds = 1e30;
  },
  'a size limit that is no quantity': (object) => {
    object.spec.jobManager.podTemplate.spec.volumes.push({ name: 'local', emptyDir: { sizeLimit: '20 GB' } });
  },
  'flinkVersion v2_3': (object) => {
    object.spec.flinkVersion = 'v2_3';
  },
  'flinkVersion v1_14': (object) => {
    object.spec.flinkVersion = 'v1_14';
  },
  'no flinkVersion': (object) => delete object.spec.flinkVersion,
  'two job managers without high availability': (object) => {
    object.spec.jobManager.replicas = 2;
    delete configuration(object)['high-availability.type'];
  },
  'no job manager': (object) => {
    object.spec.jobManager.replicas = 0;
  },
  'memory 4096, which is 4 kB': (object) => {
    object.spec.taskManager.resource.memory = '4096';
  },
  'memory 64m': (object) => {
    object.spec.taskManager.resource.memory = '64m';
  },
  'memory 4.5g': (object) => {
    object.spec.taskManager.resource.memory = '4.5g';
  },
  'memory in words': (object) => {
    object.spec.taskManager.resource.memory = 'lots';
  },
  'negative memory': (object) => {
    object.spec.taskManager.resource.memory = '-1g';
  },
  'empty memory': (object) => {
    object.spec.taskManager.resource.memory = '';
  },
  'no memory': (object) => delete object.spec.taskManager.resource.memory,
  'memory as a number': (object) => {
    object.spec.taskManager.resource.memory = 4096;
  },
  'cpu as text': (object) => {
    object.spec.taskManager.resource.cpu = '2';
  },
  'cpu 0': (object) => {
    object.spec.taskManager.resource.cpu = 0;
  },
  'cpu -1': (object) => {
    object.spec.taskManager.resource.cpu = -1;
  },
  'a boolean among the arguments': (object) => {
    object.spec.job.args = [true];
  },
  'a boolean label': (object) => {
    object.metadata.labels.tier = true;
  },
  'a label value with a blank': (object) => {
    object.metadata.labels.tier = 'very high';
  },
  'arguments as text': (object) => {
    object.spec.job.args = '--verbose';
  },
  'kubernetes.cluster-id': (object) => {
    configuration(object)['kubernetes.cluster-id'] = 'orders';
  },
  'kubernetes.namespace': (object) => {
    configuration(object)['kubernetes.namespace'] = 'streaming';
  },
  'high-availability.cluster-id in a nested map': (object) => {
    configuration(object)['high-availability'] = { 'cluster-id': 'orders' };
  },
  'an unknown upgradeMode': (object) => {
    object.spec.job.upgradeMode = 'lastState';
  },
  'an unknown state': (object) => {
    object.spec.job.state = 'RUNNING';
  },
  'an unknown mode': (object) => {
    object.spec.mode = 'application';
  },
  'an unknown pull policy': (object) => {
    object.spec.imagePullPolicy = 'Sometimes';
  },
  'replicas of TaskManagers': (object) => {
    object.spec.taskManager.replicas = 3;
  },
  'no image': (object) => delete object.spec.image,
  'no jar': (object) => delete object.spec.job.jarURI,
  'a jar path with a space': (object) => {
    object.spec.job.jarURI = 'local:///opt/flink/my job.jar';
  },
  'a bad container name': (object) => {
    container(object).name = 'Flink_Main';
  },
  'a mount of a volume that is not defined': (object) => {
    object.spec.jobManager.podTemplate.spec.volumes = [];
  },
  'two sources of one volume': (object) => {
    object.spec.jobManager.podTemplate.spec.volumes[0].emptyDir = {};
  },
  'a variable twice': (object) => {
    container(object).env = [
      { name: 'A', value: '1' },
      { name: 'A', value: '2' },
    ];
  },
  'a variable with a value and a source': (object) => {
    container(object).env = [{ name: 'A', value: '1', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }];
  },
  'a toleration without a key': (object) => {
    object.spec.jobManager.podTemplate.spec.tolerations = [{ operator: 'Equal', value: 'x' }];
  },
  'the log configuration log4j.properties': (object) => {
    object.spec.logConfiguration = { 'log4j.properties': 'rootLogger.level = INFO' };
  },
  'a rollback without high availability': (object) => {
    configuration(object)['kubernetes.operator.deployment.rollback.enabled'] = 'true';
    delete configuration(object)['high-availability.type'];
  },
  'periodic savepoints without a directory': (object) => {
    object.spec.job.upgradeMode = 'stateless';
    configuration(object)['kubernetes.operator.periodic.savepoint.interval'] = '1 h';
    delete configuration(object)['execution.checkpointing.savepoint-dir'];
  },
  'an autoscaler target of -3': (object) => {
    configuration(object)['job.autoscaler.utilization.target'] = '-3';
  },
  'an explicit null': (object) => {
    object.spec.job.args = null;
  },
  'an unknown field': (object) => {
    object.spec.job.paralellism = 3;
  },
  'a status': (object) => {
    object.status = {};
  },
  'an API version that nobody serves': (object) => {
    object.apiVersion = 'flink.apache.org/v1';
  },
  'more than kubectl applies': (object) => {
    object.metadata.annotations.large = 'x'.repeat(262_144);
  },
};

const metadata = { name: 'orders', namespace: 'streaming' };
const topic = {
  apiVersion: 'kafka.strimzi.io/v1',
  kind: 'KafkaTopic',
  metadata: { ...metadata, labels: { 'strimzi.io/cluster': 'main' } },
  spec: { partitions: 3, replicas: 3, config: { 'cleanup.policy': 'compact' } },
};
const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'job.sql': 'SELECT 1' } };
const secret = {
  apiVersion: 'external-secrets.io/v1',
  kind: 'ExternalSecret',
  metadata,
  spec: {
    secretStoreRef: { kind: 'ClusterSecretStore', name: 'aws' },
    target: { name: 'orders', creationPolicy: 'Owner' },
    data: [{ secretKey: 'password', remoteRef: { key: 'db', property: 'password' } }],
  },
};
const rules = {
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'PrometheusRule',
  metadata,
  spec: {
    groups: [{ name: 'flink', interval: '30s', rules: [{ alert: 'Down', expr: 'up == 0', for: '5m', labels: { severity: 'page' } }] }],
  },
};
const monitor = {
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'PodMonitor',
  metadata,
  spec: { selector: { matchLabels: { app: 'orders' } }, podMetricsEndpoints: [{ port: 'metrics' }] },
};
const role = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  metadata,
  rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
};
const binding = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  metadata,
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'orders' },
  subjects: [{ kind: 'ServiceAccount', name: 'orders', namespace: 'streaming' }],
};

/** Good objects of the other kinds, which the refused ones below differ from. */
export const ACCEPTED_OBJECTS: { readonly [kind: string]: KubernetesObject } = {
  KafkaTopic: topic,
  ConfigMap: configMap,
  ExternalSecret: secret,
  PrometheusRule: rules,
  PodMonitor: monitor,
  Role: role,
  RoleBinding: binding,
};

/** Bad objects of the other kinds. */
export const REFUSED_OBJECTS: { readonly [what: string]: KubernetesObject } = {
  'a KafkaTopic of v1beta2': { ...topic, apiVersion: 'kafka.strimzi.io/v1beta2' },
  'a KafkaTopic of no cluster': { ...topic, metadata },
  'a KafkaTopic with 0 partitions': { ...topic, spec: { ...topic.spec, partitions: 0 } },
  'a KafkaTopic with partitions as text': { ...topic, spec: { ...topic.spec, partitions: '12' } },
  'a KafkaTopic with too many replicas': { ...topic, spec: { ...topic.spec, replicas: 32_768 } },
  'a KafkaTopic with an underscore in its name': { ...topic, metadata: { ...topic.metadata, name: 'dwd_order_item' } },
  'a ConfigMap key with a slash': { ...configMap, data: { 'sql/job.sql': 'SELECT 1' } },
  'numeric data of a ConfigMap': { ...configMap, data: { 'job.sql': 1 } },
  'an ExternalSecret of v1beta1': { ...secret, apiVersion: 'external-secrets.io/v1beta1' },
  'an ExternalSecret with an unknown creation policy': { ...secret, spec: { ...secret.spec, target: { creationPolicy: 'Maybe' } } },
  'a PrometheusRule for 5 minutes': { ...rules, spec: { groups: [{ name: 'a', rules: [{ alert: 'A', expr: 'up', for: '5 minutes' }] }] } },
  'a PrometheusRule every 30 s': { ...rules, spec: { groups: [{ name: 'a', interval: '30 s', rules: [] }] } },
  'a numeric label of a PrometheusRule': {
    ...rules,
    spec: { groups: [{ name: 'a', rules: [{ alert: 'A', expr: 'up', labels: { level: 1 } }] }] },
  },
  'a repeated group of a PrometheusRule': {
    ...rules,
    spec: {
      groups: [
        { name: 'a', rules: [] },
        { name: 'a', rules: [] },
      ],
    },
  },
  'a PodMonitor without a selector': { ...monitor, spec: { podMetricsEndpoints: [{ port: 'metrics' }] } },
  'a PodMonitor that selects every pod by a typing error': {
    ...monitor,
    spec: { ...monitor.spec, selector: { matchLabel: { app: 'orders' } } },
  },
  'a Role with a wildcard': { ...role, rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] },
  'a RoleBinding without a namespace of its subject': { ...binding, subjects: [{ kind: 'ServiceAccount', name: 'orders' }] },
  'a kind that no API serves': { apiVersion: 'v1', kind: 'FlinkJob', metadata },
};

const HEAD = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: b\n';

/** YAML files that a reader refuses, or that two readers read differently. */
export const REFUSED_FILES: { readonly [what: string]: string } = {
  'a key twice': `${HEAD}data:\n  a: x\n  a: y\n`,
  'a word that YAML 1.1 takes for a boolean': `${HEAD}data:\n  a: yes\n`,
  'a number with a leading zero': `${HEAD}data:\n  a: 0o17\n`,
  'a base-60 number': `${HEAD}data:\n  a: 1:30\n`,
  'an explicit null': `${HEAD}data:\n  a:\n`,
  'an unclosed quote': `${HEAD}data:\n  a: "x\n`,
};
