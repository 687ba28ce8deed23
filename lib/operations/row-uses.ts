import { columnsIn, conjuncts } from '../queries/conditions';
import { type JoinedTable, joinedTables, nameOf } from '../queries/joined-tables';
import { allSelects, outerSelects, type SelectPart, selectItems } from '../queries/select-parts';
import { quoteIdentifier } from '../sql/identifier';
import { computedColumns, type NamedExpression, scriptDefinitions } from '../sql/script-statements';
import { type SqlToken, scanSql } from '../sql/sql-scanner';
import type { ScriptInsert, ScriptTable } from '../sql/sql-script';
import { enclosed, isName, isSymbol, isWord, split } from '../sql/sql-tokens';
import { tableReferences } from '../sql/table-references';
import { insertedColumns, type JobScript, physicalColumns } from './job-script';

/** What the queries of a job do with a row of a source. */
export interface RowUses {
  /** Conditions without which the row is left out, as they are written, with the word of their clause. */
  readonly conditions: string[];
  /** Columns that a query groups, joins or filters by, or makes the key of a sink of: with another value the row is another one. */
  readonly fixed: ReadonlySet<string>;
  /** Why there may be more. @default - all is read that names a column */
  readonly unread?: string;
}

/** A query that the rows of the source go through. */
interface QueryOver {
  /** The text that it stands in. */
  readonly sql: string;
  readonly tokens: SqlToken[];
  readonly insert?: ScriptInsert;
}

const FROM = scanSql('a clause', 'FROM').tokens;

/** Characters of a condition that are told. */
const LONGEST = 160;

/** A SELECT over those rows, in the text that it stands in. */
interface SelectOver {
  readonly sql: string;
  readonly part: SelectPart;
}

/** What is known of the queries. */
interface Reading {
  /** Whether a clause takes rows of the source. */
  isOver(from: SqlToken[]): boolean;
  /** The columns of the row that some tokens of a SELECT name. */
  namedIn(tokens: SqlToken[], part: SelectPart): string[];
}

/**
 * What the queries of a job do with a row of a source, also through views. Columns are told by their names, those of `AS`, too: another
 * table may have one of the same name, so rather too much is told than too little.
 */
export function rowUses(script: JobScript, source: ScriptTable): RowUses {
  const { queries, isOver } = queriesOver(script, source);
  const selects = queries.flatMap(({ sql, tokens }) =>
    allSelects(tokens)
      .filter(({ from }) => isOver(from))
      .map((part): SelectOver => ({ sql, part })),
  );
  const parts = selects.map(({ part }) => part);
  const origins = originsOf(script, source, parts);
  const namedIn = (tokens: SqlToken[], part: SelectPart) => {
    const others = joinedTables(part)
      .filter((joined) => !isOver(fromOf(joined)))
      .map(nameOf);
    return columnsIn(tokens)
      .filter(({ side }) => side === undefined || !others.includes(side))
      .flatMap(({ column }) => [...(origins.get(column) ?? [])]);
  };
  const reading = { isOver, namedIn };
  const sinkKeys = queries.flatMap(({ tokens, insert }) =>
    insert === undefined
      ? []
      : outerSelects(tokens).flatMap((part) => keyItems(script, insert, part).flatMap((item) => namedIn(item, part))),
  );
  const isMatched = queries.some(({ tokens }) => tokens.some((token) => isWord(token, 'MATCH_RECOGNIZE')));
  return {
    conditions: [...new Set(selects.flatMap((select) => conditionsOf(select, reading)))],
    fixed: new Set([...parts.flatMap((part) => fixedIn(part, reading)), ...sinkKeys]),
    unread: isMatched ? 'MATCH_RECOGNIZE' : undefined,
  };
}

function conditionsOf({ sql, part }: SelectOver, { isOver, namedIn }: Reading): string[] {
  const joins = joinedTables(part)
    .filter((joined) => leavesOut(joined, isOver(fromOf(joined))))
    .flatMap(({ condition }) =>
      isWord(condition[0], 'USING')
        ? [{ clause: '', tokens: condition }]
        : conjuncts(condition).map((tokens) => ({ clause: 'ON ', tokens })),
    );
  const named = [...conjuncts(part.where).map((tokens) => ({ clause: 'WHERE ', tokens })), ...joins].filter(
    ({ tokens }) => namedIn(tokens, part).length > 0,
  );
  // One row is not yet a group of two, whatever its columns hold.
  const having = conjuncts(havingOf(part)).map((tokens) => ({ clause: 'HAVING ', tokens }));
  return [...named, ...having].map(({ clause, tokens }) => `${clause}${asWritten(sql, tokens)}`);
}

