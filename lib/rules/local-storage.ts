import { SizeRoundingBehavior } from 'aws-cdk-lib';
import type { Rule } from './rule';

/** The volume of the state is a part of the local disk of its pod, which has a limit of its own. */
export const localStorage: Rule = {
  name: 'LocalStorage',
  level: 'warning',
  looksAt: '`localStorage` of the state back end and `taskManager.ephemeralStorage`',
  description: '`taskManager.ephemeralStorage` is below `localStorage` of `StateBackend.rocksDb`.',
  why: 'What lies in the volume counts for the disk of the pod. Kubernetes evicts the pod at the lower limit, long before the state has the room that was stated.',
  cure: 'Raise `ephemeralStorage` above `localStorage`, with room for logs; or leave it out.',
  check: ({ jobName, settings: { stateBackend, taskManager } }) => {
    const [volume, disk] = [stateBackend?._localStorage?.toMebibytes(), taskManager?.ephemeralStorage];
    return volume !== undefined && disk !== undefined && disk.toMebibytes({ rounding: SizeRoundingBehavior.FLOOR }) < volume
      ? [
          {
            message: `the pods of job '${jobName}' have ${disk.toMebibytes({ rounding: SizeRoundingBehavior.FLOOR })} MiB of local disk (taskManager.ephemeralStorage), and their state a volume of ${volume} MiB on it (localStorage of stateBackend): they are evicted at the lower limit; raise ephemeralStorage, or leave it out`,
          },
        ]
      : [];
  },
};
