import { type Change, type Operation, together } from './query-result';

/**
 * The changes of rows that operations take, and that make their results wrong once their state is gone: a sum must still hold what is taken
 * from it, and a join the row that an update belongs to.
 */
export function changesOfForgotten(operations: Operation[], ...kinds: Operation['kind'][]): Change[] {
  return together(...operations.filter(({ kind, hinted }) => kinds.includes(kind) && !hinted).map(spoiling));
}

function spoiling({ kind, endless, changes }: Operation): Change[] {
  switch (kind) {
    case 'group':
      return changes;
    case 'rank':
      // What a query itself computes anew changes only while its own state lives, and that of the ranking was written with it.
      return changes.filter((change) => change.kind === 'source');
    case 'join':
      // So is what an outer join takes back.
      return endless ? changes.filter((change) => /^(source|group|result|first row)$/.test(change.kind)) : [];
    default:
      return [];
  }
}
