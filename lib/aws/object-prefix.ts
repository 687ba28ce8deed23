import { Token } from 'aws-cdk-lib';

const ERROR_OUTPUT_TYPE = '!{firehose:error-output-type}';

/**
 * Refuses concrete prefixes that Firehose refuses
 * (https://docs.aws.amazon.com/firehose/latest/dev/s3-prefixes.html).
 */
export function checkObjectPrefixes(prefix: string | undefined, errorPrefix: string): void {
  checkExpressions('prefix', prefix);
  checkExpressions('errorPrefix', errorPrefix);
  if (prefix !== undefined && !Token.isUnresolved(prefix) && prefix.includes(ERROR_OUTPUT_TYPE)) {
    throw new Error(`prefix must not hold ${ERROR_OUTPUT_TYPE}, which is for errorPrefix, got '${prefix}'`);
  }
  if (!Token.isUnresolved(errorPrefix) && errorPrefix.includes('!{') && !errorPrefix.includes(ERROR_OUTPUT_TYPE)) {
    throw new Error(`errorPrefix with expressions must hold ${ERROR_OUTPUT_TYPE}, got '${errorPrefix}'`);
  }
}

/**
 * The key pattern of the objects that Firehose writes below a prefix: as much of the prefix as is the same for all objects.
 */
export function objectKeyPattern(prefix: string | undefined): string {
  // What a token becomes may hold an expression, and an expression in a policy would match nothing.
  return prefix === undefined || Token.isUnresolved(prefix) ? '*' : `${prefix.split('!{')[0]}*`;
}

function checkExpressions(prop: string, prefix: string | undefined): void {
  if (prefix === undefined || Token.isUnresolved(prefix)) {
    return;
  }
  if (prefix.length > 1024) {
    throw new Error(`${prop} must have at most 1024 characters, got ${prefix.length}`);
  }
  // Neither a wildcard nor a policy variable may get into the resource of the role's policy.
  if (/[*?]|\$\{/.test(prefix)) {
    throw new Error(`${prop} must not hold '*', '?' or '\${', got '${prefix}'`);
  }
  if (/!\{partitionKeyFrom/.test(prefix)) {
    throw new Error(`${prop} must not use partition keys because the delivery stream does not partition dynamically, got '${prefix}'`);
  }
  if (/!\{(?!(firehose|timestamp):[^{}]+\})/.test(prefix)) {
    throw new Error(`${prop} must write expressions as '!{firehose:…}' or '!{timestamp:…}', got '${prefix}'`);
  }
}
