import type { Rule } from './rule';

const OPTION = 'sink.fail-on-error';

/** Services refuse records when they are busy; that is no error of the record. */
export const refusedRecordFailsJob: Rule = {
  name: 'RefusedRecordFailsJob',
  level: 'warning',
  looksAt: '`failOnError` of Firehose, Kinesis and DynamoDB sinks',
  description: '`failOnError` is true.',
  why: 'Being throttled is an error, too: the first busy second restarts the job, which then sends the same records again, faster.',
  cure: 'Leave `failOnError` out: what the service refuses is sent again. Acknowledge it in a test.',
  check: (application) =>
    application
      ._bindings()
      .filter(({ binding }) => binding.options[OPTION]?.toLowerCase() === 'true')
      .map(({ name, binding }) => ({
        table: name,
        message: `failOnError of table '${name}' of job '${application.jobName}' restarts the job whenever ${binding.identifier} throttles it, and the rows since the last checkpoint are sent again; leave failOnError out`,
      })),
};
