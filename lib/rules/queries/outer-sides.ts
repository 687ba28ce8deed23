import { enclosed, isWord } from '../../sql/sql-tokens';
import { type ColumnReference, columnsIn, columnsNotNull, conjuncts } from './conditions';
import { type JoinedTable, joinedTables, nameOf } from './joined-tables';
import type { SelectPart } from './select-parts';

/**
 * Names of the tables of a SELECT that may have no row: the right one of a LEFT JOIN, all before a RIGHT JOIN, both of a FULL JOIN,
 * without those that must have one since WHERE or a later inner join compares a column of theirs.
 *
 * @param part one SELECT
 * @param columnsOf names of the columns of a table, undefined where they are not known
 */
export function outerSides(part: SelectPart, columnsOf: (table: JoinedTable) => string[] | undefined): Set<string> {
  const outer = new Set<string>();
  const before = new Map<string, string[] | undefined>();
  /** What has a row wherever that side has one. */
  const implied = new Map<string, string[]>();
  const imply = (side: string, others: string[]) => implied.set(side, [...(implied.get(side) ?? []), ...others]);

  const sidesOf = ({ side, column }: ColumnReference): string[] => {
    if (side !== undefined) {
      return [side];
    }
    const owners = [...before].filter(([, columns]) => columns?.includes(column));
    return (owners.length > 0 ? owners : [...before].filter(([, columns]) => columns === undefined)).map(([name]) => name);
  };
  const compared = (clause: SelectPart['where']) =>
    isWord(clause[0], 'USING')
      ? enclosed(clause).flatMap(columnsIn).flatMap(sidesOf)
      : conjuncts(clause).flatMap(columnsNotNull).flatMap(sidesOf);
  const proveRow = (side: string): void => {
    if (outer.delete(side)) {
      for (const other of implied.get(side) ?? []) {
        proveRow(other);
      }
    }
  };

  for (const table of joinedTables(part)) {
    const name = nameOf(table);
    const { kind, condition } = table;
    if (kind === 'RIGHT' || kind === 'FULL') {
      const together = [...before.keys()].filter((side) => !outer.has(side));
      for (const side of before.keys()) {
        imply(side, together);
        outer.add(side);
      }
    }
    if (name !== undefined) {
      before.set(name, columnsOf(table));
    }
    const sides = compared(condition);
    if (name !== undefined && (kind === 'LEFT' || kind === 'FULL')) {
      outer.add(name);
      imply(name, kind === 'LEFT' ? sides : []);
    }
    if (kind === 'INNER') {
      sides.forEach(proveRow);
    }
  }
  compared(part.where).forEach(proveRow);
  return outer;
}
