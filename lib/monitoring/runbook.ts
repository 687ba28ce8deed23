import { Token } from 'aws-cdk-lib';

/** Headings of docs/operations.md, each with the alerts and alarms that it is for. */
const RUNBOOK: { readonly [heading: string]: readonly string[] } = {
  'The job is behind': [
    'IteratorAge',
    'MillisBehindLatest',
    'ReadThrottled',
    'FlinkBackPressure',
    'FlinkSourceLag',
    'FlinkSourcePending',
    'FlinkShardLag',
    'FlinkSinkHoldsBack',
  ],
  'The job does not run': ['FlinkJobNotRunning', 'FlinkJobRestarting'],
  'Rows are missing from windows': ['FlinkLateRowsDropped', 'FlinkWatermarkStalled', 'FlinkWatermarkAhead'],
  Checkpoints: ['FlinkCheckpointSlow', 'FlinkCheckpointFailing', 'FlinkCheckpointMissing'],
  Sinks: ['LookupThrottled', 'WriteThrottled', 'DataFreshness', 'DeliveryFailed', 'FlinkSinkErrors', 'FlinkSinkSkewed'],
  'The state grows': ['FlinkStateGrowing'],
};

function headingOf(sign: string): string | undefined {
  return Object.entries(RUNBOOK).find(([, signs]) => signs.includes(sign))?.[0];
}

/**
 * Where it is written what to do about an alert or an alarm; undefined for an alarm of a connector that is not ours.
 *
 * @param sign name of the alert or alarm
 */
export function runbookOf(sign: string): string | undefined {
  const heading = headingOf(sign);
  return heading && `docs/operations.md of cdk-flink-pipeline: ${heading}`;
}

/**
 * The address of that heading.
 *
 * @param sign name of the alert or alarm
 * @param runbookUrl where the page is kept
 */
export function addressOf(sign: string, runbookUrl: string): string {
  const heading = headingOf(sign);
  return heading === undefined ? runbookUrl : `${runbookUrl}#${heading.toLowerCase().replaceAll(' ', '-')}`;
}

/** Refuses what no anchor can be added to. */
export function checkRunbookUrl(runbookUrl: string | undefined): void {
  if (runbookUrl !== undefined && !Token.isUnresolved(runbookUrl) && !/^[^#\s]+$/.test(runbookUrl)) {
    throw new Error(
      `runbookUrl must be the address of the page alone, such as 'https://wiki.example.com/flink/operations', got '${runbookUrl}'; leave out blanks and '#': each alert adds the anchor of its heading`,
    );
  }
}
