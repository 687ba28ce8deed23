import type { SqlToken } from '../sql/sql-scanner';
import { enclosed, isWord } from '../sql/sql-tokens';
import { type ColumnReference, columnsIn, columnsNotNull, conjuncts, disjuncts } from './conditions';
import type { ResultColumn } from './query-result';

/** A table of a SELECT, by the name that it has there, in capital letters. */
export interface Side {
  readonly name: string;
  /** Unset where not all are known. */
  readonly columns?: ResultColumn[];
  /** See `QueryResult`. */
  readonly key?: number[];
}

/** Tables that are joined to those before them. */
export interface Join {
  readonly kind: 'INNER' | 'LEFT' | 'RIGHT' | 'FULL';
  /** More than one where a join stands in parentheses. */
  readonly sides: Side[];
  /** From ON or USING on, empty where there is none. */
  readonly condition: SqlToken[];
  /** The joins in the parentheses. */
  readonly inner: Join[];
}

/** The sides that a column may be of: those that have it, or else those whose columns are not known. */
export function sidesOf({ side, column }: ColumnReference, sides: Side[]): Side[] {
  if (side !== undefined) {
    return sides.filter(({ name }) => name === side);
  }
  const owners = sides.filter(({ columns }) => columns?.some(({ name }) => name === column));
  return owners.length > 0 ? owners : sides.filter(({ columns }) => columns === undefined);
}

/** The column of a side, undefined where the columns of the side are not known. */
export function columnOf({ column }: ColumnReference, { columns }: Side): ResultColumn | undefined {
  return columns?.find(({ name }) => name === column);
}

/** What has a row where a column is not null: its side, or what may have none within it. A column of USING is that of either side. */
function rowsOf(reference: ColumnReference, sides: Side[]): string[] {
  const owners = sidesOf(reference, sides);
  if (owners.length > 1 && owners.some(({ columns }) => columns !== undefined)) {
    return [];
  }
  return owners.flatMap((side) => {
    const outer = columnOf(reference, side)?.outer;
    return outer === undefined ? [side.name] : [`${side.name}.${outer}`];
  });
}

/** What has a row wherever a WHERE, ON or USING holds: of an OR, what each of its conditions says so of. */
function rowsWhere(clause: SqlToken[], sides: Side[]): string[] {
  if (isWord(clause[0], 'USING')) {
    return enclosed(clause)
      .flatMap(columnsIn)
      .flatMap((reference) => rowsOf(reference, sides));
  }
  return conjuncts(clause).flatMap((condition) => {
    const [first, ...others] = disjuncts(condition);
    return others.length > 0
      ? others.reduce(
          (rows, other) => {
            const found = rowsWhere(other, sides);
            return rows.filter((row) => found.includes(row));
          },
          rowsWhere(first!, sides),
        )
      : columnsNotNull(condition).flatMap((reference) => rowsOf(reference, sides));
  });
}

/** By which table a column is null: all that may have it are without a row, one of them may have none within itself. */
export function outerOf(reference: ColumnReference, sides: Side[], outer: Set<string>): string | undefined {
  const owners = sidesOf(reference, sides);
  const found = owners.map((side) => {
    const within = columnOf(reference, side)?.outer;
    return [side.name, ...(within === undefined ? [] : [`${side.name}.${within}`])].find((row) => outer.has(row));
  });
  return found.includes(undefined) ? undefined : found[0];
}

/**
 * What may have no row in a SELECT: the right table of a LEFT JOIN, all before a RIGHT JOIN, both of a FULL JOIN, and what had none in a
 * subquery or view, without those that must have one since WHERE or a later inner join compares a column of theirs.
 */
export function outerRows(joins: Join[], where: SqlToken[]): Set<string> {
  const outer = new Set<string>();
  /** What has a row wherever that one has. */
  const implied = new Map<string, string[]>();
  const imply = (row: string, others: string[]) => implied.set(row, [...(implied.get(row) ?? []), ...others]);
  const proveRow = (row: string): void => {
    const others = implied.get(row) ?? [];
    implied.delete(row);
    outer.delete(row);
    others.forEach(proveRow);
  };
  const join = (all: Join[]): Side[] => {
    const before: Side[] = [];
    for (const { kind, sides, condition, inner } of all) {
      if (inner.length > 0) {
        join(inner);
      } else {
        for (const { name, columns } of sides) {
          for (const within of new Set((columns ?? []).flatMap((column) => column.outer ?? []))) {
            outer.add(`${name}.${within}`);
            imply(`${name}.${within}`, [name]);
          }
        }
      }
      const together = (some: Side[]) => some.map(({ name }) => name).filter((name) => !outer.has(name));
      if (kind === 'RIGHT' || kind === 'FULL') {
        const present = together(before);
        for (const { name } of before) {
          imply(name, present);
          outer.add(name);
        }
      }
      const found = rowsWhere(condition, [...before, ...sides]);
      if (kind === 'LEFT' || kind === 'FULL') {
        const present = together(sides);
        for (const { name } of sides) {
          imply(name, kind === 'LEFT' ? [...present, ...found] : present);
          outer.add(name);
        }
      } else if (kind === 'INNER') {
        found.forEach(proveRow);
      }
      before.push(...sides);
    }
    return before;
  };
  const sides = join(joins);
  rowsWhere(where, sides).forEach(proveRow);
  return outer;
}
