/** Headings of docs/operations.md, each with the alerts that it is for. */
const RUNBOOK: { readonly [heading: string]: readonly string[] } = {
  'The job is behind': ['FlinkBackPressure', 'FlinkSourceLag', 'FlinkSourcePending', 'FlinkShardLag', 'FlinkSinkHoldsBack'],
  'The job does not run': ['FlinkJobNotRunning', 'FlinkJobRestarting'],
  'Rows are missing from windows': ['FlinkLateRowsDropped', 'FlinkWatermarkStalled', 'FlinkWatermarkAhead'],
  Checkpoints: ['FlinkCheckpointSlow', 'FlinkCheckpointFailing', 'FlinkCheckpointMissing'],
  Sinks: ['FlinkSinkErrors', 'FlinkSinkSkewed'],
  'The state grows': ['FlinkStateGrowing'],
};

/**
 * Where it is written what to do about an alert.
 *
 * @param alert name of the alert
 */
export function runbookOf(alert: string): string {
  const [heading] = Object.entries(RUNBOOK).find(([, alerts]) => alerts.includes(alert))!;
  return `docs/operations.md of cdk-flink-pipeline: ${heading}`;
}
