import type { IConstruct } from 'constructs';
import { createHash } from 'crypto';
import { placeholders } from './placeholders';

/**
 * A logical id that follows from what things are called in a cluster, not from where their construct stands: a refactored construct
 * then touches nothing that runs.
 *
 * @param prefix what the resource is
 * @param scope where the names are used
 * @param cluster name of the cluster
 * @param names namespace, name and whatever else tells the resource
 */
export function stableLogicalId(prefix: string, scope: IConstruct, cluster: string, ...names: string[]): string {
  const literal = placeholders([cluster, ...names], scope);
  const digest = createHash('sha256').update(JSON.stringify(literal)).digest('hex').slice(0, 12).toUpperCase();
  const readable = literal
    .slice(1)
    .join('-')
    .replace(/(^|[^A-Za-z0-9]+)([A-Za-z0-9]?)/g, (_match, _gap, next) => next.toUpperCase());
  return `${prefix}${readable.slice(0, 200)}${digest}`;
}
