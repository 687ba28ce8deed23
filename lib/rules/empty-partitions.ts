import type { Rule } from './rule';

const PARTITIONER = 'sink.partitioner';

/** By the fixed partitioner each writer fills one partition. */
export const emptyPartitions: Rule = {
  name: 'EmptyPartitions',
  level: 'warning',
  looksAt: 'partitioner, writers and partitions of each Kafka sink',
  description: '`KafkaPartitioner.FIXED` has fewer writers than the topic has partitions.',
  why: 'Each writer writes to one partition: the others stay empty, and their readers idle.',
  cure: 'Leave `partitioner` out, and give a `key` where order matters; or raise `writers` to the partitions.',
  check: (application) =>
    application._bindings().flatMap(({ name, binding }) => {
      const { splits, writers = application.parallelism } = binding.sink ?? {};
      return binding.options[PARTITIONER] !== 'fixed' || splits?.count === undefined || splits.count <= writers
        ? []
        : [
            {
              table: name,
              message: `the ${writers} writers of table '${name}' of job '${application.jobName}' fill one partition each, and ${splits.of} has ${splits.count}: ${splits.count - writers} stay empty; leave the partitioner out, or raise writers to ${splits.count}`,
            },
          ];
    }),
};
