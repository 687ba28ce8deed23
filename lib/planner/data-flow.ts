import type { Plan, PlannedOperator } from './plan-report';

/**
 * The data flow of a plan as a Mermaid flowchart: vertices with their parallelism, operators, how rows change and are distributed between
 * them, where state is kept, and how often a lookup table is probed.
 */
export function dataFlow(plan: Plan): string {
  const lines = ['flowchart LR'];
  for (const vertex of plan.vertices) {
    const operators = plan.operators.filter((operator) => operator.vertex === vertex.number);
    if (operators.length > 0) {
      lines.push(`  subgraph v${vertex.number}["vertex ${vertex.number} × ${vertex.parallelism}"]`);
      lines.push(...operators.map((operator) => `    ${node(operator, plan)}`), '  end');
    }
  }
  lines.push(...plan.operators.filter((operator) => operator.vertex === undefined).map((operator) => `  ${node(operator, plan)}`));
  for (const operator of plan.operators) {
    for (const { operator: from, shuffle } of operator.inputs) {
      lines.push(`  n${from} -->|"${mermaidText([changesOf(plan, from), shuffle].filter(Boolean).join(' · '))}"| n${operator.id}`);
    }
  }
  for (const lookup of plan.lookups) {
    const probes = Math.max(0, ...Object.values(lookup.probes));
    const name = `t_${lookup.operators[0]}`;
    lines.push(`  ${name}[("${mermaidText(lookup.table)}<br/>${probes} ${probes === 1 ? 'probe' : 'probes'} a row")]`);
    lines.push(...lookup.operators.map((operator) => `  ${name} -.- n${operator}`));
  }
  return `${lines.join('\n')}\n`;
}

/** An edge says how rows change where they do more than come. */
function changesOf(plan: Plan, id: number): string {
  return plan.operators[id - 1]?.changes?.join(' ') ?? '';
}

function node(operator: PlannedOperator, plan: Plan): string {
  const sink = plan.sinks.find(({ operator: id }) => id === operator.id);
  const lines = [
    `${operator.type} [${operator.id}]`,
    ...(operator.table === undefined ? [] : [operator.table]),
    ...(operator.state === undefined || operator.inputs.length === 0 ? [] : [`state: ${operator.state.bound}`]),
    ...(sink?.materializer ? ['SinkUpsertMaterializer'] : []),
  ];
  const text = `"${lines.map(mermaidText).join('<br/>')}"`;
  if (operator.inputs.length === 0) {
    return `n${operator.id}([${text}])`;
  }
  return sink ? `n${operator.id}[[${text}]]` : `n${operator.id}[${text}]`;
}

function mermaidText(text: string): string {
  return text.replaceAll('"', '#quot;').replaceAll('<', '#lt;').replaceAll('>', '#gt;');
}
