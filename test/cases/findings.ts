import { Token, Validations } from 'aws-cdk-lib';
import type { SqlProgram } from '../../lib';
import type { FlinkApplicationProps } from '../../lib/application/flink-application';
import { FlinkImage } from '../../lib/application/flink-image';
import { applicationErrors, applicationWarnings } from '../../lib/rules/application-rules';
import { Column } from '../../lib/sql/column';
import { Changes, type ConnectorBinding, type IConnector } from '../../lib/sql/connector';
import { DataType } from '../../lib/sql/data-type';
import { SqlProgram as Program } from '../../lib/sql/sql-program';
import type { SqlTableProps } from '../../lib/sql/sql-table';
import { newApp } from '../fixtures/assembly';
import { application, stream } from '../fixtures/programs';
import { ENVIRONMENT, job, newStack } from '../fixtures/stacks';

/** Some connectors of the cases have no release that an image could be built with. */
const IMAGE = FlinkImage.named('registry/orders:1.0.0');

/** A value that is known only at deployment. */
export const TOKEN = Token.asString({ Ref: 'Value' });

/** What most sinks of the cases are given. */
export const COLUMNS = [Column.physical('id', DataType.STRING), Column.physical('amount', DataType.BIGINT)];

/** The query that only adds rows. */
export const APPEND = 'SELECT id, amount FROM events';

/** The query whose rows change with each event. */
export const AGGREGATE = 'SELECT id, SUM(amount) FROM events GROUP BY id';

/** The query of the two greatest rows of each key, which others take the place of. */
export const TOP =
  'SELECT id, amount FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY amount DESC) AS n FROM events) WHERE n <= 2';

/** Binds a connector to a table with the columns of the cases, as a user would. */
export function bind(connector: IConnector, table: Partial<SqlTableProps> = {}): ConnectorBinding {
  return new Program().addTable('out', { connector, columns: COLUMNS, ...table }).binding;
}

/** Events of a stream of four shards, written to one sink by a query. */
export function into(connector: IConnector, table: Partial<SqlTableProps> = {}, query = APPEND): SqlProgram {
  const program = new Program();
  program.addTable('events', { ...stream('clicks', 4), columns: COLUMNS });
  program.addInsert(program.addTable('out', { connector, columns: COLUMNS, ...table }), query);
  return program;
}

/** Changes of a database table, written to one sink as they are. */
export function mirrored(connector: IConnector, table: Partial<SqlTableProps> = {}): SqlProgram {
  const program = new Program();
  program.addTable('events', { ...stream('clicks', 4, { changes: Changes.ALL }), columns: COLUMNS, primaryKey: ['id'] });
  program.addInsert(program.addTable('out', { connector, columns: COLUMNS, ...table }), APPEND);
  return program;
}

/** Names of the rules that warn of a job. */
export function warned(program: SqlProgram, changed: Partial<FlinkApplicationProps> = {}): string[] {
  return applicationWarnings(application({ program, image: IMAGE, ...changed })).map(({ id }) => id.replace('cdk-flink-pipeline:', ''));
}

/** What a job must not do. */
export function refused(program: SqlProgram, changed: Partial<FlinkApplicationProps> = {}): string[] {
  return applicationErrors(application({ program, image: IMAGE, ...changed }));
}

/** Names of the rules that the toolkit still shows for a job once one of them is acknowledged. */
export function shownAfter(acknowledged: string, program: SqlProgram): string[] {
  const error = jest.spyOn(console, 'error').mockImplementation(() => {});
  const app = newApp();
  const created = job(newStack({ env: ENVIRONMENT }, app), { program });
  Validations.of(created).acknowledge({ id: `cdk-flink-pipeline:${acknowledged}`, reason: 'meant' });
  app.synth();
  const shown = error.mock.calls.flat().join('\n');
  error.mockRestore();
  return [...shown.matchAll(/Acknowledge with 'Annotation::cdk-flink-pipeline:(\w+)'/g)].map(([, name]) => name!);
}
