import { APP_RULES } from '../lib/rules/app-rules';
import { APPLICATION_RULES } from '../lib/rules/application-rules';
import { JOB_ENTRIES, MONITORING_ENTRIES, STREAM_ENTRIES, TOPIC_ENTRIES } from '../lib/rules/construct-rules';
import type { RuleEntry } from '../lib/rules/rule';
import { CASES, DEPARTURES, NOT_OURS } from '../test/cases/case-list';
import { UNSEEN } from './rules-unseen';

const INTRODUCTION = `# Rules

Single bad values throw where they are given; their messages say what was got, what is allowed and how to fix it. Facts that need the whole job are rules. An error stops the synthesis, before a template is written. A warning is printed by the CDK toolkit; \`cdk synth --strict\` makes it fail. In a plain cdk8s app warnings go to standard error.

Acknowledge a warning where you know better:

\`\`\`ts
Validations.of(job).acknowledge({
  id: 'cdk-flink-pipeline:IdleSourceSubtasks',
  reason: 'the stream is resharded to 24 shards next week',
});
\`\`\`

The scope is the job, or any construct above it; for the rules of streams, tables and topics it is the construct. The toolkit prints the id with the prefix \`Annotation::\`, which you leave out. Errors cannot be acknowledged.`;

/** The page of the rules. */
export function rulesReference(): string {
  const parts = [
    INTRODUCTION,
    '## Rules of a job',
    ...section([...APPLICATION_RULES, ...JOB_ENTRIES]),
    '## Rules of all jobs of an app',
    'Jobs of one stage, or of the app where there are no stages; all charts of a cdk8s app. A finding is given at the job that was added last.',
    ...section(APP_RULES),
    '## Rules of streams and tables',
    ...section(STREAM_ENTRIES),
    '## Rules of the monitoring',
    ...section(MONITORING_ENTRIES),
    '## Rules of a topic',
    ...section(TOPIC_ENTRIES),
    '## What no rule can see',
    'What the first week in production brings, and neither the app nor a plan tells.',
    ...UNSEEN.map(({ title: what, reason, instead }) => `* **${what}**. ${reason} ${instead}`),
    '## Not ours',
    'What people lose days and data on, and a construct library cannot see: each with the reason, and what you can do about it.',
    ...Object.entries(NOT_OURS)
      .sort()
      .map(([id, { reason, instead }]) => `* **${title(id)}** (${id}). ${reason} ${instead}`),
    ...departures(),
  ];
  return `${parts
    .join('\n\n')
    .replace(/\n\n(?=\* )/g, '\n')
    .replace(/(?<=^[^*\n].*)\n(?=\* )/gm, '\n\n')}\n`;
}

function section(entries: RuleEntry[]): string[] {
  return [...entries].sort((left, right) => (left.name < right.name ? -1 : 1)).map(entry);
}

function entry({ name, level, looksAt, description, why, cure }: RuleEntry): string {
  return `### \`cdk-flink-pipeline:${name}\` (${level})\n\n${description}\n\n* Looks at: ${looksAt}.\n* Why: ${why}\n* Cure: ${cure}`;
}

function departures(): string[] {
  const told = Object.entries(DEPARTURES).sort();
  return told.length === 0
    ? []
    : [
        '## What people tell otherwise',
        'Where the engine behaves otherwise than is told, we follow the engine.',
        ...told.map(([id, text]) => `* **${title(id)}** (${id}). ${text}`),
      ];
}

function title(id: string): string {
  const text = CASES[id]!.title;
  return text.charAt(0).toUpperCase() + text.slice(1);
}
