import type { SqlToken } from '../sql/sql-scanner';
import { isName, isSymbol, isWord } from '../sql/sql-tokens';
import { columnsIn, columnsNotNull, namesNoColumn } from './conditions';
import type { ResultColumn } from './query-result';
import { isProctime, rankingOf } from './rankings';
import { type SelectPart, selectItems } from './select-parts';
import { columnOf, outerOf, type Side, sidesOf } from './sides';

const ROWTIMES = ['TUMBLE_ROWTIME', 'HOP_ROWTIME', 'SESSION_ROWTIME'];

/**
 * The columns of a SELECT, undefined where not all are known.
 *
 * @param part one SELECT
 * @param sides its tables
 * @param outer what may have no row
 */
export function outputsOf(part: SelectPart, sides: Side[], outer: Set<string>): ResultColumn[] | undefined {
  const merges = part.from.some((token) => isWord(token, 'USING', 'NATURAL'));
  const columns = selectItems(part).map((item) => {
    if (!isSymbol(item.at(-1), '*')) {
      return [outputOf(item, sides, outer)];
    }
    const side = item.length > 1 ? item[0]!.text.toUpperCase() : undefined;
    const meant = sides.filter(({ name }) => side === undefined || name === side);
    // USING names a column once that both sides have.
    return meant.some((one) => one.columns === undefined) || (merges && side === undefined)
      ? undefined
      : meant.flatMap((one) =>
          one.columns!.map((column) => ({
            ...column,
            taken: column.name,
            from: column.name,
            outer: column.name === undefined ? undefined : outerOf({ side: one.name, column: column.name }, sides, outer),
          })),
        );
  });
  return columns.includes(undefined) ? undefined : columns.flatMap((some) => some!);
}

/** `amount`, `u.amount` */
export function isPath(value: SqlToken[]): boolean {
  return value.every((token, index) => (index % 2 === 0 ? isName(token) : isSymbol(token, '.')));
}

function outputOf(item: SqlToken[], sides: Side[], outer: Set<string>): ResultColumn {
  const { value, alias } = withAlias(item);
  const [reference] = columnsIn(value);
  if (isPath(value) && reference !== undefined) {
    const { meaning, ranking, nullable } = sidesOf(reference, sides).flatMap((side) => columnOf(reference, side) ?? [])[0] ?? {};
    const taken = value.map(({ text }) => text).join('');
    return {
      name: alias ?? value.at(-1)!.text,
      taken,
      from: reference.column,
      outer: outerOf(reference, sides, outer),
      meaning,
      ranking,
      nullable,
    };
  }
  const ranking = rankingOf(value, sides);
  if (isProctime(value)) {
    return { name: alias, meaning: 'processing time' };
  }
  if (isWord(value[0], ...ROWTIMES)) {
    return { name: alias, meaning: 'event time' };
  }
  const found = nullingColumns(value)
    .filter((one) => sidesOf(one, sides).some((side) => columnOf(one, side) !== undefined))
    .map((one) => outerOf(one, sides, outer))
    .find((one) => one !== undefined);
  return {
    name: alias,
    taken:
      found === undefined
        ? undefined
        : value
            .map(({ text }) => text)
            .join(' ')
            .replaceAll(' . ', '.'),
    outer: found,
    ranking,
  };
}

/** Columns by whose null an expression is null, as far as it is understood: `u.amount + 1`, `CAST(u.amount AS INT)`. */
function nullingColumns(value: SqlToken[]): ReturnType<typeof columnsIn> {
  return value.some((token) => isWord(token, 'IS', 'AND', 'SELECT')) ? [] : columnsNotNull(value);
}

/** `u.amount AS a`, or `u.amount a`. */
function withAlias(item: SqlToken[]): { value: SqlToken[]; alias?: string } {
  const [before, last] = item.slice(-2);
  if (item.length > 2 && isWord(before, 'AS')) {
    return { value: item.slice(0, -2), alias: last!.text };
  }
  const follows =
    isSymbol(before, ')') || isSymbol(before, ']') || (before !== undefined && before.kind !== 'symbol' && !namesNoColumn(before));
  return item.length > 1 && follows && isName(last) && !namesNoColumn(last!)
    ? { value: item.slice(0, -1), alias: last!.text }
    : { value: item };
}
