import { Arn, ArnFormat, Stack, Token } from 'aws-cdk-lib';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import type { IConstruct } from 'constructs';
import { checkRegion } from './region';

/** Where a resource lives and what it is called. Each part may be a token. */
export interface ResourceAddress {
  /** ARN of the resource. */
  readonly arn: string;
  /** Name of the resource. */
  readonly name: string;
  /** Region of the resource. */
  readonly region: string;
  /** Account of the resource. */
  readonly account: string;
}

/** What the ARNs of one kind of resource have in common: `arn:…:<service>:…:…:<resource>/<name>`. */
export interface ResourceKind {
  /** `kinesis` in `arn:aws:kinesis:…`. */
  readonly service: string;
  /** `stream` in `…:stream/clicks`. */
  readonly resource: string;
}

/**
 * The address of a resource that a stack creates.
 *
 * With a literal name in a concrete environment everything is literal: Kubernetes manifests then hold no token, and using
 * the resource in another stack makes no export that would block a later change. A literal ARN tells CloudFormation
 * nothing about order, so whoever uses it has to add the dependency.
 *
 * @param scope a construct in the stack of the resource
 * @param name physical name as the user gave it
 * @param generated ARN and name as CloudFormation knows them
 */
export function createdAddress(
  scope: IConstruct,
  kind: ResourceKind,
  name: string | undefined,
  generated: { readonly arn: string; readonly name: string },
): ResourceAddress {
  const { region, account } = Stack.of(scope);
  if (name === undefined || Token.isUnresolved(name)) {
    return { ...generated, region, account };
  }
  const partition = Token.isUnresolved(region) || Token.isUnresolved(account) ? undefined : RegionInfo.get(region).partition;
  const arn = partition ? `arn:${partition}:${kind.service}:${region}:${account}:${kind.resource}/${name}` : generated.arn;
  return { arn, name, region, account };
}

/**
 * The address of a resource that exists already.
 *
 * @param prop the prop that gave the ARN, for the message
 * @param arn its ARN, of which a token is taken apart at deployment
 */
export function existingAddress(prop: string, kind: ResourceKind, arn: string): ResourceAddress {
  if (Token.isUnresolved(arn)) {
    const parts = Arn.split(arn, ArnFormat.SLASH_RESOURCE_NAME);
    return { arn, name: parts.resourceName!, region: parts.region!, account: parts.account! };
  }
  const form = new RegExp(`^arn:aws[a-z-]*:${kind.service}:([a-z0-9-]+):(\\d{12}):${kind.resource}/([a-zA-Z0-9_.-]+)$`);
  const match = form.exec(arn);
  if (!match) {
    throw new Error(`${prop} must look like 'arn:<partition>:${kind.service}:<region>:<account>:${kind.resource}/<name>', got '${arn}'`);
  }
  checkRegion(prop, match[1]);
  return { arn, region: match[1], account: match[2], name: match[3] };
}

/**
 * The address of a resource that exists already, for programs without a stack, which could not resolve a token.
 *
 * @param prop the prop that gave the ARN, for the message
 * @param alternative how to bring in a resource whose ARN is a token
 */
export function externalAddress(prop: string, kind: ResourceKind, arn: string, alternative: string): ResourceAddress {
  if (Token.isUnresolved(arn)) {
    throw new Error(`${prop} of an external resource must be a literal ARN, got a token; use ${alternative}`);
  }
  return existingAddress(prop, kind, arn);
}
