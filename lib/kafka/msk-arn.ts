import { Arn, ArnFormat, Fn, Token } from 'aws-cdk-lib';
import { checkRegion } from '../aws/region';

/** What MSK IAM gives permissions on, beside the cluster. */
export enum MskResource {
  TOPIC = 'topic',
  GROUP = 'group',
  TRANSACTIONAL_ID = 'transactional-id',
}

const CLUSTER_ARN = /^arn:aws[a-z-]*:kafka:([a-z0-9-]+):\d{12}:cluster\/[A-Za-z0-9-]+\/[A-Za-z0-9-]+$/;

/**
 * Refuses what is not the ARN of an MSK cluster.
 *
 * @param clusterArn ARN, a token passes
 */
export function checkClusterArn(clusterArn: string): void {
  if (Token.isUnresolved(clusterArn)) {
    return;
  }
  const region = CLUSTER_ARN.exec(clusterArn)?.[1];
  if (region === undefined) {
    throw new Error(`clusterArn must look like 'arn:<partition>:kafka:<region>:<account>:cluster/<name>/<id>', got '${clusterArn}'`);
  }
  checkRegion('clusterArn', region);
}

/**
 * ARN of a topic, group or transactional id: that of the cluster with another resource type and one more part.
 *
 * @param clusterArn ARN of the cluster, literal or a token
 * @param resource resource type
 * @param name name, or a pattern
 */
export function mskResourceArn(clusterArn: string, resource: MskResource, name: string): string {
  if (clusterArn.includes(':cluster/')) {
    return `${clusterArn.replace(':cluster/', `:${resource}/`)}/${name}`;
  }
  const parts = Fn.split(':cluster/', clusterArn);
  return `${Fn.select(0, parts)}:${resource}/${Fn.select(1, parts)}/${name}`;
}

/**
 * Name of the cluster, the dimension of its metrics.
 *
 * @param clusterArn ARN of the cluster, literal or a token
 */
export function mskClusterName(clusterArn: string): string {
  return Fn.select(1, Fn.split('/', clusterArn));
}

/**
 * Region and account of the cluster.
 *
 * @param clusterArn ARN of the cluster
 * @returns nothing where the ARN is a token: taken for those of the stack that asks
 */
export function mskEnvironment(clusterArn: string): { region?: string; account?: string } {
  if (Token.isUnresolved(clusterArn)) {
    return {};
  }
  const { region, account } = Arn.split(clusterArn, ArnFormat.SLASH_RESOURCE_NAME);
  return { region, account };
}
