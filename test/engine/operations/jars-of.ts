import { connectorJars } from '../../../lib/planner/connector-jars';
import { findPrograms } from '../../../lib/planner/find-programs';
import { findJava } from '../../../lib/planner/java-home';

/** Jars of the connectors of a job: their factories judge the options that a script sets. */
export function jarsOf(assembly: string, job: string): string[] {
  const { coordinates } = findPrograms(assembly).find(({ jobName }) => jobName === job)!;
  return connectorJars(coordinates, findJava().directory, (message) => process.stderr.write(`${message}\n`)).paths;
}
