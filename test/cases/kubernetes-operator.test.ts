import { Duration, Size, Stack, Token } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import {
  CheckpointStorage,
  DeploymentTarget,
  FlinkImage,
  FlinkVersion,
  JarProgram,
  JobIdentity,
  StateBackend,
  UpgradeMode,
} from '../../lib';
import type { FlinkApplicationProps } from '../../lib/application/flink-application';
import { flinkDeploymentErrors } from '../../lib/target/flink-deployment-errors';
import { flinkDeployment } from '../fixtures/flink-deployment';
import type { Json } from '../fixtures/json';
import { application, programOf, sink, stream } from '../fixtures/programs';
import { externalStream, job, manifest, newStack, printed, resources } from '../fixtures/stacks';
import { objects, shownWarnings } from './job-fixtures';

const STORAGE = CheckpointStorage.location('s3p://state/orders');

/** What a change of the spec by an escape hatch leads to. */
function patched(change: (spec: Json) => void): string[] {
  const object = flinkDeployment();
  change(object.spec);
  return flinkDeploymentErrors(object);
}

function configuration(changed: Partial<FlinkApplicationProps> = {}): { [key: string]: string } {
  return objects(changed).FlinkDeployment.spec.flinkConfiguration;
}

describe('OP-01 last-state needs high availability and a checkpoint directory', () => {
  test('both are written without asking', () => {
    const deployment = objects({ upgradeMode: UpgradeMode.LAST_STATE }).FlinkDeployment;
    expect(deployment.spec.job.upgradeMode).toBe('last-state');
    expect(deployment.spec.flinkConfiguration).toMatchObject({
      'high-availability.type': 'kubernetes',
      'high-availability.storageDir': 's3p://state/orders/ha',
      'execution.checkpointing.dir': 's3p://state/orders/checkpoints',
    });
  });

  test('the bucket of a stack gives them as tokens', () => {
    const storage = CheckpointStorage.s3(new Bucket(new Stack(), 'State'), 'orders');
    const { flinkConfiguration } = application({ upgradeMode: UpgradeMode.LAST_STATE, checkpointing: { storage } });
    expect(Token.isUnresolved(flinkConfiguration['high-availability.storageDir'])).toBe(true);
  });

  test('a patch that takes the directory away is refused', () => {
    const without = (spec: Json) => {
      spec.job.upgradeMode = 'last-state';
      delete spec.flinkConfiguration['execution.checkpointing.dir'];
    };
    expect(patched(without)).toEqual([expect.stringContaining("'last-state' needs 'execution.checkpointing.dir'")]);
    expect(patched((spec) => (spec.job.upgradeMode = 'last-state'))).toEqual([]);
  });
});

describe('OP-02 savepoints need a directory', () => {
  test('it is written without asking, for upgrades and for periodic savepoints', () => {
    const flinkConfiguration = { 'kubernetes.operator.periodic.savepoint.interval': '6 h' };
    expect(configuration({ flinkConfiguration })).toMatchObject({
      'execution.checkpointing.savepoint-dir': 's3p://state/orders/savepoints',
      'kubernetes.operator.periodic.savepoint.interval': '6 h',
    });
    expect(objects().FlinkDeployment.spec.job.upgradeMode).toBe('savepoint');
  });

  test('a patch that takes it away is refused', () => {
    expect(patched((spec) => delete spec.flinkConfiguration['execution.checkpointing.savepoint-dir'])).toEqual([
      expect.stringContaining("'savepoint' needs 'execution.checkpointing.savepoint-dir'"),
    ]);
  });
});

describe('OP-03 names of a FlinkDeployment', () => {
  test.each(['Orders_Enrichment-prod', '1st-job', 'orders-', 'a.b', 'o'.repeat(46)])('%s is refused', (jobName) => {
    expect(() => application({ jobName })).toThrow(
      `jobName must be at most 45 lower case letters, digits and '-', beginning with a letter and not ending with '-', got '${jobName}'`,
    );
  });

  test.each(['o'.repeat(45), 'orders-enrichment-prod', 'job-1'])('%s passes as it is', (jobName) => {
    expect(objects({ jobName }).FlinkDeployment.metadata.name).toBe(jobName);
  });

  test('a token is refused: paths and transactional ids carry the name', () => {
    expect(() => application({ jobName: Token.asString({ Ref: 'Name' }) })).toThrow('jobName must be known at synth');
  });
});

