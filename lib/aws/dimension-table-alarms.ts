import type { TableAlarm } from '../sql/connector';
import type { IDimensionTable } from './dimension-table';
import { oftenAboveZero } from './event-stream-alarms';

/**
 * Alarms of a table that a job looks up.
 *
 * @param table the table
 */
export function tableReadAlarms(table: IDimensionTable): TableAlarm[] {
  return [
    {
      name: 'LookupThrottled',
      description: 'the dimension table refused reads: the job waits for lookups, and fails when retries are used up',
      // DynamoDB tells nothing where nothing was refused.
      metric: table.metricReadThrottleEvents(),
      ...oftenAboveZero(),
    },
  ];
}

/**
 * Alarms of a table that a job writes.
 *
 * @param table the table
 */
export function tableWriteAlarms(table: IDimensionTable): TableAlarm[] {
  return [
    {
      name: 'WriteThrottled',
      description: 'the table refused writes: the sink sends them again and holds the job back',
      metric: table.metricWriteThrottleEvents(),
      ...oftenAboveZero(),
    },
  ];
}
