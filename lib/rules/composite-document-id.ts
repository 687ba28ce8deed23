import { SqlProgram } from '../sql/sql-program';
import type { Rule } from './rule';

/** MongoDB compares sub-documents field by field, in their order. */
export const compositeDocumentId: Rule = {
  name: 'CompositeDocumentId',
  level: 'warning',
  looksAt: 'the primary keys of MongoDB sinks',
  description: 'A `MongoDbSink` has a primary key of several columns.',
  why: 'The `_id` of its documents is a sub-document of the key columns in their order: a look-up by text finds nothing, and another order of the columns makes new documents beside the old ones.',
  cure: "Make one key column of them in the query, such as `CONCAT_WS('|', tenant, id)`. Acknowledge it where readers look for the sub-document, and keep the order.",
  check: ({ jobName, program }) =>
    program instanceof SqlProgram
      ? program
          ._usedTables()
          .filter(({ binding, primaryKey }) => binding.identifier === 'mongodb' && binding.sink !== undefined && primaryKey.length > 1)
          .map(({ name, primaryKey }) => ({
            table: name,
            message: `the _id of the documents of table '${name}' of job '${jobName}' is the sub-document { ${primaryKey.join(', ')} }, in this order: a look-up by text finds nothing, and another order makes new documents; make one key column of them, or acknowledge this and keep the order`,
          }))
      : [],
};
