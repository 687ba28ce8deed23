import { CfnJson, Token } from 'aws-cdk-lib';
import { CfnPodIdentityAssociation } from 'aws-cdk-lib/aws-eks';
import {
  FederatedPrincipal,
  type IOpenIdConnectProvider,
  type IPrincipal,
  type IRole,
  Role,
  ServicePrincipal,
  SessionTagsPrincipal,
} from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { DeploymentTarget } from '../target/deployment-target';
import { stableLogicalId } from '../target/stable-logical-id';
import { claimServiceAccount } from './job-claims';
import type { JobIdentity } from './job-identity';

/** Whose role it is. */
export interface JobRoleProps {
  readonly jobName: string;
  readonly target: DeploymentTarget;
  readonly identity: JobIdentity;
  readonly serviceAccountName: string;
  /** An existing role, which must trust the pods. @default - one of the job's own */
  readonly role?: IRole;
}

/** The IAM side of a job. */
export interface JobRole {
  readonly role: IRole;
  /** Annotations by which a service account names the role. */
  readonly serviceAccountAnnotations: { [key: string]: string };
  /** Ties the service account to the role. @default - the annotation does */
  readonly association?: CfnPodIdentityAssociation;
}

/**
 * Creates the role of a job and ties it to its service account.
 *
 * @param scope the job
 * @param props whose role it is
 */
export function createJobRole(scope: Construct, props: JobRoleProps): JobRole {
  return props.identity.isPodIdentity ? podIdentity(scope, props) : irsa(scope, props);
}

/** Logical id of an AWS resource of a job: a refactored construct must not take the role away from a running job. */
export function jobLogicalId(scope: Construct, props: JobRoleProps, kind: string): string {
  return stableLogicalId(`FlinkJob${kind}`, scope, props.target.clusterName ?? '', props.target.namespace, props.jobName);
}

function podIdentity(scope: Construct, props: JobRoleProps): JobRole {
  const { target, serviceAccountName } = props;
  if (target.clusterName === undefined) {
    throw new Error(
      `job '${props.jobName}' cannot be given a role by Pod Identity: DeploymentTarget.manifests does not name the cluster; give it clusterName, or use identity: JobIdentity.irsa(provider)`,
    );
  }
  claimServiceAccount(scope, target.clusterName, target.namespace, serviceAccountName);
  // Pod Identity tags its sessions with cluster, namespace and service account.
  const role = props.role ?? createRole(scope, props, new SessionTagsPrincipal(new ServicePrincipal('pods.eks.amazonaws.com')));
  const association = new CfnPodIdentityAssociation(scope, 'PodIdentityAssociation', {
    clusterName: target.clusterName,
    namespace: target.namespace,
    serviceAccount: serviceAccountName,
    roleArn: role.roleArn,
  });
  association.overrideLogicalId(jobLogicalId(scope, props, 'PodIdentity'));
  return { role, association, serviceAccountAnnotations: {} };
}

function irsa(scope: Construct, props: JobRoleProps): JobRole {
  const { target, serviceAccountName } = props;
  const provider = props.identity.provider ?? target._openIdConnectProvider();
  if (!provider) {
    throw new Error(
      `job '${props.jobName}' cannot be given a role by IRSA: its target knows no OpenID Connect provider; give JobIdentity.irsa(provider)`,
    );
  }
  const role =
    props.role ?? createRole(scope, props, webIdentity(scope, provider, `system:serviceaccount:${target.namespace}:${serviceAccountName}`));
  return { role, serviceAccountAnnotations: { 'eks.amazonaws.com/role-arn': role.roleArn } };
}

function webIdentity(scope: Construct, provider: IOpenIdConnectProvider, subject: string): IPrincipal {
  const issuer = provider.openIdConnectProviderIssuer;
  const value = { [`${issuer}:aud`]: 'sts.amazonaws.com', [`${issuer}:sub`]: subject };
  // A key of a condition cannot be a token: CloudFormation computes the object that holds it.
  const conditions = Token.isUnresolved(issuer) ? new CfnJson(scope, 'TrustConditions', { value }) : value;
  return new FederatedPrincipal(provider.openIdConnectProviderArn, { StringEquals: conditions }, 'sts:AssumeRoleWithWebIdentity');
}

function createRole(scope: Construct, props: JobRoleProps, assumedBy: IPrincipal): Role {
  const role = new Role(scope, 'Role', { assumedBy, description: `Flink job ${props.jobName}` });
  (role.node.defaultChild as unknown as { overrideLogicalId(id: string): void }).overrideLogicalId(jobLogicalId(scope, props, 'Role'));
  return role;
}
