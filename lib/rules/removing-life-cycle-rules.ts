import { Stack } from 'aws-cdk-lib';
import type { CfnBucket, IBucket } from 'aws-cdk-lib/aws-s3';
import type { FlinkApplication } from '../application/flink-application';

/** As it stands in a template: each part may be an intrinsic function, which is known only at deployment. */
interface LifeCycleRule {
  readonly id?: unknown;
  readonly status?: unknown;
  readonly prefix?: unknown;
  readonly expirationInDays?: number;
  readonly expirationDate?: string;
  /** Flink tags nothing, so that a rule for tagged objects never meets its files. */
  readonly tagFilters?: unknown;
  readonly transition?: unknown;
  readonly transitions?: unknown;
}

/** Storage classes whose objects must be restored before they can be read. */
const ARCHIVES = ['GLACIER', 'DEEP_ARCHIVE'];

/** Life-cycle rules of the checkpoint bucket that expire or archive objects in directories of a job. */
export interface RemovingRules {
  /** Place of the bucket in the construct tree. */
  readonly bucket: string;
  /** Prefix of the job in the bucket. */
  readonly prefix: string;
  /** The rules, in words: `life-cycle rule 'weekly'`. */
  readonly rules: string[];
}

/**
 * Life-cycle rules that expire or archive objects under the checkpoint prefix of a job.
 *
 * @param application the job
 * @param directories directories of the job under its prefix, of which one is meant
 * @param but directories of which none is meant
 */
export function removingRules(application: FlinkApplication, directories: string[], but: string[] = []): RemovingRules | undefined {
  const { bucket, prefix } = application.settings.checkpointing.storage;
  if (bucket === undefined || prefix === undefined) {
    return undefined;
  }
  const meets = (rule: LifeCycleRule, names: string[]) => names.some((name) => overlaps(rule.prefix ?? '', `${prefix}/${name}/`));
  const rules = lifeCycleRules(bucket)
    .filter((rule) => rule.status !== 'Disabled' && removes(rule) && meets(rule, directories) && !meets(rule, but))
    .map(({ id }) => `life-cycle rule ${typeof id === 'string' ? `'${id}'` : 'without an id'}`);
  return { bucket: bucket.node.path, prefix, rules };
}

/** Those of a bucket of the same app; those of an imported one are not known. */
function lifeCycleRules(bucket: IBucket): LifeCycleRule[] {
  const resource = bucket.node.defaultChild as CfnBucket | undefined;
  const { rules }: { rules?: unknown } = Stack.of(bucket).resolve(resource?.lifecycleConfiguration) ?? {};
  return list(rules);
}

function removes({ expirationInDays, expirationDate, tagFilters, transition, transitions }: LifeCycleRule): boolean {
  const archived = [transition, ...list(transitions)].some((to) =>
    ARCHIVES.includes((to as { storageClass?: string })?.storageClass ?? ''),
  );
  const tagged = tagFilters !== undefined && !(Array.isArray(tagFilters) && tagFilters.length === 0);
  return !tagged && (expirationInDays !== undefined || expirationDate !== undefined || archived);
}

function list(value: unknown): object[] {
  return Array.isArray(value) ? value : [];
}

function overlaps(left: unknown, right: string): boolean {
  // What is known only at deployment may well be another prefix.
  return typeof left === 'string' && (left.startsWith(right) || right.startsWith(left));
}
