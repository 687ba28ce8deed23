import { SqlProgram } from '../sql/sql-program';
import type { Derivation } from './derivation';
import type { FlinkApplicationProps } from './flink-application';
import { checkFlinkConfiguration } from './flink-options';
import { OWNED_OPTIONS } from './owned-options';
import { LOCAL_DIRECTORY } from './state-backend';

/**
 * Flink and operator options of a job: the derived ones and those that the user gave, in the order of their keys.
 *
 * @param derivation everything that was derived
 */
export function flinkConfiguration({ job, configuration }: Derivation): { [key: string]: string } {
  const raw = job.flinkConfiguration ?? {};
  if (Object.keys(raw).length > 0) {
    refuseTwice(job, raw);
    // Without a bucket of ours no endpoint is derived, and the user may name one.
    const free = configuration['s3.endpoint'] === undefined ? ['s3.endpoint'] : [];
    const owned = Object.entries({ ...ownedByChoice(job), ...OWNED_OPTIONS }).filter(([key]) => !free.includes(key));
    checkFlinkConfiguration(raw, { owned: Object.fromEntries(owned) });
  }
  const merged = { ...configuration, ...raw };
  return Object.fromEntries(
    Object.keys(merged)
      .sort()
      .map((key) => [key, merged[key]!]),
  );
}

/** Options that belong to the strategy or back end that was chosen. */
function ownedByChoice(job: FlinkApplicationProps): { [key: string]: string } {
  const owned = (prop: string, options: object = {}) => Object.keys(options).map((key) => [key, prop]);
  const ofBackend = job.stateBackend?._configuration ?? {};
  const inVolume = Object.fromEntries(Object.entries(ofBackend).filter(([, value]) => value.startsWith(LOCAL_DIRECTORY)));
  return Object.fromEntries([
    ...owned('restartStrategy', job.restartStrategy?._configuration),
    ...owned('stateBackend', ofBackend),
    ...owned('stateBackend: StateBackend.rocksDb({ localStorage }), the volume where it lies,', inVolume),
  ]);
}

function refuseTwice({ jobName, program }: FlinkApplicationProps, raw: { [key: string]: string }): void {
  const stated = program instanceof SqlProgram ? program._settings() : {};
  for (const [key, value] of Object.entries(raw)) {
    if (Object.hasOwn(stated, key)) {
      throw new Error(
        `flinkConfiguration of job '${jobName}' sets '${key}' to '${value}' and its program to '${stated[key]}'; give it once`,
      );
    }
  }
}
