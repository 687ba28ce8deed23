import { readdirSync, readFileSync } from 'fs';
import { join } from 'path';
import { APP_RULES } from '../../lib/rules/app-rules';
import { APPLICATION_RULES } from '../../lib/rules/application-rules';
import { JOB_ENTRIES, MONITORING_ENTRIES, STREAM_ENTRIES, TOPIC_ENTRIES } from '../../lib/rules/construct-rules';
import { rulesReference } from '../../scripts/rules-page';

const ENTRIES = [...APPLICATION_RULES, ...APP_RULES, ...JOB_ENTRIES, ...MONITORING_ENTRIES, ...STREAM_ENTRIES, ...TOPIC_ENTRIES];

test('docs/rules.md is what the rules say: npx tsx scripts/rules-reference.ts', () => {
  expect(readFileSync(join(__dirname, '..', '..', 'docs', 'rules.md'), 'utf8')).toBe(rulesReference());
});

test('names are unique over all rules', () => {
  const names = ENTRIES.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});

test('every rule is named by a test', () => {
  const root = join(__dirname, '..');
  const tests = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.test.ts'));
  const text = tests.map((path) => readFileSync(join(root, path), 'utf8')).join('\n');
  expect(tests.length).toBeGreaterThan(50);
  expect(ENTRIES.map(({ name }) => name).filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
});

test.each(ENTRIES)(
  '$name says what it looks at, when it fires, what that leads to and what to do',
  ({ looksAt, description, why, cure }) => {
    expect(looksAt).toMatch(/^.*[^.]$/);
    for (const text of [description, why, cure]) {
      expect(text).toMatch(/^[A-Z`].*[.`]$/s);
    }
  },
);
