import type { AccessContext } from '../sql/connector';
import type { ProgramBinding } from '../sql/program';
import type { DerivedValue } from './derived-value';
import type { FlinkApplicationProps } from './flink-application';
import type { TableOptions } from './parallelism';

/** What is being derived for a job: settings by the place that they go to, each derived one with its reason. */
export class Derivation {
  /** Derived values with their reasons, in the order in which they were derived. */
  public readonly values: DerivedValue[] = [];
  /** Flink and operator options. */
  public readonly configuration: { [key: string]: string } = {};
  /** Options of the table planner, for SET in the script. */
  public readonly sqlSettings: { [key: string]: string } = {};
  /** Options of tables, beside those of their connectors. */
  public readonly tableOptions: TableOptions = {};
  /** What permissions of a table depend on. */
  public readonly accessContexts: { [table: string]: AccessContext } = {};

  constructor(
    /** The job. */
    public readonly job: FlinkApplicationProps,
    /** What its tables need and tell. */
    public readonly bindings: ProgramBinding[],
  ) {}

  /** A value that is told, and set elsewhere. */
  public tell(name: string, value: string, reason: string, table?: string): void {
    this.values.push({ name, value, reason, ...(table !== undefined && { table }) });
  }

  /** A Flink or operator option; without a reason it was stated. */
  public configure(key: string, value: string, reason?: string): void {
    this.configuration[key] = value;
    if (reason !== undefined) {
      this.tell(key, value, reason);
    }
  }

  /** An option of a table. */
  public setTableOption(table: string, key: string, value: string, reason: string): void {
    this.addTableOptions({ [table]: { [key]: value } });
    this.tell(key, value, reason, table);
  }

  /** Options of tables that were told already. */
  public addTableOptions(options: TableOptions): void {
    for (const [table, values] of Object.entries(options)) {
      this.tableOptions[table] = { ...this.tableOptions[table], ...values };
    }
  }

  /** What permissions of a table depend on. */
  public addAccessContext(table: string, context: AccessContext): void {
    this.accessContexts[table] = { ...this.accessContexts[table], ...context };
  }
}
