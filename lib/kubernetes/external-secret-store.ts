import { Token } from 'aws-cdk-lib';

/** The store of the External Secrets Operator that reads AWS Secrets Manager. It must be there. */
export class ExternalSecretStore {
  /**
   * A ClusterSecretStore.
   *
   * @param name name of the store
   */
  public static cluster(name: string): ExternalSecretStore {
    return new ExternalSecretStore('ClusterSecretStore', name);
  }

  /**
   * A SecretStore in the namespace of the job.
   *
   * @param name name of the store
   */
  public static namespaced(name: string): ExternalSecretStore {
    return new ExternalSecretStore('SecretStore', name);
  }

  private constructor(
    /** Kind of the store. */
    public readonly kind: string,
    /** Name of the store. */
    public readonly name: string,
  ) {
    if (!Token.isUnresolved(name) && !(typeof name === 'string' && /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/.test(name))) {
      throw new Error(
        `name of a secret store must be up to 253 lower case letters, digits, '-' and '.', as Kubernetes has it, got '${name}'`,
      );
    }
  }
}