function fixedIn(part: SelectPart, { namedIn }: Reading): string[] {
  return [
    part.where,
    part.groupBy,
    ...joinedTables(part).map(({ condition }) => condition),
    ...partitions(part.tokens),
    ...(isWord(part.select[1], 'DISTINCT') ? [part.select] : []),
  ].flatMap((tokens) => namedIn(tokens, part));
}

function fromOf({ table }: JoinedTable): SqlToken[] {
  return [...FROM, ...table];
}

/** Tokens as they are written in the text that they stand in, in one line and without its comments. */
function asWritten(sql: string, tokens: SqlToken[]): string {
  const pieces = tokens.map(({ start, end }, index) => `${start === tokens[index - 1]?.end ? '' : ' '}${sql.slice(start, end)}`);
  const line = pieces.join('').replaceAll(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

/** The views and INSERTs that the rows go through, and whether a clause takes rows from one of them. */
function queriesOver({ definitions, inserts }: JobScript, { name: source }: ScriptTable) {
  const known = new Set<string>();
  const over = new Set([source]);
  const queries: QueryOver[] = [];
  const reads = (tokens: SqlToken[]) => tableReferences(tokens).some(({ name }) => over.has(name));
  for (const { kind, name, body } of scriptDefinitions(definitions)) {
    known.add(name);
    if (kind === 'VIEW' && reads(body)) {
      over.add(name);
      queries.push({ sql: definitions, tokens: body });
    }
  }
  for (const insert of inserts) {
    const { tokens } = scanSql('a query', insert.query);
    if (reads(tokens)) {
      queries.push({ sql: insert.query, tokens, insert });
    }
  }
  // A name that nothing in the script defines is one of WITH.
  const isOver = (from: SqlToken[]) => tableReferences(from).some(({ name }) => over.has(name) || !known.has(name));
  return { queries, isOver };
}

/** By each name that the queries have: the columns of the row that its value is made of. A number of the row among others is none. */
function originsOf({ definitions }: JobScript, source: ScriptTable, selects: SelectPart[]): ReadonlyMap<string, ReadonlySet<string>> {
  const origins = new Map(physicalColumns(source).map(({ name }) => [name, new Set([name])]));
  const computed = scriptDefinitions(definitions)
    .filter(({ kind, name }) => kind === 'TABLE' && name === source.name)
    .flatMap(computedColumns);
  const made: NamedExpression[] = [...computed, ...selects.flatMap((part) => selectItems(part).flatMap(namedItem))];
  for (let grows = true; grows; ) {
    grows = false;
    for (const { name, expression } of made) {
      const known = origins.get(name) ?? new Set();
      const size = known.size;
      for (const { column } of columnsIn(expression)) {
        for (const origin of origins.get(column) ?? []) {
          known.add(origin);
        }
      }
      if (known.size > size) {
        origins.set(name, known);
        grows = true;
      }
    }
  }
  return origins;
}

function namedItem(item: SqlToken[]): NamedExpression[] {
  const last = item.at(-1);
  const isNamed = item.length > 1 && isName(last) && !isSymbol(item.at(-2), '.') && !item.some((token) => isWord(token, 'OVER'));
  return isNamed ? [{ name: last!.text, expression: item.slice(0, -1) }] : [];
}

/** Whether a join leaves a row out that finds no partner. */
function leavesOut({ kind }: JoinedTable, isOver: boolean): boolean {
  return kind === 'INNER' || (kind === 'LEFT' && isOver) || (kind === 'RIGHT' && !isOver);
}

function havingOf({ rest }: SelectPart): SqlToken[] {
  const clause = isWord(rest[0], 'HAVING') ? rest.slice(1) : [];
  return split(clause, (token) => isWord(token, 'WINDOW', 'QUALIFY', 'ORDER', 'LIMIT', 'OFFSET', 'FETCH'))[0]!;
}

/** What stands after each PARTITION BY. */
function partitions(tokens: SqlToken[]): SqlToken[][] {
  return enclosed(tokens).flatMap((inner) => [
    ...(isWord(inner[0], 'PARTITION') ? [split(inner, (token) => isWord(token, 'ORDER', 'ROWS', 'RANGE'))[0]!] : []),
    ...partitions(inner),
  ]);
}

/** The pieces of a SELECT that fill the primary key of a sink. */
function keyItems({ tables }: JobScript, insert: ScriptInsert, part: SelectPart): SqlToken[][] {
  const table = tables.find(({ name }) => name === insert.table);
  if (table === undefined) {
    return [];
  }
  const filled = insertedColumns(insert, table);
  const items = selectItems(part);
  const isEach = items.length === filled.length && !items.some((item) => isSymbol(item.at(-1), '*'));
  return table.primaryKey.map((key) => (isEach ? (items[filled.indexOf(key)] ?? []) : scanSql('a name', quoteIdentifier(key)).tokens));
}
