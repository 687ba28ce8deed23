import { ApiObject, type ApiObjectProps } from 'cdk8s';
import type { Construct } from 'constructs';
import { createHash } from 'crypto';
import { readFileSync } from 'fs';
import { join } from 'path';

const NAME = 'user-events';
const NAMESPACE = 'streaming';
const STATE = 's3p://flink-state-111122223333-cn-north-1/user-events';
const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const PLUGINS = { name: 'ENABLE_BUILT_IN_PLUGINS', value: 'flink-s3-fs-presto-2.2.1.jar' };
const SCRIPT = readFileSync(join(__dirname, 'user-events.sql'), 'utf8');
const SCRIPT_NAME = `${NAME}-sql-${createHash('sha256').update(SCRIPT).digest('hex').slice(0, 10)}`;

/** Service account of the job and what it may do. */
export function access(scope: Construct): ApiObject[] {
  return [
    new ApiObject(scope, 'ServiceAccount', { apiVersion: 'v1', kind: 'ServiceAccount', metadata: metadata(NAME) }),
    new ApiObject(scope, 'Role', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: metadata(NAME),
      rules: [
        { apiGroups: [''], resources: ['pods', 'configmaps'], verbs: VERBS },
        { apiGroups: ['apps'], resources: ['deployments', 'deployments/finalizers'], verbs: VERBS },
      ],
    } as ApiObjectProps),
    new ApiObject(scope, 'RoleBinding', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: metadata(NAME),
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: NAME },
      subjects: [{ kind: 'ServiceAccount', name: NAME, namespace: NAMESPACE }],
    } as ApiObjectProps),
  ];
}

/** The SQL of the job. */
export function script(scope: Construct): ApiObject {
  return new ApiObject(scope, 'Script', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      ...metadata(SCRIPT_NAME),
      annotations: { 'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false', 'kustomize.toolkit.fluxcd.io/prune': 'disabled' },
    },
    immutable: true,
    data: { 'job.sql': SCRIPT },
  } as ApiObjectProps);
}

/** The job. */
export function flinkDeployment(scope: Construct): ApiObject {
  return new ApiObject(scope, 'FlinkDeployment', {
    apiVersion: 'flink.apache.org/v1beta1',
    kind: 'FlinkDeployment',
    metadata: {
      ...metadata(NAME),
      annotations: { 'cdk-flink-pipeline/derived-values': readFileSync(join(__dirname, 'derived-values.txt'), 'utf8').trimEnd() },
    },
    spec: {
      image: '111122223333.dkr.ecr.cn-north-1.amazonaws.com.cn/user-events:1.0.0',
      imagePullPolicy: 'IfNotPresent',
      flinkVersion: 'v2_2',
      mode: 'native',
      serviceAccount: NAME,
      flinkConfiguration: {
        'execution.checkpointing.dir': `${STATE}/checkpoints`,
        'execution.checkpointing.externalized-checkpoint-retention': 'RETAIN_ON_CANCELLATION',
        'execution.checkpointing.interval': '30 s',
        'execution.checkpointing.local-backup.enabled': 'true',
        'execution.checkpointing.max-concurrent-checkpoints': '1',
        'execution.checkpointing.min-pause': '10 s',
        'execution.checkpointing.mode': 'EXACTLY_ONCE',
        'execution.checkpointing.savepoint-dir': `${STATE}/savepoints`,
        'execution.checkpointing.timeout': '1 min',
        'execution.checkpointing.tolerable-failed-checkpoints': '3',
        'execution.checkpointing.unaligned.enabled': 'false',
        'execution.state-recovery.from-local': 'true',
        'high-availability.storageDir': `${STATE}/ha`,
        'high-availability.type': 'kubernetes',
        'kubernetes.operator.savepoint.format.type': 'NATIVE',
        'pipeline.max-parallelism': '720',
        's3.endpoint': 'https://s3.cn-north-1.amazonaws.com.cn',
        'state.backend.type': 'hashmap',
        'taskmanager.numberOfTaskSlots': '4',
      },
      jobManager: {
        replicas: 1,
        resource: { cpu: 1, memory: '2048m' },
        podTemplate: {
          spec: {
            containers: [
              {
                name: 'flink-main-container',
                env: [
                  PLUGINS,
                  {
                    name: 'SECRET_MYSQL_ANALYTICS_PASSWORD_603A39',
                    valueFrom: { secretKeyRef: { name: 'mysql-analytics', key: 'password' } },
                  },
                ],
                volumeMounts: [{ name: 'sql', mountPath: '/opt/flink/sql', readOnly: true }],
              },
            ],
            volumes: [{ name: 'sql', configMap: { name: SCRIPT_NAME, items: [{ key: 'job.sql', path: 'job.sql' }] } }],
          },
        },
      },
      taskManager: {
        resource: { cpu: 4, memory: '8192m' },
        podTemplate: { spec: { containers: [{ name: 'flink-main-container', env: [PLUGINS] }] } },
      },
      job: {
        jarURI: 'local:///opt/flink/usrlib/sql-runner.jar',
        entryClass: 'io.github.cdkflinkpipeline.runner.SqlRunner',
        args: ['/opt/flink/sql/job.sql'],
        parallelism: 12,
        upgradeMode: 'savepoint',
        state: 'running',
      },
    },
  } as ApiObjectProps);
}

function metadata(name: string) {
  return {
    name,
    namespace: NAMESPACE,
    labels: { 'app.kubernetes.io/managed-by': 'cdk-flink-pipeline', 'app.kubernetes.io/name': NAME },
  };
}