test('OP-04 every option is text, whatever Flink reads it as', () => {
  const options = configuration({ taskSlots: 2, checkpointing: { storage: STORAGE, unaligned: true, interval: Duration.seconds(90) } });
  expect(options).toMatchObject({
    'taskmanager.numberOfTaskSlots': '2',
    'execution.checkpointing.unaligned.enabled': 'true',
    'execution.checkpointing.interval': expect.stringMatching(/^\d+ ?\w+$/),
  });
  expect(Object.values(options).filter((value) => typeof value !== 'string')).toEqual([]);
  expect(() => application({ flinkConfiguration: { 'web.timeout': 5 as never } })).toThrow("'web.timeout' must be text, got the number 5");
});

describe('OP-05 the container of Flink', () => {
  test('has the name that the operator looks for, on both processes', () => {
    const { jobManager, taskManager } = objects().FlinkDeployment.spec;
    for (const { podTemplate } of [jobManager, taskManager]) {
      expect(podTemplate.spec.containers.map(({ name }: Json) => name)).toEqual(['flink-main-container']);
    }
  });

  test('a patch can still add a sidecar, and one without an image is refused', () => {
    const adding = (container: Json) => patched((spec) => spec.jobManager.podTemplate.spec.containers.push(container));
    expect(adding({ name: 'logs', image: 'registry/logs:1' })).toEqual([]);
    expect(adding({ name: 'logs', image: { Ref: 'Image' } })).toEqual([]);
    expect(adding({ name: 'flink', env: [{ name: 'A', value: 'b' }] })).toEqual([
      "'spec.jobManager.podTemplate.spec.containers' of FlinkDeployment 'orders' has the container 'flink' without an image: a sidecar needs one, and what is meant for Flink stands in 'flink-main-container'",
    ]);
    expect(patched((spec) => (spec.podTemplate = { spec: { containers: [{ name: 'flink' }] } }))).toHaveLength(1);
  });
});

describe('OP-07 replicas of TaskManagers', () => {
  test('are left out: the parallelism alone counts', () => {
    const { spec } = objects({ parallelism: 4, taskSlots: 2 }).FlinkDeployment;
    expect(spec.taskManager.replicas).toBeUndefined();
    expect(spec.job.parallelism).toBe(4);
  });

  test('a patch that sets them is refused', () => {
    expect(patched((spec) => (spec.taskManager.replicas = 2))).toEqual([
      "'spec.taskManager.replicas' of FlinkDeployment 'orders' must be left out: the parallelism of the job would be ignored",
    ]);
  });
});

describe('OP-08 the service account of a job', () => {
  test('is written with a role for what a job manager does, in the namespace of the job', () => {
    const { ServiceAccount, Role, RoleBinding, FlinkDeployment } = objects();
    expect(FlinkDeployment.spec.serviceAccount).toBe(ServiceAccount.metadata.name);
    expect(RoleBinding.subjects).toEqual([{ kind: 'ServiceAccount', name: 'orders', namespace: 'streaming' }]);
    expect(RoleBinding.roleRef.name).toBe(Role.metadata.name);
    expect([ServiceAccount, Role, RoleBinding].map(({ metadata }) => metadata.namespace)).toEqual(Array(3).fill('streaming'));
    expect(Role.rules.flatMap(({ resources: kinds }: Json) => kinds)).toEqual([
      'pods',
      'configmaps',
      'deployments',
      'deployments/finalizers',
    ]);
  });

  test('an existing one is used as it is, an empty name refused', () => {
    const written = objects({}, { serviceAccountName: 'flink' });
    expect(written.FlinkDeployment.spec.serviceAccount).toBe('flink');
    expect(Object.keys(written).sort()).toEqual(['ConfigMap', 'FlinkDeployment']);
    expect(() => objects({}, { serviceAccountName: '' })).toThrow('serviceAccountName must');
    expect(patched((spec) => delete spec.serviceAccount)).toEqual([expect.stringContaining('must name a service account')]);
  });
});

