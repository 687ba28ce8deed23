import { Token } from 'aws-cdk-lib';
import type { Rule } from './rule';

const MANAGED = 'state.backend.rocksdb.memory.managed';
const OVERHEAD = 'taskmanager.memory.jvm-overhead.fraction';
/** Flink's own share. */
const LEAST_OVERHEAD = 0.1;

/** RocksDB allocates beside the heap: what Flink did not set aside is taken from the limit of the container. */
export const rocksDbMemory: Rule = {
  name: 'RocksDbMemory',
  level: 'warning',
  looksAt: 'the state back end, and memory options in `flinkConfiguration`',
  description:
    'A job with RocksDB sets `state.backend.rocksdb.memory.managed` to `false`, or `taskmanager.memory.jvm-overhead.fraction` below 0.1.',
  why: 'RocksDB allocates beside the heap. What Flink did not set aside is taken from the limit of the container, which is killed.',
  cure: 'Leave the option out. Acknowledge it where the memory was measured.',
  check: ({ jobName, settings }) => {
    if (!settings.stateBackend?._needsLocalVolume) {
      return [];
    }
    const { [MANAGED]: managed, [OVERHEAD]: overhead } = settings.flinkConfiguration ?? {};
    const cure = 'leave it out, or acknowledge this where the memory was measured';
    const findings = [];
    if (managed?.toLowerCase() === 'false') {
      findings.push({
        message: `flinkConfiguration of job '${jobName}' sets '${MANAGED}' to 'false': each state of RocksDB then takes memory of its own, beyond what Flink counts, until the container is killed; ${cure}`,
      });
    }
    if (overhead !== undefined && !Token.isUnresolved(overhead) && Number(overhead) < LEAST_OVERHEAD) {
      findings.push({
        message: `flinkConfiguration of job '${jobName}' sets '${OVERHEAD}' to '${overhead}', below ${LEAST_OVERHEAD}: RocksDB goes beyond its budget for a while at times, and the container is killed; ${cure}`,
      });
    }
    return findings;
  },
};
