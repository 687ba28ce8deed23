import type { FlinkApplicationProps } from '../../lib/application/flink-application';
import { applicationWarnings } from '../../lib/rules/application-rules';
import { application } from '../fixtures/programs';

/** What the rules say about a job: `cdk-flink-pipeline:Rule table: message`. */
export function warnings(changed: Partial<FlinkApplicationProps>): string[] {
  return applicationWarnings(application(changed)).map(({ id, table, message }) => `${id}${table ? ` ${table}` : ''}: ${message}`);
}
