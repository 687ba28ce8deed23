import type { Rule } from './rule';

/** A table of the latest rows is whole only while its topic keeps the last record of every key. */
export const vanishingKeys: Rule = {
  name: 'VanishingKeys',
  level: 'warning',
  looksAt: 'the clean-up policy of topics that hold a table of the latest row of each key',
  description: 'An `UpsertKafkaSink` or `UpsertKafkaSource` is on a topic that deletes records by age.',
  why: 'A key that is not updated for as long as the topic keeps records vanishes without a delete: whoever builds the table anew gets it incomplete, and no error.',
  cure: 'Use `CompactedTopic`. Acknowledge it where rows may be forgotten after that time.',
  check: (application) =>
    application
      ._bindings()
      .filter(({ binding }) => binding.forgets !== undefined)
      .map(({ name, binding }) => ({
        table: name,
        message: `${binding.forgets}: rows of table '${name}' of job '${application.jobName}' that are not updated for long vanish without a delete; use a CompactedTopic, or acknowledge this where they may be forgotten`,
      })),
};
