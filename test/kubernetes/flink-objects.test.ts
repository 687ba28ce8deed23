import { Duration, Size, Stack } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { App, Chart } from 'cdk8s';
import { EnvValue } from 'cdk8s-plus-27';
import type { FlinkApplicationProps } from '../../lib/application/flink-application';
import { FlinkArchitecture } from '../../lib/application/flink-architecture';
import { FlinkImage } from '../../lib/application/flink-image';
import { FlinkVersion } from '../../lib/application/flink-version';
import { StateBackend } from '../../lib/application/state-backend';
import { JobState, UpgradeMode } from '../../lib/application/upgrade';
import { ExternalSecretStore } from '../../lib/kubernetes/external-secret-store';
import { createFlinkObjects, type FlinkObjectsProps } from '../../lib/kubernetes/flink-objects';
import { SecretRef } from '../../lib/sql/secret-ref';
import type { Json } from '../fixtures/json';
import { application, programOf, sink, stream } from '../fixtures/programs';

function render(changed: Partial<FlinkApplicationProps> = {}, props: Partial<FlinkObjectsProps> = {}) {
  const objects = createFlinkObjects(new Chart(new App(), 'chart'), application(changed), { imageName: 'registry/orders:1', ...props });
  return {
    access: objects.access.map((object) => object.toJson()),
    script: objects.script?.toJson(),
    deployment: objects.flinkDeployment.toJson(),
  };
}

const pods = ({ deployment }: ReturnType<typeof render>) => [
  deployment.spec.jobManager.podTemplate,
  deployment.spec.taskManager.podTemplate,
];
const container = (pod: Json) => pod.spec.containers[0];

describe('the FlinkDeployment', () => {
  test('of a script runs it by the runner of the image, in native mode', () => {
    const { deployment, script } = render();
    expect(deployment).toMatchObject({
      apiVersion: 'flink.apache.org/v1beta1',
      kind: 'FlinkDeployment',
      metadata: {
        name: 'orders',
        namespace: 'streaming',
        labels: { 'app.kubernetes.io/managed-by': 'cdk-flink-pipeline', 'app.kubernetes.io/name': 'orders' },
      },
      spec: {
        image: 'registry/orders:1',
        imagePullPolicy: 'IfNotPresent',
        flinkVersion: 'v2_2',
        mode: 'native',
        serviceAccount: 'orders',
        jobManager: { replicas: 1, resource: { cpu: 1, memory: '2048m' } },
        taskManager: { resource: { cpu: 1, memory: '2048m' } },
        job: {
          jarURI: 'local:///opt/flink/usrlib/sql-runner.jar',
          entryClass: 'io.github.cdkflinkpipeline.runner.SqlRunner',
          args: ['/opt/flink/sql/job.sql'],
          parallelism: 4,
          upgradeMode: 'savepoint',
          state: 'running',
        },
      },
    });
    expect(script.data).toEqual({ 'job.sql': expect.stringContaining('INSERT INTO `printed`') });
  });

  test('never counts TaskManagers, whose number Flink chooses', () => {
    expect(render().deployment.spec.taskManager.replicas).toBeUndefined();
  });

  test('holds nothing that was not stated, not even as null', () => {
    const text = JSON.stringify(render());
    expect(text).not.toContain('null');
    for (const key of [
      'restartNonce',
      'allowNonRestoredState',
      'initialSavepointPath',
      'savepointTriggerNonce',
      'tolerations',
      'imagePullSecrets',
    ]) {
      expect(text).not.toContain(key);
    }
  });

  test('takes the handles of day two', () => {
    const { spec } = render({
      flinkVersion: FlinkVersion.of('2.2.0'),
      restartNonce: 3,
      upgradeMode: UpgradeMode.LAST_STATE,
      state: JobState.SUSPENDED,
      allowNonRestoredState: true,
      initialSavepointPath: 's3p://state/orders/savepoints/1',
      savepointTriggerNonce: 4,
      jobManager: { cpu: 2, memory: Size.gibibytes(3) },
      taskManager: { cpu: 0.5, memory: Size.gibibytes(4) },
    }).deployment;
    expect(spec).toMatchObject({
      restartNonce: 3,
      jobManager: { resource: { cpu: 2, memory: '3072m' } },
      taskManager: { resource: { cpu: 0.5, memory: '4096m' } },
      job: {
        upgradeMode: 'last-state',
        state: 'suspended',
        allowNonRestoredState: true,
        initialSavepointPath: 's3p://state/orders/savepoints/1',
        savepointTriggerNonce: 4,
      },
    });
  });
});

