export type { ChangeKind, ChangeOfTable } from '../planner/run-request';
export { type Given, type Row, type RowOptions, record, row } from './given';
export { SqlTest, type SqlTestOptions } from './sql-test';
export { SqlTestResult } from './sql-test-result';