describe('OP-09 what the validator of the operator refuses', () => {
  test.each(['kubernetes.cluster-id', 'kubernetes.namespace', 'high-availability.cluster-id'])('%s', (key) => {
    expect(() => application({ flinkConfiguration: { [key]: 'orders' } })).toThrow(`'${key}' is refused by the Flink Kubernetes operator`);
    expect(patched((spec) => (spec.flinkConfiguration[key] = 'orders'))).toHaveLength(1);
  });

  test('a standby job manager without high availability', () => {
    const standby = (spec: Json) => {
      spec.jobManager.replicas = 2;
      delete spec.flinkConfiguration['high-availability.type'];
    };
    expect(patched(standby)).toEqual([expect.stringContaining('must be 1 without high availability')]);
    expect(patched((spec) => (spec.jobManager.replicas = 2))).toEqual([]);
  });

  test('a log file by another name', () => {
    expect(patched((spec) => (spec.logConfiguration = { 'log4j.properties': 'x' }))).toHaveLength(1);
    expect(patched((spec) => (spec.logConfiguration = { 'log4j-console.properties': 'x', 'logback-console.xml': 'x' }))).toEqual([]);
  });
});

describe('OP-10 sizes', () => {
  test("memory is in Flink's notation, where m is mebibytes; quantities of Kubernetes in Mi", () => {
    const { spec } = objects({
      taskManager: { memory: Size.gibibytes(2), ephemeralStorage: Size.gibibytes(10), cpu: 0.5 },
      stateBackend: StateBackend.rocksDb({ localStorage: Size.gibibytes(2) }),
    }).FlinkDeployment;
    expect(spec.taskManager.resource).toEqual({ cpu: 0.5, memory: '2048m', ephemeralStorage: '10240Mi' });
    expect(spec.taskManager.podTemplate.spec.volumes).toEqual([{ name: 'local', emptyDir: { sizeLimit: '2048Mi' } }]);
  });

  test.each(['2g', '2Gi', '2G', '2048m'])('%s as text is refused', (memory) => {
    expect(() => application({ taskManager: { memory: memory as never } })).toThrow(/memory.*Size/);
  });

  test('a patch with milli-bytes in a quantity is refused, with mebibytes it passes', () => {
    const limit = (sizeLimit: string) =>
      patched((spec) => (spec.taskManager.podTemplate.spec.volumes = [{ name: 'scratch', emptyDir: { sizeLimit } }]));
    expect(limit('2048m')).toEqual([expect.stringContaining("got '2048m', thousandths of a byte for Kubernetes: write Mi")]);
    expect(limit('2048Mi')).toEqual([]);
    expect(patched((spec) => (spec.taskManager.podTemplate.spec.containers[0].resources = { limits: { memory: '2048m' } }))).toHaveLength(
      1,
    );
    expect(patched((spec) => (spec.taskManager.podTemplate.spec.containers[0].resources = { limits: { cpu: '500m' } }))).toEqual([]);
  });
});

describe('OP-11 the jar of a job', () => {
  test('is a path within the image', () => {
    expect(objects().FlinkDeployment.spec.job.jarURI).toMatch(/^local:\/\/\/opt\/flink\/usrlib\/.*\.jar$/);
  });

  test.each(['s3://bucket/app.jar', 'app.jar', 'http://internal/app.jar', 'local://app.jar'])('%s is refused', (jarUri) => {
    expect(() => new JarProgram({ jarUri })).toThrow(`got '${jarUri}'`);
  });

  test('local: and a token pass', () => {
    expect(() => new JarProgram({ jarUri: 'local:///opt/flink/usrlib/app.jar' })).not.toThrow();
    expect(() => new JarProgram({ jarUri: Token.asString({ Ref: 'Jar' }) })).not.toThrow();
  });
});

describe('OP-12 the S3 plugin', () => {
  const plugin = (uri: string) => {
    const { jobManager, taskManager } = objects({ checkpointing: { storage: CheckpointStorage.location(uri) } }).FlinkDeployment.spec;
    return [jobManager, taskManager].map(
      ({ podTemplate }) => podTemplate.spec.containers[0].env?.find(({ name }: Json) => name === 'ENABLE_BUILT_IN_PLUGINS')?.value,
    );
  };

  test.each([
    ['s3p://state/orders', 'flink-s3-fs-presto'],
    ['s3://state/orders', 'flink-s3-fs-presto'],
    ['s3a://state/orders', 'flink-s3-fs-hadoop'],
  ])('for %s it is switched on for both processes, at the exact version of Flink', (uri, name) => {
    const jar = `${name}-${FlinkVersion.V2_2.fullVersion}.jar`;
    expect(plugin(uri)).toEqual([jar, jar]);
  });

  test('is left out where no path is on S3', () => {
    expect(plugin('file:///state/orders')).toEqual([undefined, undefined]);
  });
});

