import type { AppRule, JobOfApp } from './app-rule';
import { topicPlace } from './topic-place';

interface Reader {
  readonly table: string;
  readonly path: string;
  readonly group: string;
  readonly topic: string;
}

function readers({ application, place, path }: JobOfApp): Reader[] {
  return application._bindings().flatMap(({ name, binding }) => {
    const topic = topicPlace(place, binding);
    const group = binding.source && application._accessContext(name).consumerGroup;
    return group !== undefined && topic !== undefined ? [{ table: name, path, group, topic }] : [];
  });
}

/** Flink divides partitions itself; the group only holds what was committed. */
export const sharedConsumerGroup: AppRule = {
  name: 'SharedConsumerGroup',
  level: 'warning',
  looksAt: 'the consumer groups of all Kafka sources of the app',
  description: 'Two jobs read one topic with the same `consumerGroup`.',
  why: 'Flink does not share partitions between jobs: each reads all of them, and both commit their offsets into the one group. Its lag is that of neither, and a job that starts from the group starts where the other one is.',
  cure: 'Leave `consumerGroup` out: it is made of namespace and job.',
  check: (job, earlier) =>
    readers(job).flatMap(({ table, group, topic }) => {
      const other = earlier.flatMap(readers).find((reader) => reader.group === group && reader.topic === topic);
      return other
        ? [
            {
              table,
              message: `table '${table}' of '${job.path}' and table '${other.table}' of '${other.path}' commit the offsets of one topic to consumer group '${group}': the lag of the group is that of neither, and a start from the group is anywhere; leave consumerGroup out`,
            },
          ]
        : [];
    }),
};
