import { Stack } from 'aws-cdk-lib';
import type { CfnBucket } from 'aws-cdk-lib/aws-s3';
import type { Rule } from './rule';

interface LifeCycleRule {
  readonly id?: string;
  readonly status?: string;
  /** A token stays an object. */
  readonly prefix?: unknown;
  readonly expirationInDays?: number;
  readonly expirationDate?: string;
  /** Flink tags nothing, so that a rule for tagged objects never meets its files. */
  readonly tagFilters?: object[];
  readonly transitions?: { readonly storageClass?: string }[];
}

/** Storage classes whose objects must be restored before they can be read. */
const ARCHIVES = ['GLACIER', 'DEEP_ARCHIVE'];

/** Checkpoints refer to files of earlier ones: age says nothing about whether a file is needed. */
export const checkpointLifeCycle: Rule = {
  name: 'CheckpointLifeCycle',
  level: 'error',
  looksAt: 'the life-cycle rules of the checkpoint bucket',
  description: 'A life-cycle rule of the bucket expires or archives (Glacier, Deep Archive) objects under the checkpoint prefix.',
  why: 'An incremental checkpoint refers to files of earlier ones, whatever their age; the first restore after the expiry fails.',
  cure: 'Limit the life-cycle rule to other prefixes. Flink deletes what it no longer needs. Only buckets of the same app can be checked. Rules for objects with a tag pass: Flink sets none.',
  check: (application) => {
    const { bucket, prefix } = application.settings.checkpointing.storage;
    const resource = bucket?.node.defaultChild as CfnBucket | undefined;
    if (!bucket || !resource) {
      return [];
    }
    const { rules = [] }: { rules?: LifeCycleRule[] } = Stack.of(bucket).resolve(resource.lifecycleConfiguration) ?? {};
    return rules
      .filter((rule) => rule.status !== 'Disabled' && removes(rule) && overlaps(rule.prefix ?? '', `${prefix}/`))
      .map((rule) => ({
        message: `life-cycle rule ${rule.id ? `'${rule.id}'` : 'without an id'} of bucket '${bucket.node.path}' expires or archives objects under '${prefix}/', the checkpoints of job '${application.jobName}': a checkpoint needs files of earlier ones, whatever their age; limit the rule to other prefixes (Flink deletes what it no longer needs)`,
      }));
  },
};

function removes(rule: LifeCycleRule): boolean {
  const archived = (rule.transitions ?? []).some(({ storageClass }) => ARCHIVES.includes(storageClass ?? ''));
  return (rule.tagFilters ?? []).length === 0 && (rule.expirationInDays !== undefined || rule.expirationDate !== undefined || archived);
}

function overlaps(left: unknown, right: string): boolean {
  // What is known only at deployment may well be another prefix.
  return typeof left === 'string' && (left.startsWith(right) || right.startsWith(left));
}
