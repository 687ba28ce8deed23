import type { FlinkApplication } from '../application/flink-application';
import { UpsertMaterialize } from '../application/upgrade';
import { stateExpires } from '../rules/keeps-state-for-ever';
import { upsertMaterialize } from '../rules/upsert-materialize';
import type { Sign } from './sign';
import { stateRoom } from './state-room';

/**
 * The alert of a state that grows and does not stop.
 *
 * @param application the job
 * @param pods selects the series of the job
 */
export function stateSign(application: FlinkApplication, pods: string): Sign {
  const { bytes, origin } = stateRoom(application);
  const size = `flink_jobmanager_job_lastCheckpointFullSize{${pods}}`;
  // The peak of a day knows neither the hours of that day, nor the checkpoints that a restarted job manager has not made yet.
  const [today, yesterday, before, first] = [0, 1, 2, 3].map(
    (days) => `max(max_over_time(${size}[1d]${days > 0 ? ` offset ${days}d` : ''}))`,
  );
  const steady =
    `${today} > ${yesterday} and ${yesterday} > ${before} and ${before} > ${first} ` +
    `and (${today} > 1.1 * ${first} or ${today} + 7 * (${today} - ${first}) / 3 > ${bytes})`;
  const doubled = `max(${size}) > 2 * max(${size} offset 1d)`;
  // There is nothing to compare it with before it is a day old.
  const young = `max(${size}) > ${Math.floor(bytes / 2)} and max(${size}) > 1.1 * max(${size} offset 3h) unless max(${size} offset 1d)`;
  return {
    alert: 'FlinkStateGrowing',
    severity: 'warning',
    expr: `max(${size}) > ${Math.floor(bytes / 10)} and (${steady} or ${doubled} or ${young})`,
    lasts: 60 * 60,
    summary: 'its state grows',
    description:
      `The state grew on each of three days, by a tenth or so that a week more fills the room that it has, ${origin}; or it doubled in a day, ` +
      `or filled half of that room in its first. ${keeper(application)}`,
  };
}

function keeper(application: FlinkApplication): string {
  return upsertMaterialize(application) === UpsertMaterialize.FORCE
    ? `A SinkUpsertMaterializer stands before each sink with a key (upsertMaterialize is FORCE) and keeps the rows of each key ${stateExpires(application) ? 'until the state TTL' : 'for ever'}.`
    : 'A SinkUpsertMaterializer, a join or an aggregate keeps a row for each key that ever came, unless the state has a TTL.';
}
