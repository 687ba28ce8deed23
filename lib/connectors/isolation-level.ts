/** Which records of transactions a Kafka reader sees. */
export enum IsolationLevel {
  /** Those of committed transactions and those written outside of one. */
  READ_COMMITTED = 'read_committed',
  /** All, those of open and aborted transactions included. */
  READ_UNCOMMITTED = 'read_uncommitted',
}
