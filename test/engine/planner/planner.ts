import { preparePlanner } from '../../../lib/planner/planner-home';
import { PlannerProcess } from '../../../lib/planner/planner-process';

/** One planner for a test file. */
export function startPlanner(): PlannerProcess {
  return new PlannerProcess(preparePlanner((message) => process.stderr.write(`${message}\n`)));
}
