import { UpsertMaterialize } from '../application/upgrade';
import { filledColumns } from '../queries/filled-columns';
import { readQuery } from '../queries/query-reader';
import { named } from '../queries/query-result';
import { Changes } from '../sql/connector';
import { type SqlInsert, SqlProgram } from '../sql/sql-program';
import { keepsStateForEver } from './keeps-state-for-ever';
import type { Finding, Rule } from './rule';
import { inBatch } from './runs-to-end';
import { upsertMaterialize } from './upsert-materialize';

const GROWS = 'keeps the rows of every key for ever, and grows slower with each';

/** The materializer keeps every row that a key ever had, until the state expires. */
export const endlessMaterializer: Rule = {
  name: 'EndlessMaterializer',
  level: 'warning',
  looksAt:
    '`upsertMaterialize` and `stateTtl` of the job, the options of its program in their place, and the keys of sinks whose query takes the changes of one source as they are',
  description:
    '`upsertMaterialize` is `FORCE` with a sink that keeps rows by key, or a sink keeps changes of a source by another key than that of the source, and state never expires.',
  why: 'The materializer keeps the rows of every key for ever, and takes longer for each. Flink puts it there by itself where the key of a sink does not hold that of its query; `npx cdk-flink-pipeline plan` shows it for all queries.',
  cure: 'Give each sink the key of its query, and leave `upsertMaterialize` out. Or give `stateTtl`, longer than a key is updated or deleted: the delete of a row that was forgotten is dropped. A program that sets `table.exec.state.ttl` to `0` has said so.',
  check: (application) => {
    const { jobName, program } = application;
    if (!keepsStateForEver(application) || !(program instanceof SqlProgram)) {
      return [];
    }
    switch (upsertMaterialize(application)) {
      case UpsertMaterialize.FORCE:
        return [
          {
            message: `upsertMaterialize of job '${jobName}' is FORCE without stateTtl: the materializer ${GROWS}; give stateTtl, longer than a key is updated, or give each sink the key of its query and leave upsertMaterialize out`,
          },
        ];
      case UpsertMaterialize.NONE:
        return [];
      default:
        return inBatch(application) ? [] : byAnotherKey(program._inserts(), jobName);
    }
  },
};

/** Tables that keep the rows of a source by another key than it has, each once. */
function byAnotherKey(inserts: SqlInsert[], jobName: string): Finding[] {
  const found = new Map(
    inserts
      .filter(({ table: { binding, primaryKey } }) => binding.sink?.changes === Changes.UPSERT && primaryKey.length > 0)
      .flatMap(({ table, query, columns }) => {
        const { changes, key = [] } = readQuery(query).result;
        const filled = filledColumns(table, columns);
        const holdsKey = key.every((place) => table.primaryKey.includes(filled[place] ?? ''));
        return holdsKey || changes.every(({ kind }) => kind !== 'source')
          ? []
          : [[table.name, { primaryKey: table.primaryKey, changes }] as const];
      }),
  );
  return [...found].map(([table, { primaryKey, changes }]) => ({
    table,
    message: `table '${table}' of job '${jobName}' keeps rows of ${named(changes)} by ${primaryKey.join(', ')}, which does not hold the key by which they change: Flink puts a materializer before it that ${GROWS}; give the table and its source one key, or give stateTtl, longer than a row is updated`,
  }));
}
