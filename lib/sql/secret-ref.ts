import { Token } from 'aws-cdk-lib';
import type { CfnSecret, ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { createHash } from 'crypto';
import { instance, requireProps } from './required-props';

/** Keys that a Kubernetes Secret takes: `.` and `..` are none. */
export const SECRET_KEY = /^(?!\.{1,2}$)[-._A-Za-z0-9]{1,253}$/;

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
    checkPart('secretName', secretName, /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/, "up to 253 lower case letters, digits, '-' and '.'");
    checkPart('key', key, SECRET_KEY, "up to 253 letters, digits, '-', '_' and '.'");
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
    requireProps('SecretRef.secretsManager', { secret }, { secret: SECRETS_MANAGER_SECRET });
    if (field !== undefined && field.trim() === '') {
      throw new Error('field of a Secrets Manager secret must not be empty; leave it out for the whole secret');
    }
    return new SecretRef(`${secretIdentity(secret)}/${field ?? ''}`, undefined, field, secret);
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

const SECRETS_MANAGER_SECRET = instance('a Secret of aws-secretsmanager', 'node');

/** The variable of a secret is named after both parts, so that neither can be a token. */
function checkPart(what: string, value: string, form: RegExp, inWords: string): void {
  if (Token.isUnresolved(value)) {
    throw new Error(`${what} of SecretRef.kubernetes must be known at synth, got the token ${value}: a variable is named after it`);
  }
  if (typeof value !== 'string' || !form.test(value)) {
    throw new Error(`${what} of SecretRef.kubernetes must be ${inWords}, as Kubernetes has it, got '${value}'`);
  }
}

/**
 * Name of a secret where it is known at synth: the attribute of a secret of this app is a token even then, and neither a manifest
 * file nor an identity that must outlast a refactoring can be made of one.
 *
 * @param secret the secret
 */
export function literalSecretName(secret: ISecret): string | undefined {
  const name = (secret.node.defaultChild as CfnSecret | undefined)?.name ?? secret.secretName;
  return Token.isUnresolved(name) ? undefined : name;
}

/**
 * What a secret is known by: its name, else the place of its construct, which no name can spell.
 *
 * @param secret the secret
 */
export function secretIdentity(secret: ISecret): string {
  return literalSecretName(secret) ?? `:${secret.node.path}`;
}