describe('OP-13 credentials of S3 with Pod Identity and IRSA', () => {
  test('the plugin for checkpoints needs none, that for s3a a chain that knows both', () => {
    expect(Object.keys(configuration()).filter((key) => key.includes('credentials'))).toEqual([]);
    expect(configuration({ checkpointing: { storage: CheckpointStorage.location('s3a://state/orders') } })).toMatchObject({
      'fs.s3a.aws.credentials.provider': 'com.amazonaws.auth.DefaultAWSCredentialsProviderChain',
    });
  });

  test('with IRSA the service account names the role, with Pod Identity an association does', () => {
    const stack = newStack();
    const created = job(stack, {
      identity: JobIdentity.irsa({
        openIdConnectProviderArn: 'arn:aws:iam::111122223333:oidc-provider/oidc.eks.eu-central-1.amazonaws.com/id/A',
        openIdConnectProviderIssuer: 'oidc.eks.eu-central-1.amazonaws.com/id/A',
      } as never),
    });
    const account = manifest(stack, 'ServiceAccount').objects.find(({ kind }) => kind === 'ServiceAccount');
    expect(Object.keys(account.metadata.annotations)).toEqual(['eks.amazonaws.com/role-arn']);
    expect(created.role).toBeDefined();
    const other = newStack();
    job(other);
    expect(Object.keys(resources(other, 'AWS::EKS::PodIdentityAssociation'))).toHaveLength(1);
  });
});

test('OP-14 the mode is always native, and always with a job: neither can be changed on an object that is there', () => {
  const { spec } = objects().FlinkDeployment;
  expect(spec.mode).toBe('native');
  expect(spec.job).toBeDefined();
});

describe('OP-15 state belongs to the name of the job', () => {
  test('another construct id changes neither the object nor its logical id', () => {
    const [one, other] = ['Orders', 'OrdersJob'].map((id) => {
      const stack = newStack();
      job(stack, {}, id);
      return manifest(stack, 'FlinkDeployment');
    });
    expect(other!.id).toBe(one!.id);
    expect(other!.objects).toEqual(one!.objects);
  });

  test('a name has no default', () => {
    expect(() => job(newStack(), { jobName: undefined as never })).toThrow('jobName');
  });

  test('a job that is moved to another name can start from the savepoint of the old one', () => {
    const initialSavepointPath = 's3p://state/orders/savepoints/savepoint-1';
    expect(objects({ jobName: 'orders-2', initialSavepointPath }).FlinkDeployment.spec.job.initialSavepointPath).toBe(initialSavepointPath);
  });
});

