/** How the operator takes a running job to a new spec. */
export enum UpgradeMode {
  /** Take a savepoint, stop, start from it. Works over changes of Flink and of the job graph. */
  SAVEPOINT = 'savepoint',
  /** Stop and start from the last checkpoint: fast, for unchanged state. */
  LAST_STATE = 'last-state',
  /** Stop and start from nothing: state is lost. */
  STATELESS = 'stateless',
}

/** How a savepoint is written. */
export enum SavepointFormat {
  /** In the form of the state back end: fast. */
  NATIVE = 'NATIVE',
  /** In a form that every state back end reads: needed once, when the back end changes. */
  CANONICAL = 'CANONICAL',
}

/** Whether the job should run. */
export enum JobState {
  /** It should run. */
  RUNNING = 'running',
  /** It should be stopped, with a savepoint under `UpgradeMode.SAVEPOINT`. */
  SUSPENDED = 'suspended',
}

/** When SinkUpsertMaterializer stands before a sink: it sorts out updates that arrive out of order, and keeps every row of a key. */
export enum UpsertMaterialize {
  /** Where the planner finds that the sink's key differs from the query's upsert key. */
  AUTO = 'AUTO',
  /** Before every sink that takes updates. */
  FORCE = 'FORCE',
  /** Never: rows of one key must reach the sink in order by themselves. */
  NONE = 'NONE',
}
