/** What a prop must be. */
export interface PropKind {
  /** In words: completes "format of KafkaSource must be …". */
  readonly is: string;
  /** Whether a value is one. */
  readonly fits: (value: unknown) => boolean;
}

export const TEXT: PropKind = { is: 'text', fits: (value) => typeof value === 'string' };
export const NUMBER: PropKind = { is: 'a number', fits: (value) => typeof value === 'number' };
export const FLAG: PropKind = { is: 'true or false', fits: (value) => typeof value === 'boolean' };
export const LIST: PropKind = { is: 'a list', fits: Array.isArray };
export const MAP: PropKind = { is: 'an object with a value for each name', fits: (value) => isObject(value) && !Array.isArray(value) };
export const SECRET: PropKind = instance('a SecretRef, such as SecretRef.kubernetes(name, key)', 'variableName');

export const DURATION: PropKind = instance('a Duration, such as Duration.minutes(5)', 'toMilliseconds', 'isUnresolved');
export const SIZE: PropKind = instance('a Size, such as Size.gibibytes(4)', 'toBytes', 'isUnresolved');

/**
 * An object of a class, which is told by a member that only this class has: `instanceof` fails where a package is installed twice.
 *
 * @param is the class, in words
 * @param members members that the class has
 */
export function instance(is: string, ...members: string[]): PropKind {
  return { is, fits: (value) => isObject(value) && members.every((member) => member in value) };
}

/** A list of such objects. */
export function listOf(kind: PropKind): PropKind {
  return { is: `a list, each element ${kind.is}`, fits: (value) => Array.isArray(value) && value.every(kind.fits) };
}

/** One of the values of an enum. */
export function oneOf(name: string, values: { [member: string]: string }): PropKind {
  return {
    is: `one of ${Object.keys(values)
      .map((member) => `${name}.${member}`)
      .join(', ')}`,
    fits: (value) => Object.values(values).includes(value as string),
  };
}

/**
 * Refuses props that are missing or of another kind, where no compiler has: a program in plain JavaScript would end in a
 * `TypeError` of the library's own code. A value is not shown, since it may be a password.
 *
 * @param owner whose props they are, for the message
 * @param props the props
 * @param kinds what each must be; a name that ends in `?` is of a prop that may be left out
 */
export function requireProps(owner: string, props: object, kinds: { readonly [prop: string]: PropKind }): void {
  if (!isObject(props)) {
    throw new Error(`${owner} must be given an object of props, got ${inWords(props)}`);
  }
  for (const [name, kind] of Object.entries(kinds)) {
    const prop = name.replace(/\?$/, '');
    const value = (props as { [prop: string]: unknown })[prop];
    const leftOut = prop !== name && value === undefined;
    if (!leftOut) {
      requireKind(`${prop} of ${owner}`, value, kind);
    }
  }
}

/**
 * Refuses one value of another kind, as `requireProps` does for props.
 *
 * @param what what the value is, as the message should call it
 * @param value the value; it is not shown
 * @param kind what it must be
 */
export function requireKind(what: string, value: unknown, kind: PropKind): void {
  if (!kind.fits(value)) {
    throw new Error(`${what} must be ${kind.is}; got ${inWords(value)}`);
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function inWords(value: unknown): string {
  if (value === undefined || value === null) {
    return 'nothing';
  }
  if (Array.isArray(value)) {
    return value.length === 0 ? 'an empty list' : `a list of ${inWords(value[0])}`;
  }
  if (typeof value !== 'object') {
    return typeof value === 'string' ? 'text' : `a ${typeof value}`;
  }
  const name = value.constructor?.name;
  return name === undefined || name === 'Object' ? 'a plain object' : `an object of class ${name}`;
}
