import { Changes, type ConnectorBinding, type IConnector, type TableDefinition, TableRole } from '../sql/connector';
import { flinkInteger } from '../sql/flink-notation';
import { physicalColumns } from './column-types';
import type { DataGenField } from './data-gen-field';
import { checkNoMetadata } from './table-checks';
import { definedOptions } from './typed-value';

/** Generated rows. */
export interface DataGenSourceProps {
  /** Rows a second, of all subtasks together. @default - Flink's: 10,000 */
  readonly rowsPerSecond?: number;
  /** Rows after which the table ends. @default - it never ends, unless a field is a sequence */
  readonly numberOfRows?: number;
  /** How the values of a column are made, by the name of the column. @default - random */
  readonly fields?: { [column: string]: DataGenField };
}

/**
 * Rows out of nothing, for trying a pipeline (`datagen`).
 *
 * It has no shards or partitions, so a job with no other source must state its parallelism.
 *
 * @see https://nightlies.apache.org/flink/flink-docs-release-2.2/docs/connectors/table/datagen/
 */
export class DataGenSource implements IConnector {
  private readonly rendered: { [key: string]: string };

  constructor(private readonly props: DataGenSourceProps = {}) {
    const { rowsPerSecond, numberOfRows } = props;
    this.rendered = definedOptions({
      'rows-per-second': rowsPerSecond === undefined ? undefined : flinkInteger('rowsPerSecond', rowsPerSecond, 1, Number.MAX_SAFE_INTEGER),
      'number-of-rows': numberOfRows === undefined ? undefined : flinkInteger('numberOfRows', numberOfRows, 1, Number.MAX_SAFE_INTEGER),
    });
  }

  /** @inheritdoc */
  public bind(table: TableDefinition): ConnectorBinding {
    checkNoMetadata(table, "the connector 'datagen' supplies none; leave the column out");
    const columns = physicalColumns(table);
    const fields = Object.entries(this.props.fields ?? {});
    for (const [name, field] of fields) {
      const column = columns.find((candidate) => candidate.name === name);
      if (!column) {
        throw new Error(
          `fields must name physical columns of table '${table.name}', got '${name}'; columns: ${columns.map((candidate) => candidate.name).join(', ')}`,
        );
      }
      if (column.type) {
        field._check(name, column.type);
      }
    }
    return {
      identifier: 'datagen',
      role: TableRole.SOURCE,
      options: Object.assign({}, this.rendered, ...fields.map(([name, field]) => field._options(name))),
      source: { changes: Changes.INSERT_ONLY, parallelismOption: 'scan.parallelism' },
    };
  }
}
