import { Token, Tokenization } from 'aws-cdk-lib';
import { describeToken } from './placeholders';

/**
 * Refuses CDK tokens where nothing resolves them: in a plain cdk8s app they would be written as `${Token[TOKEN.1]}`.
 *
 * @param value anything made of JSON types
 * @param what names the value in the message: `FlinkDeployment user-events`
 * @returns the value
 */
export function literalOnly<T>(value: T, what: string): T {
  refuseTokens(value, what, []);
  return value;
}

function refuseTokens(value: unknown, what: string, path: string[]): void {
  if (isToken(value)) {
    const where = path.length > 0 ? `'${path.join('.')}' of ${what}` : what;
    throw new Error(
      `${where} holds ${describeToken(value)}, known only when CloudFormation deploys it; there is no stack here: use a literal value`,
    );
  }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      refuseTokens(item, what, [...path, String(index)]);
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      refuseTokens(key, `a key of ${what}`, path);
      refuseTokens(item, what, [...path, key]);
    }
  }
}

function isToken(value: unknown): boolean {
  return Array.isArray(value) ? Tokenization.reverseList(value) !== undefined : Token.isUnresolved(value);
}
