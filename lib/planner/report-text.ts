import { dataFlow } from './data-flow';
import type { ProgramPlan } from './plan-programs';
import type { Plan, PlannedConnector, PlannedLookup, PlannedSink, PlanReport } from './plan-report';

/** What a person reads of a plan: first what is wrong, then what the job will be. */
export function reportText({ program, report, error }: ProgramPlan): string {
  const title = `${program.jobName} (${program.directoryName})`;
  if (report === undefined) {
    return `${title}: not planned: ${error}\n`;
  }
  const sections = [
    ...statements(report),
    ...report.problems.map(({ severity, rule, message }) => `  ${severity} ${rule}: ${message}`),
    `  connectors: ${connectors(report.connectors)}`,
    ...(report.plan ? planSections(report.plan) : []),
  ];
  return `${title}: ${verdict(report)}\n${sections.join('\n')}\n`;
}

/** The errors of a report, each with its statement and table. */
export function statementErrors(report: PlanReport): { statement: string; message: string }[] {
  return report.statements.flatMap(({ number, line, summary, errors }) =>
    errors.map((message) => ({ statement: `statement ${number}, line ${line} (${summary})`, message })),
  );
}

function verdict(report: PlanReport): string {
  const refused = report.statements.filter(({ errors }) => errors.length > 0).length;
  const count = `${report.statements.length} statements`;
  if (refused > 0) {
    return `Flink ${report.flink} refuses ${refused} of ${count}`;
  }
  return report.ok ? `Flink ${report.flink} takes all ${count}` : `Flink ${report.flink} takes all ${count}, and the plan is wrong`;
}

function statements(report: PlanReport): string[] {
  return report.statements.flatMap(({ number, line, summary, errors }) => [
    `  ${errors.length === 0 ? 'ok   ' : 'ERROR'} ${number}, line ${line}: ${summary}`,
    ...errors.map((message) => message.replace(/^/gm, '          ')),
  ]);
}

function connectors(all: PlannedConnector[]): string {
  const named = (real: boolean) => all.filter(({ factory }) => (factory !== undefined) === real).map(({ identifier }) => identifier);
  const parts = [
    ...(named(true).length > 0 ? [`real factories of ${named(true).join(', ')}`] : []),
    ...(named(false).length > 0 ? [`stand-ins for ${named(false).join(', ')}`] : []),
  ];
  return parts.join('; ') || 'none';
}

function planSections(plan: Plan): string[] {
  const states = plan.operators.filter(({ state }) => state !== undefined);
  return [
    '  sinks',
    ...plan.sinks.map((sink) => `    ${sink.table}: ${sinkText(sink)}`),
    '  state',
    ...states.map(
      ({ id, type, table, state }) => `    ${type}[${id}]${table ? ` ${table}` : ''}: ${state?.holds}; bounded by ${boundText(state)}`,
    ),
    ...(plan.lookups.length === 0 ? [] : ['  lookups', ...plan.lookups.map((lookup) => `    ${lookupText(lookup)}`)]),
    '  vertices',
    ...plan.vertices.map(({ number, parallelism, name }) => `    ${number} × ${parallelism}: ${name}`),
    '  data flow',
    ...['```mermaid', ...dataFlow(plan).trimEnd().split('\n'), '```'].map((line) => `    ${line}`),
  ];
}

function boundText(state: { bound: string; bounded: boolean } | undefined): string {
  return state?.bounded ? state.bound : `nothing: ${state?.bound}`;
}

function sinkText(sink: PlannedSink): string {
  const key = (columns: string[]) => `(${columns.join(', ')})`;
  const parts = [sink.changes.join(' ')];
  if (sink.primaryKey.length > 0) {
    parts.push(`primary key ${key(sink.primaryKey)}`);
  }
  if (sink.changes.some((kind) => kind !== '+I')) {
    parts.push(sink.upsertKeys.length === 0 ? 'no upsert key' : `upsert key ${sink.upsertKeys.map(key).join(' or ')}${relation(sink)}`);
  }
  parts.push(sink.materializer ? 'SinkUpsertMaterializer' : 'no materializer');
  return parts.join('; ');
}

function relation(sink: PlannedSink): string {
  switch (sink.keys) {
    case 'equal':
      return ', the primary key';
    case 'within':
      return ', part of the primary key';
    case 'different':
      return ', not the primary key';
    default:
      return '';
  }
}

function lookupText({ table, async, keys, probes }: PlannedLookup): string {
  const counts = Object.entries(probes).map(
    ([source, count]) => `${count} ${count === 1 ? 'LookupJoin' : 'LookupJoins'} for a row of ${source}`,
  );
  return `${table} by (${keys.join(', ')}), ${async ? 'asynchronous' : 'synchronous'}: ${counts.join('; ') || 'from no table'}`;
}
