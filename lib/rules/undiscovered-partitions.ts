import { parseFlinkDuration } from '../sql/option-value';
import type { Rule } from './rule';

const DISCOVERY = 'scan.topic-partition-discovery.interval';
const BOUNDED = 'scan.bounded.mode';

/** A topic gets more partitions one day, and the source never asks. */
export const undiscoveredPartitions: Rule = {
  name: 'UndiscoveredPartitions',
  level: 'warning',
  looksAt: '`scan.topic-partition-discovery.interval` and `scan.bounded.mode` in the options of Kafka sources',
  description: 'A Kafka source without an end never looks for new partitions.',
  why: 'Once the topic has more partitions, rows in the new ones are not read until the job starts again, when the retention may have taken them; no lag shows, since nobody counts it.',
  cure: 'Leave the option out, which is every 5 minutes then.',
  check: (application) =>
    application
      ._bindings()
      .filter(({ binding }) => {
        const interval = parseFlinkDuration(binding.options[DISCOVERY] ?? '');
        // A source that ends has its partitions when it starts.
        const ends = (binding.options[BOUNDED] ?? 'unbounded').toLowerCase() !== 'unbounded';
        return binding.source !== undefined && !ends && interval !== undefined && interval <= 0;
      })
      .map(({ name }) => ({
        table: name,
        message: `table '${name}' of job '${application.jobName}' never looks for new partitions, since '${DISCOVERY}' is zero: rows in a partition that the topic gets later are not read until the job starts again, without a trace; leave the option out`,
      })),
};
