import { TableRole } from '../sql/connector';
import type { SqlQuery, SqlView } from '../sql/sql-program';
import type { SqlToken } from '../sql/sql-scanner';
import { depthsOf, enclosed, isName, isSymbol, isWord, split } from '../sql/sql-tokens';
import { columnsIn, conjuncts } from './conditions';
import { isOfEachRow, isTemporal, type JoinedTable, joinedTables, nameOf, readName, tablesInParentheses } from './joined-tables';
import { type Change, type Operation, type QueryResult, type ResultColumn, recomputed, together } from './query-result';
import { aggregateCalls, columnAliases, isEndlessOver, isQuery, namesIn, queryTerms, subqueriesOf } from './query-terms';
import { calledIn, type Rank, rankIn } from './rankings';
import { readTable } from './read-table';
import { isPath, outputsOf } from './select-outputs';
import { outerSelects, type SelectPart } from './select-parts';
import { type Join, outerRows, type Side, sidesOf } from './sides';
import { boundByWindow, boundInTime, namesWindow } from './time-bounds';

/** What a query gives, and what it does with its rows for that. */
export interface QueryReading {
  readonly result: QueryResult;
  readonly operations: Operation[];
}

const TTL_HINT = /\bSTATE_TTL\s*\(/i;
const ENDLESS_JOIN = 'a JOIN without a bound in time';
/** The functions of windows, those of now and those of earlier Flink versions. */
const WINDOWS = ['TUMBLE', 'HOP', 'CUMULATE', 'SESSION'];
const WINDOW_COLUMNS: ResultColumn[] = [
  { name: 'window_start', meaning: 'window start' },
  { name: 'window_end', meaning: 'window end' },
  { name: 'window_time', meaning: 'event time' },
];

/** Names of WITH where they hold. */
type Names = ReadonlyMap<string, QueryResult>;

/**
 * Reads a query with its views, no more exactly than a warning needs: what updates its rows, which columns an outer join leaves null, what
 * it keeps. The planner judges the rest.
 */
export function readQuery(query: SqlQuery): QueryReading {
  let reading = readings.get(query);
  if (reading === undefined) {
    const operations = new Set<Operation>();
    reading = { result: new QueryReader(query, operations).read(), operations: [...operations] };
    readings.set(query, reading);
  }
  return reading;
}

/** A query never changes, and many rules look at it. */
const readings = new WeakMap<SqlQuery, QueryReading>();

class QueryReader {
  /** Whoever bounds the state of a query by a hint has thought of it. It holds within its query or view only. */
  private readonly hinted: boolean;

  constructor(
    private readonly query: SqlQuery,
    /** Those of its views, too, each once. */
    private readonly operations: Set<Operation>,
  ) {
    this.hinted = TTL_HINT.test(query.sql);
  }

  public read(): QueryResult {
    return this.body(this.query.tokens, new Map(), []);
  }

  /**
   * @param around sides of the queries around, which a subquery may name
   */
  private body(tokens: SqlToken[], names: Names, around: Side[]): Read {
    if (isWord(tokens[0], 'WITH')) {
      return this.afterWith(tokens, names, around);
    }
    const [first, ...others] = queryTerms(tokens).map(({ operation, all, term }) => ({
      operation,
      all,
      result: this.term(term, names, around),
    }));
    return others.reduce<Read>((left, { operation, all, result }) => this.combined(left, operation, all, result), first!.result);
  }

  private afterWith(tokens: SqlToken[], names: Names, around: Side[]): Read {
    const known = new Map(names);
    let rest = tokens.slice(1);
    for (;;) {
      const asAt = rest.findIndex((token) => isWord(token, 'AS'));
      const [query] = enclosed(rest.slice(asAt));
      if (asAt < 0 || query === undefined) {
        return { changes: [] };
      }
      known.set(rest[0]!.text, renamed(this.body(query, known, around), namesIn(rest.slice(1, asAt))));
      rest = rest.slice(asAt + query.length + 3);
      if (!isSymbol(rest[0], ',')) {
        return this.body(rest, known, around);
      }
      rest = rest.slice(1);
    }
  }

  private term(tokens: SqlToken[], names: Names, around: Side[]): Read {
    if (isSymbol(tokens[0], '(')) {
      const inner = enclosed(tokens)[0]!;
      return limited(tokens.slice(inner.length + 2), this.body(inner, names, around));
    }
    const [part] = isWord(tokens[0], 'SELECT') ? outerSelects(tokens) : [];
    if (part !== undefined) {
      return this.select(part, names, around);
    }
    return isWord(tokens[0], 'TABLE') ? this.named(tokens.at(-1)!.text, names) : { changes: [] };
  }

  private combined(left: QueryResult, operation: string, all: boolean, right: QueryResult): QueryResult {
    const changes = together(left.changes, right.changes);
    const columns = left.columns?.map((column, position) => {
      const other = right.columns?.[position];
      return {
        name: column.name,
        ...(column.outer === undefined && other?.outer !== undefined ? { taken: other.taken, outer: other.outer } : column),
        meaning: column.meaning === other?.meaning ? column.meaning : undefined,
        nullable: column.nullable ?? other?.nullable,
      };
    });
    if (operation === 'UNION') {
      return { columns, changes: all ? changes : this.distinct(changes, 'a UNION without ALL') };
    }
    const what = operation === 'INTERSECT' ? 'an INTERSECT' : 'an EXCEPT';
    this.operate('group', what, true, changes);
    return {
      columns: left.columns,
      changes: together(changes, [{ what, kind: operation === 'INTERSECT' ? 'again' : 'result' }]),
    };
  }

  private distinct(changes: Change[], what: string): Change[] {
    this.operate('group', what, true, changes);
    return changes.length > 0 ? changes : [{ what, kind: 'again' }];
  }

  private select(part: SelectPart, names: Names, around: Side[]): Read {
    const where = conjuncts(part.where);
    const steps = part.from.length > 0 ? this.from(joinedTables(part), names, around, where) : [];
    const sides = steps.flatMap((step) => step.sides);
    const outer = outerRows(steps, part.where);
    const joined = this.joined(steps, outer);
    const added = (clauses: SqlToken[][], found: Change[]) =>
      clauses.flatMap((clause) => this.subqueries(clause, names, [...sides, ...around], where, found));
    // What stands in SELECT or HAVING beside groups is joined to them.
    const ofResult = [part.select, part.rest];
    const groups = isGrouped(part);
    const ranks = where.flatMap((condition) => rankIn(condition, sides) ?? []);
    const ranked = ranks.reduce((found, rank) => this.best(rank, found), joined);
    const subqueries = added([conditionsIn(steps), part.where, ...(groups ? [] : ofResult)], joined);
    const changes = subqueries.length > 0 ? together(ranked, subqueries) : ranked;
    const asked = withoutNulls(sides, [...part.where, ...part.rest, ...innerConditionsIn(steps)]);
    const given = isEndless(steps) ? asked.map((side) => ({ ...side, columns: side.columns?.map(withoutTime) })) : asked;
    if (isEndlessOver([...part.select, ...part.rest])) {
      this.operate('over', 'an OVER without a bound in time', true, changes);
    }
    const grouped = this.grouped(part, given, outputsOf(part, given, outer), changes);
    const result = groups ? { ...grouped, changes: together(grouped.changes, added(ofResult, grouped.changes)) } : grouped;
    const isFiltered = ranks.length > 0 || subqueries.length > 0;
    const asItIs = !groups && !isFiltered && part.rest.length === 0 && !isWord(part.select[1], 'DISTINCT');
    const key = asItIs && sides.length === 1 ? keyOf(sides[0]!, result.columns) : undefined;
    const enrichedKey = asItIs && isEnriched(steps, part) ? keyOf(sides[0]!, result.columns) : undefined;
    return { ...limited(part.rest, this.qualified(part, given, result)), key, enrichedKey, sides };
  }

  /** What stands after FROM. */
  private from(tables: JoinedTable[], names: Names, around: Side[], where: SqlToken[][]): Step[] {
    const steps: Step[] = [];
    let before: Side[] = [];
    for (const table of tables) {
      const inParentheses = isQuery(enclosed(table.table)[0] ?? []) ? [] : tablesInParentheses(table);
      const inner = this.from(inParentheses, names, around, where);
      const read = inner.length > 0 ? { changes: [] } : this.table(table, names, [...before, ...around]);
      const sides =
        inner.length > 0
          ? inner.flatMap((step) => step.sides)
          : [{ name: uniqueName(nameOf(table), before), columns: read.columns, key: read.key }];
      const { kind, condition } = table;
      const bounds = isWord(condition[0], 'USING') ? [condition] : conjuncts(condition);
      const how =
        steps.length === 0 || isOfEachRow(table)
          ? 'of each row'
          : isTemporal(table)
            ? 'temporal'
            : boundInTime([...bounds, ...where], before, sides)
              ? 'bounded'
              : 'endless';
      steps.push({ kind, sides, condition, inner, how, table: readName(table), changes: read.changes });
      before = [...before, ...sides];
    }
    return steps;
  }

  /** What changes rows once they are joined. */
  private joined(steps: Step[], outer: Set<string>): Change[] {
    const isOuter = (some: Side[]) => some.some(({ name }) => outer.has(name));
    let before: Side[] = [];
    let changes: Change[] = [];
    for (const { kind, sides, inner, how, table, changes: own } of steps) {
      if (how === 'temporal') {
        if ([...this.query.tables].some(({ name, binding }) => name === table && binding.role === TableRole.LOOKUP)) {
          this.operate('lookup', 'a lookup', false, changes);
        }
      } else {
        changes = together(changes, own, this.joined(inner, outer));
      }
      if (how === 'endless') {
        this.operate('join', ENDLESS_JOIN, true, changes);
        const waits = (kind !== 'INNER' && kind !== 'RIGHT' && isOuter(sides)) || (kind !== 'INNER' && kind !== 'LEFT' && isOuter(before));
        changes = waits ? together(changes, [{ what: 'an outer join', kind: 'no match' }]) : changes;
      }
      before = [...before, ...sides];
    }
    return changes;
  }

  private operate(kind: Operation['kind'], what: string, endless: boolean, changes: Change[]): void {
    this.operations.add({ kind, what, endless, changes, hinted: this.hinted });
  }

  private table(table: JoinedTable, names: Names, around: Side[]): QueryResult {
    const [first, second] = table.table;
    const name = readName(table);
    const matches = table.table.some((token) => isWord(token, 'MATCH_RECOGNIZE'));
    const aliases = columnAliases(table.table);
    if (name !== undefined) {
      const { columns, changes, key } = isSymbol(second, '.') ? this.named(name, new Map()) : this.named(name, names);
      return renamed(matches ? { changes } : { columns, changes, key }, aliases);
    }
    if (isSymbol(first, '(') || (isWord(first, 'LATERAL') && isSymbol(second, '('))) {
      return renamed(this.body(enclosed(table.table)[0]!, names, around), aliases);
    }
    return renamed(this.ofFunction(table.table, names), aliases);
  }

  /** `TABLE(TUMBLE(TABLE clicks, …))`: the table with the columns of a window. */
  private ofFunction(tokens: SqlToken[], names: Names): QueryResult {
    const argument = tokens.findIndex((token, index) => isWord(token, 'TABLE') && isName(tokens[index + 1]));
    if (argument < 0) {
      return { changes: [] };
    }
    const { columns, changes } = this.named(tokens[argument + 1]!.text, names);
    const isWindow = tokens.some((token, index) => isWord(token, ...WINDOWS) && isSymbol(tokens[index + 1], '('));
    return {
      columns: isWindow && columns !== undefined ? [...columns, ...WINDOW_COLUMNS] : undefined,
      changes,
    };
  }

  private named(name: string, names: Names): QueryResult {
    const ofWith = names.get(name);
    if (ofWith !== undefined) {
      return ofWith;
    }
    const view = [...this.query.views].find((one) => one.name === name);
    if (view !== undefined) {
      return this.view(view);
    }
    const table = [...this.query.tables].find((one) => one.name === name);
    return table === undefined ? { changes: [] } : readTable(table);
  }

  private view({ _query }: SqlView): QueryResult {
    const { result, operations } = readQuery(_query);
    for (const operation of operations) {
      this.operations.add(operation);
    }
    return result;
  }

  /** A subquery in a clause is joined to each row: IN and EXISTS leave rows out, any other adds its value. */
  private subqueries(clause: SqlToken[], names: Names, around: Side[], where: SqlToken[][], changes: Change[]): Change[] {
    return subqueriesOf(clause).flatMap(({ tokens, isNot, isTest }) => {
      const parts = outerSelects(tokens);
      if (parts.every(({ from }) => from.length === 0)) {
        return [];
      }
      const { changes: own, sides = [] } = this.body(tokens, names, around);
      if (boundByWindow([...parts.flatMap((part) => conjuncts(part.where)), ...where], around, sides)) {
        return own;
      }
      this.operate('join', ENDLESS_JOIN, true, together(changes, own));
      return isTest && !isNot ? own : together(own, [{ what: isTest ? 'a NOT IN or NOT EXISTS' : 'a subquery', kind: 'result' }]);
    });
  }

  /** The first rows of each key that a condition on a ROW_NUMBER leaves. */
  private best({ ranking, left }: Rank, changes: Change[]): Change[] {
    this.operate('rank', 'a ROW_NUMBER without a window', ranking.ofKeys, changes);
    if (left === 'first' && ranking.byTime && changes.length === 0) {
      return [];
    }
    return recomputed(changes, 'a ROW_NUMBER', left === 'first' && ranking.stays ? 'first row' : 'result');
  }

  private grouped(part: SelectPart, sides: Side[], columns: ResultColumn[] | undefined, changes: Change[]): QueryResult {
    const keys = columnsIn(part.groupBy);
    const calls = aggregateCalls([...part.select, ...part.rest]);
    const isDistinct = calls.includes('DISTINCT');
    let result: QueryResult = { columns, changes };
    if (isGrouped(part)) {
      const ofWindow =
        namesWindow(keys, sides) ||
        part.groupBy.some((token, index) => isWord(token, ...WINDOWS) && isSymbol(part.groupBy[index + 1], '('));
      const what = `${part.groupBy.length > 0 ? 'a GROUP BY' : isDistinct ? 'an aggregate of DISTINCT values' : 'an aggregate'} without a window`;
      result = ofWindow ? { columns, changes: [] } : { columns: columns?.map(withoutTime), changes: recomputed(changes, what, 'group') };
      if (!ofWindow) {
        this.operate('group', what, part.groupBy.length > 0 || isDistinct, changes);
      }
    }
    const meanings = result.columns?.map(({ meaning }) => meaning) ?? [];
    const ofWindow = meanings.includes('window start') && meanings.includes('window end');
    return isWord(part.select[1], 'DISTINCT') && !ofWindow
      ? { columns: result.columns?.map(withoutTime), changes: this.distinct(result.changes, 'a SELECT DISTINCT') }
      : result;
  }

  /** What QUALIFY leaves of a result. */
  private qualified({ rest }: SelectPart, sides: Side[], result: QueryResult): QueryResult {
    const start = rest.findIndex((token) => isWord(token, 'QUALIFY'));
    const [clause = []] =
      start < 0 ? [] : split(rest.slice(start + 1), (token) => isWord(token, 'WINDOW', 'ORDER', 'LIMIT', 'OFFSET', 'FETCH'));
    const conditions = conjuncts(clause);
    const ranks = conditions.flatMap(
      (condition) => rankIn(condition, [{ name: '', columns: result.columns }]) ?? calledIn(condition, sides) ?? [],
    );
    return { ...result, changes: ranks.reduce((found, rank) => this.best(rank, found), result.changes) };
  }
}

/** What a query gives, and the tables of its one SELECT. */
interface Read extends QueryResult {
  readonly sides?: Side[];
}

/** A table after FROM, or a join in parentheses. */
interface Step extends Join {
  readonly inner: Step[];
  /** How long the rows of both sides are kept. */
  readonly how: 'of each row' | 'temporal' | 'bounded' | 'endless';
  /** Plain name of the table that is read. */
  readonly table?: string;
  readonly changes: Change[];
}

/** An endless join makes plain values of event times. */
function isEndless(steps: Step[]): boolean {
  return steps.some(({ how, inner }) => how === 'endless' || isEndless(inner));
}

function isGrouped({ select, groupBy, rest }: SelectPart): boolean {
  return groupBy.length > 0 || aggregateCalls([...select, ...rest]).length > 0;
}

function conditionsIn(steps: Step[]): SqlToken[] {
  return steps.flatMap(({ condition, inner }) => [...condition, ...conditionsIn(inner)]);
}

function innerConditionsIn(steps: Step[]): SqlToken[] {
  return steps.flatMap(({ kind, condition, inner }) => [...(kind === 'INNER' ? condition : []), ...innerConditionsIn(inner)]);
}

/** Whether each row of the first table stays, once, and only what is looked up by a key stands beside it. */
function isEnriched([first, ...lookups]: Step[], { where }: SelectPart): boolean {
  const sides = [first, ...lookups].flatMap((step) => step?.sides ?? []);
  const ofFirst = columnsIn(where).every((reference) => sidesOf(reference, sides).every((side) => side === first!.sides[0]));
  return lookups.length > 0 && ofFirst && lookups.every((step) => step.how === 'temporal' && step.kind === 'LEFT' && isByKey(step, sides));
}

/** Whether ON compares each column of the key of a table: no more than one row is found then. */
function isByKey({ sides: [side], condition }: Step, sides: Side[]): boolean {
  const compared = conjuncts(condition).flatMap((one) => {
    const isEquality = !one.some((token) => isWord(token, 'OR', 'NOT') || isSymbol(token, '<') || isSymbol(token, '>'));
    const operands = split(one, (token) => isSymbol(token, '='));
    return isEquality && operands.length === 2 ? operands.filter(isPath).flatMap(columnsIn) : [];
  });
  return (side!.key ?? [-1]).every((place) => {
    const name = side!.columns?.[place]?.name;
    return compared.some((reference) => reference.column === name && sidesOf(reference, sides)[0] === side);
  });
}

/** Where the key of a table stands among what is taken from it, unset where it may be within what is computed. */
function keyOf({ columns, key }: Side, outputs: ResultColumn[] | undefined): number[] | undefined {
  const places = key?.map((place) => outputs?.findIndex(({ from }) => from !== undefined && from === columns?.[place]?.name) ?? -1);
  const isKnown = outputs?.every(({ from }) => from !== undefined) || !places?.includes(-1);
  return isKnown ? places : undefined;
}

/** Whoever names a column in a condition has thought of its nulls, or leaves them out. */
function withoutNulls(sides: Side[], conditions: SqlToken[]): Side[] {
  const asked = columnsIn(conditions);
  return sides.map((side) => ({
    ...side,
    columns: side.columns?.map((column) =>
      asked.some((reference) => reference.column === column.name && sidesOf(reference, sides).includes(side))
        ? { ...column, nullable: undefined }
        : column,
    ),
  }));
}

/** The first rows of an order are others as soon as better ones come. */
function limited(rest: SqlToken[], result: QueryResult): QueryResult {
  const depths = depthsOf(rest);
  const has = (...words: string[]) => rest.some((token, index) => depths[index] === 0 && isWord(token, ...words));
  return has('ORDER') && has('LIMIT', 'OFFSET', 'FETCH') ? { ...result, changes: recomputed(result.changes, 'a LIMIT') } : result;
}

function renamed({ columns, changes, key }: QueryResult, names: string[]): QueryResult {
  return { key, columns: names.length > 0 ? names.map((name, position) => ({ ...columns?.[position], name })) : columns, changes };
}

function withoutTime({ meaning: _, ...column }: ResultColumn): ResultColumn {
  return column;
}

function uniqueName(name: string | undefined, sides: Side[]): string {
  return name !== undefined && sides.every((side) => side.name !== name) ? name : `${name ?? ''}#${sides.length}`;
}
