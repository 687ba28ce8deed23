import { type IResolvable, Reference, Token, Tokenization } from 'aws-cdk-lib';

/**
 * A value as messages show it. The text or number that stands for a token tells a reader nothing: a token is named by what it
 * refers to where that is known.
 *
 * @param value text, which gets quotes, or a number
 */
export function printed(value: string | number): string {
  if (!Token.isUnresolved(value)) {
    return typeof value === 'string' ? `'${value}'` : String(value);
  }
  if (typeof value === 'number') {
    return tokenOf(Tokenization.reverseNumber(value));
  }
  const fragments = Tokenization.reverseString(value);
  return fragments.length === 1 ? tokenOf(fragments.firstToken) : `'${withoutTokens(value)}'`;
}

/**
 * Text in which each token reads `<token>`.
 *
 * @param text text, with or without tokens
 * @param placeholder what to write for a token
 */
export function withoutTokens(text: string, placeholder: string = '<token>'): string {
  return Tokenization.reverseString(text)
    .mapTokens({ mapToken: () => placeholder })
    .join({ join: (left, right) => `${left ?? ''}${right ?? ''}` });
}

function tokenOf(token: IResolvable | undefined): string {
  return Reference.isReference(token) ? `a token (${token.displayName} of ${token.target.node.path})` : 'a token';
}
