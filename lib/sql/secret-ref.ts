import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { createHash } from 'crypto';

/**
 * A secret value that a table option needs: a password, a connection URI.
 *
 * The value reaches the job as an environment variable of its job manager and is put into the SQL inside the JVM. It never
 * stands in the SQL script, a ConfigMap, a template, `pipeline.json` or a log.
 */
export class SecretRef {
  /**
   * A key of a Kubernetes Secret in the namespace of the job.
   *
   * @param secretName name of the Secret
   * @param key key within the Secret
   */
  public static kubernetes(secretName: string, key: string): SecretRef {
    if (!secretName || !key) {
      throw new Error(`a Kubernetes secret needs a name and a key, got name '${secretName}' and key '${key}'`);
    }
    return new SecretRef(`${secretName}/${key}`, secretName, key);
  }

  /**
   * An AWS Secrets Manager secret, brought into the cluster by an `ExternalSecret` of the External Secrets Operator.
   *
   * The job must name a secret store (`externalSecretStore`); it is the operator's role that reads the secret, not the job's.
   *
   * @param secret the secret
   * @param field field of a JSON secret
   * @default field - the whole secret string
   */
  public static secretsManager(secret: ISecret, field?: string): SecretRef {
    return new SecretRef(`${secret.node.path}/${field ?? ''}`, undefined, field, secret);
  }

  /** Name of the environment variable that holds the value in the job manager. */
  public readonly variableName: string;

  private constructor(
    identity: string,
    /** Name of the Kubernetes Secret, unset for a Secrets Manager secret. */
    public readonly secretName?: string,
    /** Key within the Kubernetes Secret, or field of the Secrets Manager secret. */
    public readonly key?: string,
    /** The Secrets Manager secret, unset for a Kubernetes Secret. */
    public readonly secret?: ISecret,
  ) {
    const readable = identity
      .replace(/[^A-Za-z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(-40)
      .toUpperCase();
    // The digest tells `a-b/c` from `a/b-c`, which read the same in an environment variable.
    this.variableName = `SECRET_${readable}_${createHash('sha256').update(identity).digest('hex').slice(0, 6).toUpperCase()}`;
  }

  /** The reference as it stands in SQL: the runner replaces it, escaped, inside the JVM. */
  public toString(): string {
    return `\${env:${this.variableName}}`;
  }
}
