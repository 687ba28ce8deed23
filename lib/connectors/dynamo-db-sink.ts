import { Token } from 'aws-cdk-lib';
import type { IDimensionTable } from '../aws/dimension-table';
import { tableWriteAlarms } from '../aws/dimension-table-alarms';
import { Artifact } from '../sql/artifact';
import { ColumnKind } from '../sql/column';
import { Changes, type ConnectorBinding, DeliveryGuarantee, type IConnector, type TableDefinition, TableRole } from '../sql/connector';
import { flinkInteger } from '../sql/flink-notation';
import { requireProps } from '../sql/required-props';
import { asyncBufferComplaints } from './async-buffers';
import { checkKey, keyOf } from './dynamo-db-key';
import { DIMENSION_TABLE } from './prop-kinds';
import { checkRawOptions } from './raw-options';
import { checkNoMetadata } from './table-checks';

/** A DynamoDB table that is written. */
export interface DynamoDbSinkProps {
  /** The DynamoDB table. */
  readonly table: IDimensionTable;
  /** Items in one BatchWriteItem, 1 to 25: the service takes no more. @default 25 */
  readonly batchSize?: number;
  /** Whether an item that the service refuses fails the job at once; otherwise it is sent again. @default false */
  readonly failOnError?: boolean;
  /** Whether NULL columns are left out of the item; otherwise they become NULL attributes. @default false */
  readonly ignoreNulls?: boolean;
  /** Options that have no property here. @default - none */
  readonly options?: { [key: string]: string };
}

/**
 * Writes items to a DynamoDB table, at least once: a row replaces the whole item of its key, so that writing it again changes nothing.
 *
 * The columns are attributes of the item by name. The key of the DynamoDB table must be the `primaryKey`; it becomes PARTITIONED BY
 * too, which makes the connector keep one row of a key in a batch (the service refuses a batch with two).
 *
 * Deletes work only where all columns are key columns: the connector asks to delete by the whole row, and the service refuses that
 * (FLINK-35500). A query that may delete rows, such as a join of changing tables, then fails the job at the first delete.
 *
 * @see https://nightlies.apache.org/flink/flink-docs-release-2.2/docs/connectors/table/dynamodb/
 */
export class DynamoDbSink implements IConnector {
  private readonly options: { [option: string]: string };

  constructor(private readonly props: DynamoDbSinkProps) {
    requireProps('DynamoDbSink', props, { table: DIMENSION_TABLE });
    const { table, batchSize, failOnError, ignoreNulls } = props;
    const raw = props.options ?? {};
    checkRawOptions({
      identifier: 'dynamodb',
      role: TableRole.SINK,
      options: raw,
      typed: {
        'table-name': 'table',
        'aws.region': 'table',
        'sink.batch.max-size': 'batchSize',
        'sink.fail-on-error': 'failOnError',
        'sink.ignore-nulls': 'ignoreNulls',
      },
    });
    this.options = {
      'table-name': table.tableName,
      'aws.region': table.region,
      ...(batchSize === undefined ? {} : { 'sink.batch.max-size': flinkInteger('batchSize', batchSize, 1, 25) }),
      ...(failOnError === undefined ? {} : { 'sink.fail-on-error': String(failOnError) }),
      ...(ignoreNulls === undefined ? {} : { 'sink.ignore-nulls': String(ignoreNulls) }),
      ...raw,
    };
    const { options } = this;
    const literal = (option: string) => (Token.isUnresolved(options[option]) ? undefined : options[option]);
    const [complaint] = asyncBufferComplaints('dynamodb', (option) => Object.hasOwn(options, option), literal);
    if (complaint !== undefined) {
      throw new Error(complaint);
    }
  }

  public bind(table: TableDefinition): ConnectorBinding {
    const dimension = this.props.table;
    const key = keyOf(dimension);
    checkNoMetadata(table, 'the dynamodb sink writes none; make it a physical column of the item');
    checkKey(table, dimension);
    checkTypes(table);
    checkPartitioning(table, key);
    const keyOnly = table.columns.every((column) => column.kind !== ColumnKind.PHYSICAL || key.includes(column.name));
    return {
      identifier: 'dynamodb',
      role: TableRole.SINK,
      options: { ...this.options },
      partitionedBy: key,
      sink: { changes: Changes.UPSERT, guarantee: DeliveryGuarantee.AT_LEAST_ONCE },
      artifacts: [Artifact.released('org.apache.flink:flink-sql-connector-dynamodb')],
      access: [{ grantTo: (grantee) => void dimension.grantBatchWrite(grantee) }],
      dependsOn: dimension.dependable ? [dimension.dependable] : [],
      alarms: tableWriteAlarms(dimension),
      contract: [
        'a row replaces the whole item of its key',
        keyOnly ? 'deletes: remove the item' : 'deletes: fail the job (FLINK-35500)',
        'delivery: at least once',
      ],
    };
  }
}

/** Rows can become attributes from connector 6.1 on (FLINK-39106). */
function checkTypes(table: TableDefinition): void {
  for (const column of table.columns) {
    if (column.kind === ColumnKind.PHYSICAL && `${column.type}`.includes('ROW<')) {
      throw new Error(
        `column '${column.name}' of table '${table.name}' must not hold a ROW, which the dynamodb sink cannot write, got ${column.type}; use a MAP or separate columns`,
      );
    }
  }
}

function checkPartitioning(table: TableDefinition, key: string[]): void {
  const given = [...table.partitionedBy].sort().join('\n');
  if (table.partitionedBy.length > 0 && given !== [...key].sort().join('\n')) {
    throw new Error(
      `partitionedBy of table '${table.name}' must be the key of the DynamoDB table, ${key.join(', ')}, got ${table.partitionedBy.join(', ')}; leave it out`,
    );
  }
}
