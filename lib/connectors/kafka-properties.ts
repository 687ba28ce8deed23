import { readFileSync } from 'fs';
import { join } from 'path';
import { TableRole } from '../sql/connector';
import { nearestNames, quotedAlternatives } from '../sql/nearest-names';

/** Names of the properties of the Kafka client, and of the connector among them, by the tables that read them. */
interface Properties {
  readonly both: string[];
  readonly source: string[];
  readonly sink: string[];
}

let loaded: Properties | undefined;

/** Read on the first use only: most tables have no properties of their own. */
function properties(): Properties {
  loaded ??= JSON.parse(readFileSync(join(__dirname, 'data', 'kafka-4.2-client-properties.json'), 'utf8')) as Properties;
  return loaded;
}

const PREFIX = 'properties.';

/**
 * What is wrong with the name of a property that a table hands to its Kafka client, which says no more than a line in the log about one
 * that it does not know. A name that is like none of those that it knows passes: interceptors and login modules have names of their own.
 *
 * @param option the table option, `properties.linger.ms`
 * @param role what the table is for
 */
export function kafkaPropertyComplaint(option: string, role: TableRole): string | undefined {
  const { both, source, sink } = properties();
  const name = option.slice(PREFIX.length);
  const [own, others, otherRole] = role === TableRole.SINK ? [sink, source, 'source'] : [source, sink, 'sink'];
  if (both.includes(name) || own.includes(name)) {
    return undefined;
  }
  if (others.includes(name)) {
    return `'${option}' has no effect on a ${role}: it is read by a ${otherRole} only`;
  }
  const meant = nearestNames(name, [...both, ...own]).map((near) => PREFIX + near);
  return meant.length === 0
    ? undefined
    : `'${option}' is no property that the Kafka client knows, which would pass over it; did you mean ${quotedAlternatives(meant)}?`;
}
