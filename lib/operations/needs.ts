import type { ScriptTable } from '../sql/sql-script';

/** What the role that a script runs as must be granted to write into a source. */
export function writeNeed({ connector, options }: ScriptTable): string {
  return connector === 'kinesis'
    ? `Needs: write on ${options['stream.arn']}. The role of the job has it by stream.grantWrite(job), once that is deployed.`
    : `Needs: write on the topic ${options.topic}. Where the brokers ask IAM the role of the job has it by topic.grantWrite(job), once that is deployed.`;
}

/**
 * What the role that a script runs as, and its database users, must be granted to read tables to their end.
 *
 * @param tables sources and sinks that are read
 * @param consumerGroup consumer group of the script
 */
export function readNeeds(tables: ScriptTable[], consumerGroup: string): string[] {
  const some = (what: string, names: (string | undefined)[]) => (names.length === 0 ? [] : [`${what} ${[...new Set(names)].join(', ')}`]);
  const topics = some(
    'read on the topics',
    tables.filter(({ connector }) => /kafka$/.test(connector)).map(({ options }) => options.topic ?? options['topic-pattern']),
  ).map((text) => `${text}, with the consumer group ${consumerGroup}`);
  // A reader by enhanced fan-out may not poll.
  const streams = some(
    'read on',
    tables.filter(({ options }) => options['source.reader.type'] === 'EFO').map(({ options }) => options['stream.arn']),
  );
  const databases = some(
    'SELECT on',
    tables.filter(({ connector }) => connector === 'jdbc').map(({ options }) => options['table-name']),
  );
  const needs = [...topics, ...streams, ...databases];
  return [
    ...(needs.length === 0 ? [] : [`Needs: ${needs.join('; ')}.`]),
    ...(topics.length === 0
      ? []
      : [
          `Where the brokers ask IAM the role of the job has it by topic.grantRead(job, '${consumerGroup}') for each topic, once that is deployed.`,
        ]),
    ...(streams.length === 0 ? [] : ['For each stream by stream.grantRead(job).']),
  ];
}