describe('pods', () => {
  test('mount the script into the job manager alone, read-only', () => {
    const rendered = render();
    const [jobManager, taskManager] = pods(rendered);
    expect(jobManager.spec.volumes).toEqual([
      { name: 'sql', configMap: { name: rendered.script.metadata.name, items: [{ key: 'job.sql', path: 'job.sql' }] } },
    ]);
    expect(container(jobManager).volumeMounts).toEqual([{ name: 'sql', mountPath: '/opt/flink/sql', readOnly: true }]);
    expect(taskManager.spec.volumes).toBeUndefined();
    expect(container(taskManager).volumeMounts).toBeUndefined();
  });

  test("load the plugins of the file systems in both, each in a container of Flink's name", () => {
    for (const pod of pods(render())) {
      expect(container(pod)).toMatchObject({
        name: 'flink-main-container',
        env: [{ name: 'ENABLE_BUILT_IN_PLUGINS', value: 'flink-s3-fs-presto-2.2.1.jar' }],
      });
    }
  });

  test('know the secrets in the job manager alone', () => {
    const secret = SecretRef.kubernetes('mysql', 'password');
    const [jobManager, taskManager] = pods(
      render({ program: programOf({ events: stream('clicks', 4), out: sink({}, {}, { secrets: [secret] }) }) }),
    );
    expect(container(jobManager).env).toContainEqual({
      name: secret.variableName,
      valueFrom: { secretKeyRef: { name: 'mysql', key: 'password' } },
    });
    expect(JSON.stringify(taskManager)).not.toContain('mysql');
  });

  test.each([
    ['with a limit', StateBackend.rocksDb({ localStorage: Size.gibibytes(20) }), { sizeLimit: '20480Mi' }],
    ['without one', StateBackend.rocksDb(), {}],
  ])('hold RocksDB on a volume %s, in TaskManagers alone', (_, stateBackend, emptyDir) => {
    const [jobManager, taskManager] = pods(render({ stateBackend }));
    expect(taskManager.spec.volumes).toEqual([{ name: 'local', emptyDir }]);
    expect(container(taskManager).volumeMounts).toEqual([{ name: 'local', mountPath: '/opt/flink/local' }]);
    expect(JSON.stringify(jobManager)).not.toContain('emptyDir');
  });

  test('carry in both what was asked for', () => {
    const pod = {
      labels: { team: 'shop' },
      annotations: { note: 'a b' },
      nodeSelector: { arch: 'arm64' },
      tolerations: [{ key: 'spot', effect: 'NoSchedule' }],
      imagePullSecrets: ['registry'],
      env: { LEVEL: EnvValue.fromValue('debug'), NODE: EnvValue.fromSecretValue({ secret: { name: 'node' } as never, key: 'name' }) },
    };
    for (const rendered of pods(render({ pod }))) {
      expect(rendered.metadata).toEqual({ labels: pod.labels, annotations: pod.annotations });
      expect(rendered.spec).toMatchObject({
        nodeSelector: pod.nodeSelector,
        tolerations: [{ key: 'spot', effect: 'NoSchedule', operator: 'Exists' }],
        imagePullSecrets: [{ name: 'registry' }],
      });
      expect(container(rendered).env).toEqual(
        expect.arrayContaining([
          { name: 'LEVEL', value: 'debug' },
          { name: 'NODE', valueFrom: { secretKeyRef: { name: 'node', key: 'name' } } },
        ]),
      );
    }
  });
});

describe('the architecture of the nodes', () => {
  const ARCHITECTURE = 'kubernetes.io/arch';
  const selectors = (changed: Partial<FlinkApplicationProps>) => pods(render(changed)).map(({ spec }) => spec.nodeSelector);

  test.each([
    ['amd64', FlinkImage.generated()],
    ['arm64', FlinkImage.generated({ architecture: FlinkArchitecture.ARM_64 })],
  ])('is %s, of the image that is built', (architecture, image) => {
    expect(selectors({ image })).toEqual([{ [ARCHITECTURE]: architecture }, { [ARCHITECTURE]: architecture }]);
    expect(selectors({ image, pod: { nodeSelector: { pool: 'flink' } } })[0]).toEqual({ [ARCHITECTURE]: architecture, pool: 'flink' });
  });

  test('is what is stated', () => {
    const stated = { [ARCHITECTURE]: 'arm64' };
    expect(selectors({ pod: { nodeSelector: stated } })).toEqual([stated, stated]);
  });

  test('is open for a named image, which may have several', () => {
    const image = FlinkImage.named('registry/orders:1');
    expect(selectors({ image })).toEqual([undefined, undefined]);
    expect(selectors({ image, pod: { nodeSelector: { pool: 'flink' } } })[0]).toEqual({ pool: 'flink' });
  });
});

