import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { ApiObjectProps } from 'cdk8s';
import { createHash } from 'crypto';
import type { FlinkApplication } from '../application/flink-application';
import { literalSecretName, SECRET_KEY, type SecretRef, secretIdentity } from '../sql/secret-ref';
import { ExternalSecretStore } from './external-secret-store';
import { objectMetadata } from './object-metadata';

/** Key for a Secrets Manager secret that is taken whole. */
const WHOLE = 'value';

/** Name and key of the Kubernetes Secret that holds the value of a reference. */
export function secretKeyRef(application: FlinkApplication, ref: SecretRef): { name: string; key: string } {
  return ref.secret ? { name: secretName(application, ref.secret), key: keyOf(ref) } : { name: ref.secretName!, key: ref.key! };
}

/**
 * The ExternalSecrets that bring the Secrets Manager secrets of a job into its namespace, one for each secret.
 *
 * @param application the job
 * @param store the store that reads Secrets Manager; unset where the job uses no such secret
 */
export function externalSecrets(application: FlinkApplication, store?: ExternalSecretStore): ApiObjectProps[] {
  const bySecret = new Map<string, { secret: ISecret; refs: SecretRef[] }>();
  for (const ref of application._secrets()) {
    if (ref.secret) {
      const name = secretName(application, ref.secret);
      bySecret.set(name, { secret: ref.secret, refs: [...(bySecret.get(name)?.refs ?? []), ref] });
    }
  }
  if (bySecret.size > 0 && !(store instanceof ExternalSecretStore)) {
    throw new Error(
      `job '${application.jobName}' uses secrets of Secrets Manager: name the store of the External Secrets Operator that reads them, ` +
        "such as externalSecretStore: ExternalSecretStore.cluster('aws-secrets-manager')",
    );
  }
  return [...bySecret].map(
    ([name, { secret, refs }]) =>
      ({
        apiVersion: 'external-secrets.io/v1',
        kind: 'ExternalSecret',
        metadata: objectMetadata(application, name),
        spec: {
          refreshInterval: '1h',
          secretStoreRef: { kind: store!.kind, name: store!.name },
          target: { name, creationPolicy: 'Owner' },
          data: refs.map((ref) => ({
            secretKey: keyOf(ref),
            remoteRef: { key: literalSecretName(secret) ?? secret.secretName, ...(ref.key !== undefined && { property: ref.key }) },
          })),
        },
      }) as ApiObjectProps,
  );
}

function secretName(application: FlinkApplication, secret: ISecret): string {
  return `${application.jobName}-secret-${createHash('sha256').update(secretIdentity(secret)).digest('hex').slice(0, 8)}`;
}

/** A field may have any name, a key of a Kubernetes Secret may not; and a field `value` is not the whole secret. */
function keyOf(ref: SecretRef): string {
  const key = ref.key ?? WHOLE;
  return SECRET_KEY.test(key) && ref.key !== WHOLE ? key : ref.variableName;
}
