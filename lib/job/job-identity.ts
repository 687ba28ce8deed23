import type { IOpenIdConnectProvider } from 'aws-cdk-lib/aws-iam';

/** How the pods of a job come to their IAM role. */
export class JobIdentity {
  /**
   * EKS Pod Identity: an association of the service account with the role. The Pod Identity agent must run in the cluster.
   */
  public static podIdentity(): JobIdentity {
    return new JobIdentity(true);
  }

  /**
   * IAM roles for service accounts: the role trusts the cluster's OpenID Connect provider, the service account names the role.
   *
   * @param provider the cluster's provider
   * @default provider - that of the target's cluster
   */
  public static irsa(provider?: IOpenIdConnectProvider): JobIdentity {
    return new JobIdentity(false, provider);
  }

  private constructor(
    /** Whether it is Pod Identity. */
    public readonly isPodIdentity: boolean,
    /** The OpenID Connect provider, unset for Pod Identity and for that of the target's cluster. */
    public readonly provider?: IOpenIdConnectProvider,
  ) {}
}
