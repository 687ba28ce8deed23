import type { ChangeOfTable, RunResult, WrittenToTable } from '../planner/run-request';
import type { Row } from './given';

/** What a program wrote. */
export class SqlTestResult {
  constructor(
    private readonly jobName: string,
    private readonly sinks: RunResult['sinks'],
  ) {}

  /** Changes in the order in which the sink was given them. */
  public changes(table: string): ChangeOfTable[] {
    return this.sink(table).changes;
  }

  /** The table that the changes make: the last row of each primary key, or all rows of a table without a key. */
  public rows(table: string): Row[] {
    return this.sink(table).rows;
  }

  /**
   * Values of the records as the table's format writes them, byte for byte; undefined for a tombstone.
   *
   * @throws an error where the table has no format, or a binary one
   */
  public records(table: string): (string | undefined)[] {
    const { changes, records } = this.sink(table);
    if (!records) {
      throw new Error(
        `table '${table}' has no records of text: its connector takes rows, or its format is binary; ask for rows('${table}') or changes('${table}')`,
      );
    }
    return changes.map((change) => change.record);
  }

  private sink(table: string): WrittenToTable {
    const sink = this.sinks[table];
    if (sink === undefined) {
      throw new Error(`job '${this.jobName}' writes no table '${table}'; it writes '${Object.keys(this.sinks).join("', '")}'`);
    }
    return sink;
  }
}
