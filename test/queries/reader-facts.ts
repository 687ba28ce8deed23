import { Duration } from 'aws-cdk-lib';
import { nullColumns } from '../../lib/queries/null-columns';
import { updatesRows } from '../../lib/queries/updated-rows';
import { applicationErrors, applicationWarnings } from '../../lib/rules/application-rules';
import { Column } from '../../lib/sql/column';
import { Changes } from '../../lib/sql/connector';
import { SqlProgram } from '../../lib/sql/sql-program';
import { Watermark } from '../../lib/sql/watermark';
import { COLUMNS } from '../cases/findings';
import { application, sink } from '../fixtures/programs';
import type { Mirror } from './mirrors';
import { mirrored, programOf, type Query, RAWS, TARGETS } from './tables';

/** By the rule and its words. */
const FACTS: [rule: string, words: RegExp, fact: string][] = [
  ['EndlessState', /GROUP BY|DISTINCT|UNION|INTERSECT|EXCEPT/, 'keeps groups'],
  ['EndlessState', /JOIN|INTERSECT|EXCEPT/, 'keeps joins'],
  ['EndlessState', /ROW_NUMBER/, 'keeps ranks'],
  ['EndlessState', /OVER/, 'keeps frames'],
  ['ExpiringAggregate', / groups rows/, 'changing groups'],
  ['ExpiringAggregate', / ranks rows/, 'changing ranks'],
  ['ExpiringJoin', / joins rows/, 'changing joins'],
  ['LookupOverChanges', / looks up /, 'changing lookups'],
];

/** What the readers and their rules say of each query: see `Judged`. */
export function readerFacts(queries: Query[]): string[][] {
  const program = programOf(queries);
  const warnings = [
    ...applicationWarnings(application({ program, parallelism: 4 })),
    ...applicationWarnings(application({ program: programOf(queries), parallelism: 4, stateTtl: Duration.days(1) })),
  ];
  return program._inserts().map(({ table, query }) => {
    const own = warnings.filter((warning) => warning.table === table.name);
    const warned = FACTS.filter(([rule, words]) => own.some(({ id, message }) => id.endsWith(`:${rule}`) && words.test(message)));
    const nulls = nullColumns(query).map(({ position }) => `null ${TARGETS[position]}`);
    return [...new Set([...(updatesRows(query) ? ['updates'] : []), ...warned.map(([, , fact]) => fact), ...nulls])].sort();
  });
}

/** Numbers of the queries that a sink is refused which only appends. */
export function refusedByAppendOnlySink(queries: Query[]): number[] {
  const errors = applicationErrors(application({ program: programOf(queries, Changes.INSERT_ONLY), parallelism: 4 }));
  return errors
    .flatMap((error) => /^the query into 'out_(\d+)' .*\[cdk-flink-pipeline:UpdatesIntoAppendOnlySink\]$/.exec(error)?.[1] ?? [])
    .map(Number);
}

/** What the rules say of an event time that is computed over `raws`. */
export function warningsOfEventTime(expression: string): string[] {
  const program = new SqlProgram();
  const columns = [...RAWS.columns, Column.computed('at', expression)];
  program.addTable('raws', { ...RAWS, columns, watermark: Watermark.ascending('at') });
  program.addInsert(program.addTable('out', { ...sink(), columns: COLUMNS }), 'SELECT line, ms FROM raws');
  return applicationWarnings(application({ program, parallelism: 4 }))
    .filter(({ id }) => id.endsWith(':NullableEventTime'))
    .map(({ message }) => message);
}

/** Numbers of the queries of which the rules say that a materializer keeps their rows for ever. */
export function materialized(mirrors: Mirror[]): number[] {
  return applicationWarnings(application({ program: mirrored(mirrors), parallelism: 4 }))
    .filter(({ id }) => id.endsWith(':EndlessMaterializer'))
    .map(({ table }) => Number(table!.replace('out_', '')));
}
