import type { FlinkApplication } from '../application/flink-application';
import { SqlProgram } from '../sql/sql-program';
import type { Rule } from './rule';

/** Options that Flink reads under a condition alone. */
interface ConditionalOptions {
  readonly key: RegExp;
  /** Whether a job reads such an option. */
  readonly isRead: (application: FlinkApplication, key: string) => boolean;
  /** What the job would have to be given. */
  readonly needs: string;
}

const CONDITIONAL: ConditionalOptions[] = [
  {
    key: /^state\.backend\.rocksdb\./,
    isRead: ({ settings }) => settings.stateBackend?._needsLocalVolume === true,
    needs: 'stateBackend: StateBackend.rocksDb()',
  },
  {
    key: /^execution\.checkpointing\.(aligned-checkpoint-timeout|unaligned\..+)$/,
    isRead: ({ settings }) => settings.checkpointing.unaligned === true,
    needs: 'checkpointing.unaligned',
  },
  {
    key: /^execution\.checkpointing\.local-backup\.dirs$/,
    isRead: ({ flinkConfiguration }) => flinkConfiguration['execution.checkpointing.local-backup.enabled'] === 'true',
    needs: 'stateBackend with localRecovery',
  },
  {
    key: /^restart-strategy\.[^.]+\..+/,
    // Flink's own choice for a job with checkpoints.
    isRead: ({ flinkConfiguration }, key) => key.split('.')[1] === (flinkConfiguration['restart-strategy.type'] ?? 'exponential-delay'),
    needs: 'restartStrategy of that kind',
  },
  {
    key: /^high-availability\./,
    isRead: ({ settings }) => settings.highAvailability !== false,
    needs: 'highAvailability',
  },
];

/** An option of something that the job does not have: Flink says nothing. */
export const optionWithoutEffect: Rule = {
  name: 'OptionWithoutEffect',
  level: 'warning',
  looksAt:
    'options in `flinkConfiguration` of a SQL job that belong to RocksDB, to unaligned checkpoints, to local recovery, to one restart strategy or to high availability',
  description: 'An option belongs to what the job does not use.',
  why: 'Flink never reads it, and does not say so: the job runs with other numbers than its owner believes.',
  cure: 'Give the job what the option is for, or leave the option out.',
  check: (application) => {
    const { jobName, program, settings } = application;
    const keys = program instanceof SqlProgram ? Object.keys(settings.flinkConfiguration ?? {}) : [];
    return keys.sort().flatMap((key) => {
      const idle = CONDITIONAL.find((options) => options.key.test(key) && !options.isRead(application, key));
      return idle === undefined
        ? []
        : [
            {
              message: `'${key}' in flinkConfiguration of job '${jobName}' has no effect without ${idle.needs}: give that, or leave it out`,
            },
          ];
    });
  },
};
