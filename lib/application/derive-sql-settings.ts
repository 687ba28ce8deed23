import { Duration } from 'aws-cdk-lib';
import { Changes, TableRole } from '../sql/connector';
import { flinkDuration } from '../sql/flink-notation';
import type { SqlProgram } from '../sql/sql-program';
import type { Derivation } from './derivation';
import { checkFlinkConfiguration } from './flink-options';
import { idleTimeoutFloor } from './idle-timeout-floor';
import { racingSinks } from './keyed-shuffle';
import { OWNED_OPTIONS } from './owned-options';
import { UpsertMaterialize } from './upgrade';

/** Whether operators are told apart by their numbers in the plan, not by the shape of the whole job and its chains. */
const OPERATOR_IDS = 'table.exec.uid.generation';

/** The one planner option that would fight with a prop of the job. */
const DEFAULT_PARALLELISM = 'table.exec.resource.default-parallelism';

/**
 * Options of the table planner.
 *
 * @param derivation the job
 * @param program its program
 * @param writers writers of each sink
 */
export function deriveSqlSettings(derivation: Derivation, program: SqlProgram, writers: { [table: string]: number }): void {
  const stated = program._settings();
  if (Object.keys(stated).length > 0) {
    checkFlinkConfiguration(stated, { what: 'SqlProgram.set', owned: { [DEFAULT_PARALLELISM]: OWNED_OPTIONS[DEFAULT_PARALLELISM]! } });
  }
  const set = (key: string, value: string, reason: string) => {
    if (stated[key] === undefined) {
      derivation.sqlSettings[key] = value;
      derivation.tell(key, value, reason);
    }
  };
  const state = (prop: string, key: string, value: string) => {
    if (stated[key] !== undefined) {
      throw new Error(
        `${prop} of job '${derivation.job.jobName}' sets '${key}' to '${value}' and its program to '${stated[key]}'; give it once`,
      );
    }
    derivation.sqlSettings[key] = value;
  };

  set(
    OPERATOR_IDS,
    'ALWAYS',
    'state finds its operator after an INSERT was added behind the others, and where a chain breaks; before the others it would take their state',
  );
  const { sourceIdleTimeout, stateTtl, upsertMaterialize } = derivation.job;
  const [idling] = program._usedTables().filter((table) => table.watermark && table.binding.role === TableRole.SOURCE);
  if (sourceIdleTimeout) {
    state('sourceIdleTimeout', 'table.exec.source.idle-timeout', flinkDuration(sourceIdleTimeout));
  } else if (idling) {
    const splits = idling.binding.source?.splits;
    const part = splits ? `a ${splits.unit} of ${splits.of}` : 'a subtask';
    set(
      'table.exec.source.idle-timeout',
      flinkDuration(Duration.millis(Math.max(60_000, idleTimeoutFloor(derivation.job.checkpointing).toMilliseconds()))),
      `${part} without rows must not hold back the watermark of ${idling.name}, and it must have given out its part of a window at a checkpoint before`,
    );
  }
  const repeating = derivation.bindings.filter(({ binding }) => binding.source?.repeatsEvents).map(({ name }) => name);
  if (repeating.length > 0) {
    refuseKeylessChanges(derivation, repeating[0]!);
    set(
      'table.exec.source.cdc-events-duplicate',
      'true',
      `a connector restart repeats events of ${repeating.join(', ')}; the primary key tells them, at the price of state: the last row of each key, until it is deleted${stateTtl ? ' or the state expires' : ''}`,
    );
  }
  const racing = racingSinks(program, writers);
  if (racing.length > 0) {
    set('table.exec.sink.keyed-shuffle', 'FORCE', `rows of one key must reach one writer of ${racing.join(', ')}`);
  }
  if (stateTtl) {
    state('stateTtl', 'table.exec.state.ttl', flinkDuration(stateTtl));
  }
  if (upsertMaterialize && upsertMaterialize !== UpsertMaterialize.AUTO) {
    state('upsertMaterialize', 'table.exec.sink.upsert-materialize', upsertMaterialize);
  }
}

/** With events dropped by key, the planner refuses every source of changes without a key: the whole statement set. */
function refuseKeylessChanges({ bindings }: Derivation, repeating: string): void {
  const keyless = bindings.find(({ binding: { source } }) => source?.changes === Changes.ALL && !source.repeatsEvents);
  if (keyless) {
    throw new Error(
      `source '${keyless.name}' emits changes and has no primary key, while '${repeating}' has one: events that repeat after a connector restart are dropped by key, for all such sources of a job or for none; give '${keyless.name}' a primaryKey too, or split the job`,
    );
  }
}
