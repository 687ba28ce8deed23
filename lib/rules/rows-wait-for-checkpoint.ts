import { Token } from 'aws-cdk-lib';
import type { Rule } from './rule';

const INTERVAL = 'sink.buffer-flush.interval';
const MAX_ROWS = 'sink.buffer-flush.max-rows';
/** As many rows as the largest default of a connector. */
const MANY_ROWS = 1_000;

/** Without an interval, few rows wait for the next checkpoint. */
export const rowsWaitForCheckpoint: Rule = {
  name: 'RowsWaitForCheckpoint',
  level: 'warning',
  looksAt: 'interval and size of the buffers of JDBC and MongoDB sinks',
  description: '`flush` has an interval of zero, and more than 1,000 rows.',
  why: 'Where few rows come, they become visible with the next checkpoint only.',
  cure: 'Leave `interval` out, which is 1 second then. Acknowledge it where rows may wait for a checkpoint.',
  check: (application) =>
    application._bindings().flatMap(({ name, binding }) => {
      const { [INTERVAL]: interval, [MAX_ROWS]: maxRows } = binding.options;
      const waits =
        /^0\s*[a-z]*$/.test(interval ?? '') && maxRows !== undefined && !Token.isUnresolved(maxRows) && Number(maxRows) > MANY_ROWS;
      return waits && /^(jdbc|mongodb)$/.test(binding.identifier)
        ? [
            {
              table: name,
              message: `rows of table '${name}' of job '${application.jobName}' wait until there are ${maxRows} of them, or for the next checkpoint: the interval of flush is zero; leave it out, or acknowledge this where rows may wait`,
            },
          ]
        : [];
    }),
};
