import { type Column, ColumnKind } from './column';
import type { ConnectorBinding, IConnector, TableDefinition } from './connector';
import { DataTypeRoot } from './data-type';
import { checkLiteral, checkName, quoteIdentifier } from './identifier';
import { instance, LIST, listOf, requireProps } from './required-props';
import type { Watermark } from './watermark';

const CONNECTOR = instance('a connector, such as a KafkaSource', 'bind');
const COLUMN = instance("a Column, such as Column.physical('id', DataType.BIGINT)", 'kind', 'name');
const WATERMARK = instance('a Watermark, such as Watermark.delayed(column, delay)', 'column');

/** A table of a program. */
export interface SqlTableProps {
  /** The external system behind the table. */
  readonly connector: IConnector;
  /** Columns in their order, one at least. */
  readonly columns: Column[];
  /** Event time and how long to wait for stragglers. @default - no event time */
  readonly watermark?: Watermark;
  /**
   * Columns of the primary key, in their order. Flink does not enforce it: the external system, or the query, must.
   * @default - no primary key
   */
  readonly primaryKey?: string[];
  /** Columns that the table is partitioned by. @default - derived by the connector, or none */
  readonly partitionedBy?: string[];
  /** Comment of the table. @default - none */
  readonly comment?: string;
}

/** A table, view or function of a program: in a query it prints as its quoted name. */
export interface ISqlObject {
  /** The quoted name, for use in a query. */
  readonly sqlName: string;
}

/** A table that was added to a program. */
export class SqlTable implements ISqlObject {
  public readonly sqlName: string;
  /** Columns in their order. */
  public readonly columns: Column[];
  /** Columns of the primary key in their order, empty where there is none. */
  public readonly primaryKey: string[];
  /** What the connector made of the table. */
  public readonly binding: ConnectorBinding;
  /** Columns of PARTITIONED BY in their order. */
  public readonly partitionedBy: string[];
  /** Event time of the table. */
  public readonly watermark?: Watermark;
  /** Comment of the table. */
  public readonly comment?: string;

  /** @internal */
  constructor(
    /** Plain name. */
    public readonly name: string,
    props: SqlTableProps,
  ) {
    checkName('name of a table', name);
    requireProps(`table '${name}'`, props, {
      connector: CONNECTOR,
      columns: listOf(COLUMN),
      'watermark?': WATERMARK,
      'primaryKey?': LIST,
      'partitionedBy?': LIST,
    });
    this.sqlName = quoteIdentifier(name);
    this.columns = [...props.columns];
    this.primaryKey = [...(props.primaryKey ?? [])];
    this.watermark = props.watermark;
    this.comment = props.comment;
    checkLiteral(`comment of table '${name}'`, props.comment ?? '');
    this.checkColumns();
    this.checkColumnNames('primaryKey', this.primaryKey, true);
    this.checkColumnNames('partitionedBy', props.partitionedBy ?? [], true);
    if (props.primaryKey?.length === 0) {
      throw new Error(`primaryKey of table '${name}' must name a column, got an empty list; leave it out for a table without a key`);
    }
    this.checkWatermark();
    const definition: TableDefinition = {
      name,
      columns: this.columns,
      primaryKey: this.primaryKey,
      partitionedBy: [...(props.partitionedBy ?? [])],
      hasWatermark: props.watermark !== undefined,
    };
    this.binding = props.connector.bind(definition);
    this.partitionedBy = this.binding.partitionedBy ?? definition.partitionedBy;
  }

  /** The quoted name. */
  public toString(): string {
    return this.sqlName;
  }

  private checkColumns(): void {
    if (this.columns.length === 0) {
      throw new Error(`table '${this.name}' must have one column at least, got none`);
    }
    const names = new Set<string>();
    const metadata = new Map<string, string>();
    for (const { name, metadataKey } of this.columns) {
      if (names.has(name)) {
        throw new Error(`table '${this.name}' must not have two columns of one name, got '${name}' twice`);
      }
      names.add(name);
      if (metadataKey !== undefined) {
        const other = metadata.get(metadataKey);
        if (other !== undefined) {
          throw new Error(
            `table '${this.name}' must read the metadata '${metadataKey}' once, got the columns '${other}' and '${name}'; make one of them Column.computed`,
          );
        }
        metadata.set(metadataKey, name);
      }
    }
  }

  private checkColumnNames(prop: string, names: string[], physical: boolean): void {
    for (const name of names) {
      const column = this.columns.find((candidate) => candidate.name === name);
      if (!column) {
        throw new Error(`${prop} of table '${this.name}' names the column '${name}', which is not there; columns: ${this.columnNames()}`);
      }
      if (physical && column.kind !== ColumnKind.PHYSICAL) {
        throw new Error(`${prop} of table '${this.name}' must name physical columns, got the ${column.kind} column '${name}'`);
      }
    }
    if (new Set(names).size !== names.length) {
      throw new Error(`${prop} of table '${this.name}' must name each column once, got ${names.join(', ')}`);
    }
  }

  private checkWatermark(): void {
    const name = this.watermark?.column;
    if (name === undefined) {
      return;
    }
    this.checkColumnNames('watermark', [name], false);
    const type = this.columns.find((column) => column.name === name)!.type;
    if (type === undefined) {
      return;
    }
    if ((type.root !== DataTypeRoot.TIMESTAMP && type.root !== DataTypeRoot.TIMESTAMP_LTZ) || type.precision! > 3) {
      throw new Error(
        `watermark column '${name}' of table '${this.name}' must be TIMESTAMP or TIMESTAMP_LTZ with a precision of 3 at the most, got ${type}`,
      );
    }
  }

  private columnNames(): string {
    return this.columns.map((column) => column.name).join(', ');
  }
}
