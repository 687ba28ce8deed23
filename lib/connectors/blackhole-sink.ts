import { Changes, type ConnectorBinding, DeliveryGuarantee, type IConnector, type TableDefinition, TableRole } from '../sql/connector';
import { checkNoMetadata } from './table-checks';

/**
 * Throws every row away, for measuring a pipeline without its sinks (`blackhole`). It takes every query and has no options.
 *
 * @see https://nightlies.apache.org/flink/flink-docs-release-2.2/docs/connectors/table/blackhole/
 */
export class BlackholeSink implements IConnector {
  /** @inheritdoc */
  public bind(table: TableDefinition): ConnectorBinding {
    checkNoMetadata(table, "the connector 'blackhole' writes none; make it a physical column");
    return {
      identifier: 'blackhole',
      role: TableRole.SINK,
      options: {},
      sink: { changes: Changes.ALL, guarantee: DeliveryGuarantee.NONE },
    };
  }
}