describe('secrets of Secrets Manager', () => {
  const external = (...refs: SecretRef[]) =>
    createFlinkObjects(
      new Chart(new App(), 'chart'),
      application({ program: programOf({ events: stream('clicks', 4), out: sink({}, {}, { secrets: refs }) }) }),
      { imageName: 'registry/orders:1', externalSecretStore: ExternalSecretStore.cluster('aws') },
    )
      .access.map((object) => object.toJson())
      .filter(({ kind }) => kind === 'ExternalSecret');
  const named = (id: string, name = 'shop/mysql') => Secret.fromSecretNameV2(new Stack(), id, name);

  test('of one name are one ExternalSecret, whatever the constructs are called', () => {
    const [first, ...others] = external(
      SecretRef.secretsManager(named('A'), 'user'),
      SecretRef.secretsManager(named('B'), 'password'),
      SecretRef.secretsManager(named('C'), 'password'),
    );
    expect(others).toEqual([]);
    expect(first.spec.data).toEqual([
      { secretKey: 'password', remoteRef: { key: 'shop/mysql', property: 'password' } },
      { secretKey: 'user', remoteRef: { key: 'shop/mysql', property: 'user' } },
    ]);
    expect(external(SecretRef.secretsManager(named('D'), 'password'))[0].metadata.name).toBe(first.metadata.name);
  });

  test('of two names are two', () => {
    const two = external(SecretRef.secretsManager(named('A'), 'user'), SecretRef.secretsManager(named('A', 'shop/other'), 'user'));
    expect(new Set(two.map(({ metadata }) => metadata.name)).size).toBe(2);
  });
});

describe('the script', () => {
  test('is immutable and named by its digest', () => {
    const name = (changed: Partial<FlinkApplicationProps>) => render(changed).script.metadata.name;
    expect(render().script.immutable).toBe(true);
    expect(name({})).toMatch(/^orders-sql-[0-9a-f]{10}$/);
    expect(name({ restartNonce: 1 })).toBe(name({}));
    expect(name({ stateTtl: Duration.days(1) })).not.toBe(name({}));
  });
});

describe('access', () => {
  test('is an account with a role of pods, ConfigMaps and deployments, without a wildcard', () => {
    const [account, role, binding] = render().access;
    expect(account.metadata.annotations).toBeUndefined();
    expect(role.rules.map(({ apiGroups, resources }: Json) => ({ apiGroups, resources }))).toEqual([
      { apiGroups: [''], resources: ['pods', 'configmaps'] },
      { apiGroups: ['apps'], resources: ['deployments', 'deployments/finalizers'] },
    ]);
    expect(JSON.stringify(role)).not.toContain('*');
    expect(binding).toMatchObject({
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'orders' },
      subjects: [{ kind: 'ServiceAccount', name: 'orders', namespace: 'streaming' }],
    });
  });

  test('has the annotations that are given', () => {
    const [account] = render({}, { serviceAccountAnnotations: { 'eks.amazonaws.com/role-arn': 'arn' } }).access;
    expect(account.metadata.annotations).toEqual({ 'eks.amazonaws.com/role-arn': 'arn' });
  });

  test('is none for an account that is there', () => {
    const rendered = render({}, { serviceAccountName: 'flink' });
    expect(rendered.access).toEqual([]);
    expect(rendered.deployment.spec.serviceAccount).toBe('flink');
  });

  test.each(['Flink', 'a_b', '', '-a'])("refuses the account name '%s'", (serviceAccountName) => {
    expect(() => render({}, { serviceAccountName })).toThrow(
      `serviceAccountName must be at most 253 lower case letters, digits, '-' and '.', got '${serviceAccountName}'`,
    );
  });
});
