/** A type of Flink SQL, taken apart. */
export interface TypeParts {
  /** Its name: `DECIMAL`; the whole type where it is made of others. */
  readonly name: string;
  /** Characters, bytes, digits in all, or digits of the fraction of a second. */
  readonly length?: number;
  /** Digits after the point of a DECIMAL. */
  readonly scale?: number;
}

/** @param type such as `DECIMAL(18, 2)` */
export function typeParts(type: string): TypeParts {
  const [, name = type, length, scale] = /^(\w+)(?:\((\d+)(?:, (\d+))?\))?$/.exec(type) ?? [];
  return { name, length: length === undefined ? undefined : Number(length), scale: scale === undefined ? undefined : Number(scale) };
}

/** Whether a type holds text. */
export function isText(type: string): boolean {
  return /^(STRING|VARCHAR|CHAR)$/.test(typeParts(type).name);
}

/** Whether a type holds bytes. */
export function isBytes(type: string): boolean {
  return /^(BYTES|VARBINARY|BINARY)$/.test(typeParts(type).name);
}

/** Digits before the point that each number of a type has room for; undefined for what is no number. */
export function wholeDigits(type: string): number | undefined {
  const { name, length, scale } = typeParts(type);
  return name === 'DECIMAL' ? length! - scale! : WHOLE_DIGITS[name];
}

/** FLOAT and DOUBLE count exactly up to these. */
const WHOLE_DIGITS: { readonly [name: string]: number } = { TINYINT: 2, SMALLINT: 4, INT: 9, BIGINT: 18, FLOAT: 7, DOUBLE: 15 };

/** Whether a type is made of others, or of nobody's business: such values are compared by their text. */
export function isComposite(type: string): boolean {
  return /^(ARRAY|MULTISET|MAP|ROW|RAW|VARIANT)\b/.test(type);
}
