import { Changes, type ConnectorBinding, DeliveryGuarantee, type IConnector, type TableDefinition, TableRole } from '../sql/connector';
import { checkNoMetadata } from './table-checks';
import { checkWriters, definedOptions, textOption } from './typed-value';

/** The output of the TaskManagers as a sink. */
export interface PrintSinkProps {
  /** Text before each row, to tell several print tables apart. @default - none */
  readonly identifier?: string;
  /** Whether rows go to the standard error instead of the standard output. @default false */
  readonly standardError?: boolean;
  /** Parallel writers. @default - the parallelism of the job */
  readonly writers?: number;
}

/**
 * Prints each row with its kind (`+I`, `-U`, `+U`, `-D`) in the log of a TaskManager, for trying a pipeline (`print`). It takes
 * every query. Mind that rows with personal data then stand in the logs.
 *
 * @see https://nightlies.apache.org/flink/flink-docs-release-2.2/docs/connectors/table/print/
 */
export class PrintSink implements IConnector {
  private readonly rendered: { [key: string]: string };

  constructor(private readonly props: PrintSinkProps = {}) {
    checkWriters(props.writers);
    this.rendered = definedOptions({
      'print-identifier': props.identifier === undefined ? undefined : textOption('identifier', props.identifier),
      'standard-error': props.standardError === undefined ? undefined : `${props.standardError}`,
    });
  }

  /** @inheritdoc */
  public bind(table: TableDefinition): ConnectorBinding {
    checkNoMetadata(table, "the connector 'print' writes none; make it a physical column");
    return {
      identifier: 'print',
      role: TableRole.SINK,
      options: { ...this.rendered },
      sink: {
        changes: Changes.ALL,
        guarantee: DeliveryGuarantee.AT_LEAST_ONCE,
        parallelismOption: 'sink.parallelism',
        writers: this.props.writers,
      },
    };
  }
}
