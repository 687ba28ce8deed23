import type { SqlToken } from '../sql/sql-scanner';
import { enclosed, isWord, split } from '../sql/sql-tokens';
import { type ColumnReference, columnsIn } from './conditions';
import { columnOf, type Side, sidesOf } from './sides';
import { wordsOf } from './words-of';

/** `<`, `<=`, `=` between two sides; none for what holds them in no order. */
interface Comparison {
  readonly less: boolean;
  readonly greater: boolean;
}

/**
 * Whether conditions hold the rows of two sides of a join close together: in time, from below and from above, such as
 * `o.at BETWEEN i.at - INTERVAL '1' HOUR AND i.at`, or in one window.
 *
 * @param conditions those that must all hold
 * @param left sides that were there before
 * @param right sides that are joined to them
 */
export function boundInTime(conditions: SqlToken[][], left: Side[], right: Side[]): boolean {
  const compared = conditions.flatMap((condition) => comparisonOfTimes(condition, left, right));
  return (compared.some(({ less }) => less) && compared.some(({ greater }) => greater)) || boundByWindow(conditions, left, right);
}

/** Whether conditions hold the rows of two sides of a join in one window. */
export function boundByWindow(conditions: SqlToken[][], left: Side[], right: Side[]): boolean {
  const windows = conditions.flatMap((condition) => equalWindows(condition, left, right));
  return windows.includes('window start') && windows.includes('window end');
}

function comparisonOfTimes(condition: SqlToken[], left: Side[], right: Side[]): Comparison[] {
  const words = wordsOf(condition);
  if (words.some((word) => word === 'OR' || word === 'NOT')) {
    return [];
  }
  const symbols = words.filter((word) => /^[<>=]$/.test(word)).join('');
  const isPlain = symbols === '=' && !words.includes('INTERVAL');
  // Each is a time of one side: the first of one, those it is compared with of the other.
  const operands = split(condition, (token) => isWord(token, 'BETWEEN', 'AND') || /^[<>=]$/.test(token.text)).filter(
    ({ length }) => length > 0,
  );
  const sides = operands.map((operand) => [
    ...new Set(
      columnsIn(operand)
        .filter((reference) => isTime(reference, [...left, ...right], isPlain))
        .map((reference) => (isOf(reference, right) ? 'right' : 'left')),
    ),
  ]);
  const [first, second] = [sides[0]?.[0], sides[1]?.[0]];
  const areApart = sides.every((of, index) => of.length === 1 && of[0] === (index === 0 ? first : second)) && first !== second;
  if (!areApart || second === undefined) {
    return [];
  }
  if (symbols === '=' || (symbols === '' && words.includes('BETWEEN'))) {
    return [{ less: true, greater: true }];
  }
  const isLess = /^<=?$/.test(symbols);
  return isLess || /^>=?$/.test(symbols) ? [{ less: isLess === (first === 'left'), greater: isLess === (first === 'right') }] : [];
}

/** Whether a column orders rows in time. One that is not known may, unless it is plainly compared. */
function isTime(reference: ColumnReference, sides: Side[], isPlain: boolean): boolean {
  const owners = sidesOf(reference, sides);
  const meanings = owners.map((side) => columnOf(reference, side)?.meaning);
  const known = owners.length > 0 && owners.every((side) => columnOf(reference, side) !== undefined);
  return known ? meanings.some((meaning) => meaning === 'event time' || meaning === 'processing time') : !isPlain;
}

function equalWindows(condition: SqlToken[], left: Side[], right: Side[]): string[] {
  if (isWord(condition[0], 'USING')) {
    return enclosed(condition)
      .flatMap(columnsIn)
      .flatMap((reference) => {
        const meanings = [left, right].map((sides) => windowPart(reference, sides));
        return meanings[0] !== undefined && meanings[0] === meanings[1] ? [meanings[0]] : [];
      });
  }
  const references = columnsIn(condition);
  const [first, second] = references.map((reference) => windowPart(reference, [...left, ...right]));
  return condition.some(({ text }) => text === '=') && references.length === 2 && first !== undefined && first === second ? [first] : [];
}

/** Whether a column is the start or the end of a window, by its name where it is not known. */
function windowPart(reference: ColumnReference, sides: Side[]): 'window start' | 'window end' | undefined {
  const owners = sidesOf(reference, sides);
  const known = owners.flatMap((side) => columnOf(reference, side) ?? []);
  if (known.length > 0) {
    const found = known.find(({ meaning }) => meaning === 'window start' || meaning === 'window end')?.meaning;
    return found === 'window start' || found === 'window end' ? found : undefined;
  }
  const name = reference.column.toUpperCase();
  return name === 'WINDOW_START' ? 'window start' : name === 'WINDOW_END' ? 'window end' : undefined;
}

/** Whether columns name the start and the end of a window. */
export function namesWindow(references: ColumnReference[], sides: Side[]): boolean {
  const parts = references.map((reference) => windowPart(reference, sides));
  return parts.includes('window start') && parts.includes('window end');
}

function isOf(reference: ColumnReference, sides: Side[]): boolean {
  return sidesOf(reference, sides).length > 0;
}
