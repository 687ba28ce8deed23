import type { FlinkApplication } from '../application/flink-application';
import { asResource } from './resource-behind';
import { resourceProperty } from './resource-property';

/** As it stands in a template: each part may be an intrinsic function, which is known only at deployment. */
interface LifeCycleRule {
  readonly Id?: unknown;
  readonly Status?: unknown;
  readonly Prefix?: unknown;
  readonly ExpirationInDays?: unknown;
  readonly ExpirationDate?: unknown;
  /** Flink tags nothing, so that a rule for tagged objects never meets its files. */
  readonly TagFilters?: unknown;
  readonly Transition?: unknown;
  readonly Transitions?: unknown;
  /** Of a configuration of intelligent tiering, which stands beside the rules. */
  readonly Tierings?: unknown;
}

/** Storage classes whose objects must be restored before they can be read. */
const ARCHIVES = ['GLACIER', 'DEEP_ARCHIVE'];
/** A class that archives objects where the bucket is configured so. */
const TIERED = 'INTELLIGENT_TIERING';

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
  // What an imported bucket has is not known.
  const resource = asResource(bucket.node.defaultChild, 'AWS::S3::Bucket');
  const property = (name: string) => resource && resourceProperty(resource, name);
  const meets = (rule: LifeCycleRule, names: string[]) => names.some((name) => overlaps(rule.Prefix ?? '', `${prefix}/${name}/`));
  const isMeant = (rule: LifeCycleRule) => rule.Status !== 'Disabled' && !isTagged(rule) && meets(rule, directories) && !meets(rule, but);
  const tiered = list(property('IntelligentTieringConfigurations')).some((rule) => isMeant(rule) && list(rule.Tierings).length > 0);
  const archives = tiered ? [...ARCHIVES, TIERED] : ARCHIVES;
  const rules = list((property('LifecycleConfiguration') as { Rules?: unknown } | undefined)?.Rules)
    .filter((rule) => isMeant(rule) && removes(rule, archives))
    .map(({ Id: id }) => `life-cycle rule ${typeof id === 'string' ? `'${id}'` : 'without an id'}`);
  return { bucket: bucket.node.path, prefix, rules };
}

function isTagged({ TagFilters: tags }: LifeCycleRule): boolean {
  return tags !== undefined && !(Array.isArray(tags) && tags.length === 0);
}

function removes({ ExpirationInDays, ExpirationDate, Transition, Transitions }: LifeCycleRule, archives: string[]): boolean {
  const archived = [Transition, ...list(Transitions)].some((to) =>
    archives.includes((to as { StorageClass?: string } | undefined)?.StorageClass ?? ''),
  );
  return ExpirationInDays !== undefined || ExpirationDate !== undefined || archived;
}

function list(value: unknown): LifeCycleRule[] {
  return Array.isArray(value) ? value : [];
}

function overlaps(left: unknown, right: string): boolean {
  // What is known only at deployment may well be another prefix.
  return typeof left === 'string' && (left.startsWith(right) || right.startsWith(left));
}
