import { idleTimeoutFloor } from '../application/idle-timeout-floor';
import { SqlProgram } from '../sql/sql-program';
import { wordsOf } from './queries/words-of';
import type { Rule } from './rule';

const WINDOW_FUNCTIONS = /^(TUMBLE|HOP|CUMULATE)$/;

/** A window is counted in each source subtask first; the part of one that is idle waits there for a checkpoint. */
export const idleBeforeCheckpoint: Rule = {
  name: 'IdleBeforeCheckpoint',
  level: 'warning',
  looksAt: '`sourceIdleTimeout`, the checkpoints, and queries over windows',
  description: '`sourceIdleTimeout` is shorter than two intervals of checkpoints, and a query aggregates over windows.',
  why: 'A source subtask counts its part of a window, and gives it out when its own watermark passes the end, or at a checkpoint. Once it is idle the others close the window without it; its part comes later and is dropped. No error tells, only `numLateRecordsDropped`.',
  cure: 'Leave `sourceIdleTimeout` out: the library derives the interval and the longer of interval and pause once more, a minute at least. Or shorten `checkpointing.interval` and `minPause`.',
  check: ({ jobName, program, settings: { sourceIdleTimeout, checkpointing } }) => {
    const floor = idleTimeoutFloor(checkpointing);
    const windows =
      program instanceof SqlProgram &&
      program
        ._inserts()
        .flatMap(({ query }) => [query, ...[...query.views].map((view) => view._query)])
        .some(({ tokens }) => wordsOf(tokens).some((word) => WINDOW_FUNCTIONS.test(word)));
    return windows && sourceIdleTimeout !== undefined && sourceIdleTimeout.toMilliseconds() < floor.toMilliseconds()
      ? [
          {
            message: `sourceIdleTimeout (${sourceIdleTimeout.toHumanString()}) of job '${jobName}' is shorter than the time in which a checkpoint is sure to come (${floor.toHumanString()}), and it aggregates over windows: what a split that falls silent has counted since the last checkpoint is dropped as late; leave sourceIdleTimeout out, or shorten checkpointing.interval and minPause`,
          },
        ]
      : [];
  },
};
