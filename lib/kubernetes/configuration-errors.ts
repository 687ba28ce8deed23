import { Token } from 'aws-cdk-lib';
import { optionValueComplaint } from '../application/flink-options';
import { objectName } from '../target/kubernetes-object';

/**
 * Errors for values of Flink options that Flink refuses, by which a patch stops the job manager seconds after it has started: neither the
 * API server nor the operator looks at them.
 *
 * @param deployment a FlinkDeployment as JSON, with patches; tokens pass
 */
export function configurationErrors(deployment: object): string[] {
  const { spec } = deployment as { spec?: { flinkConfiguration?: unknown } };
  return flattened(spec?.flinkConfiguration).flatMap(([key, value]) => {
    const complaint = optionValueComplaint(key, value);
    return complaint === undefined ? [] : [`flinkConfiguration of ${objectName(deployment)}: ${complaint}`];
  });
}

/** As the operator reads it: nested maps make longer keys, and lists are joined. What is no value at all is told elsewhere. */
function flattened(value: unknown, key = ''): [string, string][] {
  if (Array.isArray(value)) {
    return [[key, value.join(';')]];
  }
  if (typeof value === 'object' && value !== null && !Token.isUnresolved(value)) {
    return Object.entries(value).flatMap(([name, item]) => flattened(item, key === '' ? name : `${key}.${name}`));
  }
  return ['string', 'number', 'boolean'].includes(typeof value) ? [[key, String(value)]] : [];
}