describe('OP-16 RocksDB has a volume of its own and its memory stays managed', () => {
  const rocksDb = StateBackend.rocksDb({ localStorage: Size.gibibytes(80) });

  test('the state lies on the volume, with its limit', () => {
    const { spec } = objects({ stateBackend: rocksDb }).FlinkDeployment;
    const [mount] = spec.taskManager.podTemplate.spec.containers[0].volumeMounts;
    expect(spec.taskManager.podTemplate.spec.volumes).toEqual([{ name: mount.name, emptyDir: { sizeLimit: '81920Mi' } }]);
    expect(spec.flinkConfiguration['state.backend.rocksdb.localdir']).toMatch(`${mount.mountPath}/`);
  });

  test('without a stated size it lies on a volume all the same, whose limit is that of the pod', () => {
    const disk = { taskManager: { ephemeralStorage: Size.gibibytes(90) } };
    const { spec } = objects({ stateBackend: StateBackend.rocksDb(), ...disk }).FlinkDeployment;
    const [volume] = spec.taskManager.podTemplate.spec.volumes;
    expect(spec.taskManager.podTemplate.spec.containers[0].volumeMounts).toEqual([expect.objectContaining({ name: volume.name })]);
    expect(volume.emptyDir).toEqual({});
    expect(spec.taskManager.resource.ephemeralStorage).toBe('92160Mi');
  });

  test('a disk of the pod below its volume is a warning, silent once acknowledged', () => {
    const changed = { stateBackend: rocksDb, taskManager: { ephemeralStorage: Size.gibibytes(20) } };
    expect(shownWarnings(changed)).toEqual(['cdk-flink-pipeline:LocalStorage']);
    expect(shownWarnings(changed, ['cdk-flink-pipeline:LocalStorage'])).toEqual([]);
  });

  test.each([[{ 'state.backend.rocksdb.memory.managed': 'false' }], [{ 'taskmanager.memory.jvm-overhead.fraction': '0.05' }]])(
    '%j is a warning, silent once acknowledged',
    (flinkConfiguration) => {
      const changed = { stateBackend: rocksDb, flinkConfiguration };
      expect(shownWarnings(changed)).toEqual(['cdk-flink-pipeline:RocksDbMemory']);
      expect(shownWarnings(changed, ['cdk-flink-pipeline:RocksDbMemory'])).toEqual([]);
    },
  );

  test.each([
    [{ 'state.backend.rocksdb.memory.managed': 'true' }],
    [{ 'taskmanager.memory.jvm-overhead.fraction': '0.1' }],
    [{ 'taskmanager.memory.jvm-overhead.fraction': Token.asString({ Ref: 'Overhead' }) }],
  ])('%j passes', (flinkConfiguration) => {
    expect(shownWarnings({ stateBackend: rocksDb, flinkConfiguration })).toEqual([]);
  });

  test('state on the heap passes', () => {
    expect(shownWarnings({ flinkConfiguration: { 'taskmanager.memory.jvm-overhead.fraction': '0.05' } })).toEqual([]);
  });
});

describe('OP-17 large scripts', () => {
  /** A character of three bytes: what counts are bytes. */
  const programOfBytes = (bytes: number) =>
    programOf({ events: stream('clicks', 4), printed: sink() }, `SELECT id, at FROM events WHERE id <> '${'界'.repeat(bytes / 3)}'`);

  test('beyond what a ConfigMap holds are refused', () => {
    expect(() => objects({ program: programOfBytes(1_050_000) })).toThrow(
      /ConfigMap 'orders-sql-\w+' holds \d+ bytes of data, more than 1048576/,
    );
    expect(() => objects({ program: programOfBytes(1_040_000) })).not.toThrow();
  });

  test('beyond what kubectl applies are refused where a deployment does that, and pass in a file', () => {
    const synth = (length: number, target?: DeploymentTarget) => {
      const stack = newStack();
      const program = printed(externalStream());
      program.addInsert(program._tables()[1]!, `SELECT line FROM events WHERE line <> '${'x'.repeat(length)}'`);
      job(stack, { program, ...(target && { target }) });
      return () => Template.fromStack(stack);
    };
    expect(synth(300_000)).toThrow(/ConfigMap 'clicks-sql-\w+' takes \d+ bytes as kubectl applies it, more than 262144: make it smaller/);
    expect(synth(240_000)).not.toThrow();
    expect(synth(300_000, DeploymentTarget.manifests({ namespace: 'streaming', clusterName: 'main' }))).not.toThrow();
  });
});

describe('OP-18 an image that cannot be pulled', () => {
  const flinkConfiguration = { 'kubernetes.operator.deployment.rollback.enabled': 'true' };

  test('a rollback is an option with high availability, and refused without', () => {
    expect(configuration({ flinkConfiguration })).toMatchObject(flinkConfiguration);
    expect(() => objects({ flinkConfiguration, highAvailability: false })).toThrow('cdk-flink-pipeline:RollbackWithoutHighAvailability');
    expect(() =>
      objects({ flinkConfiguration: { 'kubernetes.operator.deployment.rollback.enabled': 'false' }, highAvailability: false }),
    ).not.toThrow();
  });

  test('a tag that moves is a warning, silent once acknowledged', () => {
    const image = FlinkImage.named('registry/orders:latest');
    expect(shownWarnings({ image })).toEqual(['cdk-flink-pipeline:FloatingImageTag']);
    expect(shownWarnings({ image }, ['cdk-flink-pipeline:FloatingImageTag'])).toEqual([]);
    expect(shownWarnings({ image: FlinkImage.named('registry/orders:1.0.1') })).toEqual([]);
    expect(shownWarnings({ image: FlinkImage.named(Token.asString({ Ref: 'Image' })) })).toEqual([]);
  });
});
