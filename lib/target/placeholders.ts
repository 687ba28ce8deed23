import type { IPostProcessor, IResolvable, IResolveContext } from 'aws-cdk-lib';
import { CfnElement, CfnParameter, DefaultTokenResolver, Reference, Stack, StringConcat, Token, Tokenization } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** A part of a value that is known only at deployment. */
export interface UnresolvedToken {
  /** Keys and indexes that lead to it, empty where the value itself is the token. */
  readonly path: string[];
  /** What it stands for: `attribute Arn of 'Stack/Events'`. */
  readonly description: string;
  /** How to make it a literal. */
  readonly cure: string;
}

/**
 * The value with each token replaced by a readable placeholder: `${LogicalId}`, `${LogicalId.Attribute}`, or the intrinsic
 * function as compact JSON inside `${}`. A reference into another stack is headed by the path of that stack.
 *
 * The result is the same before and during synthesis, and does not depend on how many tokens were made before: a hash of it
 * may name things. Lazy values that become literals are literals here.
 *
 * @param value anything made of JSON types and tokens
 * @param scope where the value is used
 */
export function placeholders<T>(value: T, scope: IConstruct): T {
  return resolveTokens(value, scope, () => {});
}

/**
 * The parts of a value that are still unknown when a template is written.
 *
 * @param value anything made of JSON types and tokens
 * @param scope where the value is used
 */
export function unresolvedTokens(value: unknown, scope: IConstruct): UnresolvedToken[] {
  const found: UnresolvedToken[] = [];
  resolveTokens(value, scope, (token) => found.push(token));
  return found;
}

/**
 * Names an unresolved token for a message: `attribute Arn of 'Stack/Events'`.
 *
 * @param value a token, or a text that holds some
 * @param scope where the value is used; without one, only references can be named
 */
export function describeToken(value: unknown, scope?: IConstruct): string {
  const descriptions = scope ? unresolvedTokens(value, scope).map((token) => token.description) : directTokens(value).map(describeOutside);
  return [...new Set(descriptions)].join(', ') || 'a token';
}

function resolveTokens<T>(value: T, scope: IConstruct, onToken: (token: UnresolvedToken) => void): T {
  const resolver = new PlaceholderResolver(onToken);
  return Tokenization.resolve(value, { scope, resolver, preparing: false, removeEmpty: false });
}

/** Renders what CloudFormation would compute as text. */
class PlaceholderResolver extends DefaultTokenResolver {
  private count = 0;

  constructor(private readonly onToken: (token: UnresolvedToken) => void) {
    super(new StringConcat());
  }

  public override resolveToken(token: IResolvable, context: IResolveContext, postProcessor: IPostProcessor): unknown {
    // A reference into another stack resolves differently before and after the stacks are prepared: its target never changes.
    if (Reference.isReference(token) && (CfnElement.isCfnElement(token.target) || isPseudo(token))) {
      this.report(context, describeReference(token), cureOf(token));
      return `\${${nameOf(token, context)}}`;
    }
    const before = this.count;
    const value = super.resolveToken(token, context, postProcessor);
    if (!isIntrinsic(value)) {
      return value;
    }
    const pseudo = pseudoParameter(value);
    if (pseudo) {
      this.report(context, `pseudo parameter ${pseudo}`, CURE_PSEUDO);
      return `\${${pseudo}}`;
    }
    const json = JSON.stringify(value);
    if (this.count === before) {
      // The name of an image asset is text with pseudo parameters in it.
      this.report(context, `the value of ${json}`, json.includes('AWS::') ? CURE_PSEUDO : 'use a literal value');
    }
    return `\${${json}}`;
  }

  private report(context: IResolveContext, description: string, cure: string) {
    this.count++;
    this.onToken({ path: context.documentPath, description, cure });
  }
}

const CURE_PSEUDO = 'give the stack an env with a literal account and region';

/** Whether a resolved value is a function that CloudFormation computes. */
export function isIntrinsic(value: unknown): value is { [key: string]: unknown } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return false;
  }
  const keys = Object.keys(value);
  return keys.length === 1 && (keys[0] === 'Ref' || keys[0].startsWith('Fn::'));
}

function pseudoParameter(intrinsic: { [key: string]: unknown }): string | undefined {
  return typeof intrinsic.Ref === 'string' && intrinsic.Ref.startsWith('AWS::') ? intrinsic.Ref : undefined;
}

function isPseudo(reference: Reference): boolean {
  return reference.displayName.startsWith('AWS::');
}

function nameOf(reference: Reference, context: IResolveContext): string {
  if (isPseudo(reference)) {
    return reference.displayName;
  }
  const target = reference.target as CfnElement;
  const stack = Stack.of(target);
  const home = stack === Stack.of(context.scope) ? '' : `${stack.node.path}.`;
  // Resolved by the stack itself: within `context` the logical id would be one more token to report.
  const logicalId = stack.resolve(target.logicalId);
  return `${home}${logicalId}${reference.displayName === 'Ref' ? '' : `.${reference.displayName}`}`;
}

function describeReference(reference: Reference): string {
  if (isPseudo(reference)) {
    return `pseudo parameter ${reference.displayName}`;
  }
  const path = readablePath(reference.target);
  return reference.displayName === 'Ref' ? `reference to '${path}'` : `attribute ${reference.displayName} of '${path}'`;
}

function cureOf(reference: Reference): string {
  if (isPseudo(reference)) {
    return CURE_PSEUDO;
  }
  if (reference.target instanceof CfnParameter) {
    return 'use a literal value instead of a CloudFormation parameter';
  }
  return `give '${readablePath(reference.target)}' a literal name and its stack an env with a literal account and region, or import it by its literal name or ARN`;
}

function readablePath(target: IConstruct): string {
  return target.node.path.replace(/\/Resource$/, '');
}

/** The tokens that stand in a value itself, without resolving any. */
export function directTokens(value: unknown): IResolvable[] {
  if (!Token.isUnresolved(value)) {
    return [];
  }
  if (typeof value === 'string') {
    return Tokenization.reverseString(value).tokens;
  }
  const token = Tokenization.reverse(value);
  return token ? [token] : [];
}

function describeOutside(token: IResolvable): string {
  return Reference.isReference(token) ? describeReference(token) : 'a value known only at deployment';
}
