import { Token } from 'aws-cdk-lib';
import { checkKafkaName } from '../kafka/topic-name';

// Version 1.4.2 or v2.0, date 2026-01-31 or 20260131, time in seconds or milliseconds, commit or digest in hexadecimal.
const CHANGING: [RegExp, string][] = [
  [/(?<![A-Za-z0-9])20\d{2}[-_.]?(0[1-9]|1[0-2])[-_.]?(0[1-9]|[12]\d|3[01])(?!\d)/, 'a date'],
  [/(?<![A-Za-z0-9])v?\d+(\.\d+)+(?![A-Za-z0-9])/i, 'a version'],
  [/(?<!\d)\d{10}(\d{3})?(?!\d)/, 'a time'],
  [/(?<![A-Za-z0-9])(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,64}(?![A-Za-z0-9])/i, 'a hash'],
];

/**
 * Refuses a prefix of transactional ids that may change from one deployment to the next. A job finds the transactions that it
 * left open by the prefix; under another one they stay open, and readers see nothing newer until the broker ends them.
 */
export function checkTransactionalIdPrefix(prefix: string | undefined): void {
  if (prefix === undefined) {
    return;
  }
  const advice = "leave it out for the prefix '<namespace>.<job name>.<table>'";
  if (Token.isUnresolved(prefix)) {
    throw new Error(`transactionalIdPrefix must be known at synth and stay the same over deployments, got a token; ${advice}`);
  }
  if (prefix.trim() === '') {
    throw new Error(`transactionalIdPrefix must not be empty, got '${prefix}'; ${advice}`);
  }
  checkKafkaName('transactionalIdPrefix', prefix);
  const changing = CHANGING.find(([pattern]) => pattern.test(prefix));
  if (changing) {
    throw new Error(
      `transactionalIdPrefix must stay the same over deployments, or transactions under the old one stay open: got '${prefix}', which holds ${changing[1]}; ${advice}`,
    );
  }
}
