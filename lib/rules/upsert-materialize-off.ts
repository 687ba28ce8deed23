import { UpsertMaterialize } from '../application/upgrade';
import type { Rule } from './rule';
import { upsertMaterialize } from './upsert-materialize';

/** Without the materializer, the last row that arrives wins, which need not be the latest. */
export const upsertMaterializeOff: Rule = {
  name: 'UpsertMaterializeOff',
  level: 'warning',
  looksAt: '`upsertMaterialize` of the job, `table.exec.sink.upsert-materialize` of its program',
  description: '`SinkUpsertMaterializer` is off, and a sink keeps rows by key.',
  why: 'Where the primary key of a sink is not the upsert key of its query, updates of one row come by different ways and out of order. The last one to arrive wins: rows are wrong, or missing.',
  cure: 'Leave `upsertMaterialize` out. Acknowledge it where each sink has the key of its query.',
  check: (application) =>
    upsertMaterialize(application) === UpsertMaterialize.NONE
      ? [
          {
            message: `SinkUpsertMaterializer of job '${application.jobName}' is off: where the primary key of a sink is not the upsert key of its query, updates that arrive out of order leave wrong rows or none; leave upsertMaterialize out, or acknowledge this where each sink has the key of its query`,
          },
        ]
      : [],
};
