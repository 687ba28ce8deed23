/** How a type of a column differs from what it was. */
export interface TypeChange {
  /** In words: `narrowed type`, `NOT NULL added`. */
  readonly kind: string;
  /** Whether every value of before is one still. */
  readonly wider: boolean;
}

const INTEGERS = ['TINYINT', 'SMALLINT', 'INT', 'BIGINT'];
const FLOATS = ['FLOAT', 'DOUBLE'];

/** What differs between two types as Flink writes them. */
export function typeChange(before: string, after: string): TypeChange[] {
  const [old, now] = [before, after].map((type) => ({ text: type.replace(/ NOT NULL$/, ''), required: type.endsWith(' NOT NULL') }));
  return [
    ...(old!.required === now!.required ? [] : [{ kind: now!.required ? 'NOT NULL added' : 'NOT NULL removed', wider: !now!.required }]),
    ...(old!.text === now!.text ? [] : [valuesChange(old!.text, now!.text)]),
  ];
}

function valuesChange(before: string, after: string): TypeChange {
  if (contains(after, before)) {
    return { kind: 'widened type', wider: true };
  }
  return { kind: contains(before, after) ? 'narrowed type' : 'changed type', wider: false };
}

/** Whether every value of the second type is one of the first. */
function contains(type: string, other: string): boolean {
  for (const family of [INTEGERS, FLOATS]) {
    if (family.includes(type) && family.includes(other)) {
      return family.indexOf(type) >= family.indexOf(other);
    }
  }
  const [left, right] = [sized(type), sized(other)];
  if (left === undefined || right === undefined || left.name !== right.name) {
    return false;
  }
  return left.name === 'DECIMAL'
    ? left.sizes[0]! - left.sizes[1]! >= right.sizes[0]! - right.sizes[1]! && left.sizes[1]! >= right.sizes[1]!
    : left.sizes[0]! >= right.sizes[0]!;
}

/** A type with sizes, such as `DECIMAL(18, 2)`. */
function sized(type: string): { name: string; sizes: number[] } | undefined {
  const unbounded = { STRING: 'VARCHAR', BYTES: 'VARBINARY' }[type];
  if (unbounded !== undefined) {
    return { name: unbounded, sizes: [2 ** 31 - 1] };
  }
  const match = /^([A-Z_]+)\(([\d, ]+)\)$/.exec(type);
  return match ? { name: match[1]!, sizes: match[2]!.split(',').map(Number) } : undefined;
}
