import { readFileSync } from 'fs';
import { join } from 'path';
import { nearestNames, quotedAlternatives } from '../sql/nearest-names';

/** Names of the properties of the Kafka client, and of the connector among them, by the tables that read them. */
interface Properties {
  readonly both: string[];
  readonly source: string[];
  readonly sink: string[];
}

let loaded: Set<string> | undefined;

/** Read on the first use only: most tables have no properties of their own. */
function known(): Set<string> {
  if (loaded === undefined) {
    const { both, source, sink } = JSON.parse(
      readFileSync(join(__dirname, 'data', 'kafka-4.2-client-properties.json'), 'utf8'),
    ) as Properties;
    loaded = new Set([...both, ...source, ...sink]);
  }
  return loaded;
}

const PREFIX = 'properties.';

/**
 * What is wrong with the name of a property that a table hands to its Kafka client, which says no more than a line in the log about one
 * that it does not know. A name that is like none of those that it knows passes: interceptors and login modules have names of their own.
 * So does one that the other side reads: sources and sinks often share their properties.
 *
 * @param option the table option, `properties.linger.ms`
 */
export function kafkaPropertyComplaint(option: string): string | undefined {
  const name = option.slice(PREFIX.length);
  const meant = known().has(name) ? [] : nearestNames(name, known()).map((near) => PREFIX + near);
  return meant.length === 0
    ? undefined
    : `'${option}' is no property that the Kafka client knows, which would pass over it; did you mean ${quotedAlternatives(meant)}?`;
}
