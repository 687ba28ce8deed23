import {
  Changes,
  type ConnectorBinding,
  DeliveryGuarantee,
  type IConnector,
  type TableDefinition,
  TableRole,
} from '../../lib/sql/connector';

/** A connector that answers the same for every table and remembers what it was asked. */
export class FixedConnector implements IConnector {
  public static source(identifier = 'datagen', options: { [key: string]: string } = {}): FixedConnector {
    return new FixedConnector({ identifier, role: TableRole.SOURCE, options, source: { changes: Changes.INSERT_ONLY } });
  }

  public static lookup(identifier = 'dynamodb-lookup', options: { [key: string]: string } = {}): FixedConnector {
    return new FixedConnector({ identifier, role: TableRole.LOOKUP, options, source: { changes: Changes.INSERT_ONLY } });
  }

  public static sink(identifier = 'blackhole', options: { [key: string]: string } = {}): FixedConnector {
    return new FixedConnector({
      identifier,
      role: TableRole.SINK,
      options,
      sink: { changes: Changes.ALL, guarantee: DeliveryGuarantee.NONE },
    });
  }

  public readonly asked: TableDefinition[] = [];

  constructor(private readonly binding: ConnectorBinding) {}

  /** The same answer with some of it replaced. */
  public with(changes: Partial<ConnectorBinding>): FixedConnector {
    return new FixedConnector({ ...this.binding, ...changes });
  }

  public bind(table: TableDefinition): ConnectorBinding {
    this.asked.push(table);
    return this.binding;
  }
}
