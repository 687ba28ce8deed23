import { Token } from 'aws-cdk-lib';

/**
 * Whether a Kafka version is at least another one; compared as versions: 3.10 is above 3.6. The names of Amazon MSK
 * (`3.9.x`, `4.1.x.kraft`, `2.8.2.tiered`) are versions too.
 *
 * @param version the version; a token is taken for a good one
 * @param minimum major, minor and patch
 */
export function isKafkaVersionAtLeast(version: string, minimum: [number, number, number]): boolean {
  if (Token.isUnresolved(version)) {
    return true;
  }
  const match = /^(\d+)\.(\d+)(?:\.(\d+|x))?(?:\.[a-z]+)?$/.exec(version);
  if (!match) {
    throw new Error(`kafkaVersion must be a version like '3.6.0' or '3.9.x', got '${version}'`);
  }
  // `x` is whatever patch release the service runs.
  const parts = [Number(match[1]), Number(match[2]), match[3] === 'x' ? Number.MAX_SAFE_INTEGER : Number(match[3] ?? 0)];
  for (let i = 0; i < parts.length; i++) {
    if (parts[i] !== minimum[i]) {
      return parts[i] > minimum[i];
    }
  }
  return true;
}
