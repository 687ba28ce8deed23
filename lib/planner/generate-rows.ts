import type { Plan, PlannedColumn, PlannedTable } from './plan-report';
import type { ChangeKind, GivenToTable } from './run-request';

/** Texts of a script that are tried as values, so that some rows pass its conditions. */
const TEXTS = 20;

/**
 * Rows for each table that a program reads, so that its operators have something to keep. Equal types have equal values, so that joins find
 * their rows; texts of the script are tried, so that conditions let some through. A condition on what stands within a text lets none through.
 */
export function generateRows(script: string, plan: Plan, tables: PlannedTable[]): { [table: string]: GivenToTable[] } {
  const texts = ['a', ...new Set([...script.matchAll(/'([^'\n]*)'/g)].map((match) => match[1]!))].slice(0, TEXTS);
  return Object.fromEntries(
    readTables(plan).flatMap(({ name, changes }) => {
      const table = tables.find((candidate) => candidate.name === name);
      const op = (changes.includes('+I') ? '+I' : '+U') as ChangeKind;
      return table === undefined ? [] : [[table.name, texts.map((text) => ({ phase: 1, op, row: rowOf(table.columns, text) }))]];
    }),
  );
}

/** The tables that a program reads, as streams or by lookups, and the kinds of their rows. */
export function readTables(plan: Plan): { readonly name: string; readonly changes: readonly string[] }[] {
  const scans = plan.operators.flatMap(({ type, table, changes = ['+I'] }) =>
    type === 'TableSourceScan' && table !== undefined ? [{ name: table, changes }] : [],
  );
  return [...scans, ...plan.lookups.map(({ table }) => ({ name: table, changes: ['+I'] }))];
}

function rowOf(columns: PlannedColumn[], text: string): { [column: string]: unknown } {
  return Object.fromEntries(
    columns.flatMap(({ name, type }) => [[name, exampleOf(type, text)]]).filter(([, value]) => value !== undefined),
  );
}

/** A value of a type; undefined for one that is made of others, which stays null. */
function exampleOf(type: string, text: string): unknown {
  const name = /^[A-Z_]+/.exec(type)?.[0] ?? '';
  switch (name) {
    case 'CHAR':
    case 'VARCHAR':
    case 'STRING':
      return text;
    case 'BOOLEAN':
      return true;
    case 'TINYINT':
    case 'SMALLINT':
    case 'INT':
    case 'BIGINT':
    case 'DECIMAL':
    case 'FLOAT':
    case 'DOUBLE':
      return 1;
    case 'DATE':
      return '2026-01-01';
    case 'TIME':
      return '00:00:00';
    case 'TIMESTAMP':
    case 'TIMESTAMP_LTZ':
      return `2026-01-01T00:00:00${/LOCAL TIME ZONE|_LTZ/.test(type) ? 'Z' : ''}`;
    case 'BINARY':
    case 'VARBINARY':
    case 'BYTES':
      return Buffer.from(text).toString('base64');
    default:
      return undefined;
  }
}
