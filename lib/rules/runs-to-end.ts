import type { FlinkApplication } from '../application/flink-application';
import { TableRole } from '../sql/connector';
import type { SqlTable } from '../sql/sql-table';

const RUNTIME_MODE = 'execution.runtime-mode';

/** Whether a job is a batch, whose rows are added once. A mode that is known only at deployment may well be one. */
export function inBatch({ settings }: FlinkApplication): boolean {
  const mode = settings.flinkConfiguration?.[RUNTIME_MODE];
  return mode !== undefined && mode.toUpperCase() !== 'STREAMING';
}

/** Whether a table is read to an end: a source that has one, and a lookup, which nothing is read from by itself. */
export function endsByItself({ binding: { identifier, options, role } }: SqlTable): boolean {
  if (role === TableRole.LOOKUP) {
    return true;
  }
  switch (identifier) {
    case 'kafka':
    case 'upsert-kafka':
      return (options['scan.bounded.mode'] ?? 'unbounded').toLowerCase() !== 'unbounded';
    case 'datagen':
      return options['number-of-rows'] !== undefined || Object.values(options).includes('sequence');
    case 'filesystem':
      return options['source.monitor-interval'] === undefined;
    default:
      return identifier === 'jdbc' || identifier === 'mongodb';
  }
}
