import { Changes, DeliveryGuarantee } from '../sql/connector';
import { SqlProgram } from '../sql/sql-program';
import { onlyAppends } from './only-appends';
import type { Rule } from './rule';

/** Connectors whose tables keep one row for a key, where they have one. */
const KEYED = /^(jdbc|mongodb|elasticsearch-|opensearch)/;

/** After a restore rows are written again: without a key nothing tells that they are there already. */
export const insertsWithoutKey: Rule = {
  name: 'InsertsWithoutKey',
  level: 'warning',
  looksAt: 'the primary keys of JDBC, MongoDB and Elasticsearch sinks',
  description: 'A sink of a database that could keep one row for a key has no primary key.',
  why: 'Rows written since the last checkpoint are written again after a restore. Without a key they become further rows or documents, or violate a unique index, and the job fails for ever.',
  cure: 'Give the table a `primaryKey`, the same as in the database. Acknowledge it where readers can live with rows that are there twice.',
  check: (application) => {
    const { program } = application;
    const keyless = program instanceof SqlProgram ? program._usedTables().filter(onlyAppends) : [];
    const names = keyless.map(({ name }) => name);
    return application
      ._bindings()
      .filter(
        ({ name, binding }) => KEYED.test(binding.identifier) && (names.includes(name) || binding.sink?.changes === Changes.INSERT_ONLY),
      )
      .filter(({ binding }) => binding.sink?.guarantee !== DeliveryGuarantee.NONE)
      .map(({ name, binding }) => ({
        table: name,
        message: `table '${name}' of job '${application.jobName}' (${binding.identifier}) has no primary key: rows that are written again after a restore are there twice, or violate a unique index for ever; give it a primaryKey, or acknowledge this where rows may be there twice`,
      }));
  },
};
