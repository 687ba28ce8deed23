import { App, CfnResource, Stack } from 'aws-cdk-lib';
import { spawnSync } from 'child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { basename, join } from 'path';

const ROOT = join(__dirname, '..', '..');
const FLAGS: { readonly [name: string]: object } = {
  'the flags of cdk.json': readJson('cdk.json').context,
  'every recommended flag': {
    ...readJson('node_modules/aws-cdk-lib/recommended-feature-flags.json'),
    ...readJson('cdk.json').context,
  },
};

/** Programs with the number of their stacks. */
const APPS: { readonly [path: string]: number } = {
  'bin/user-events.ts': 1,
  'bin/order-items.ts': 1,
  'test/fixtures/monitored-apps.ts': 2,
};

/** cfn-lint is a Python program: `.ci/run` installs it, elsewhere it may be missing. */
const CFN_LINT = [process.env.CFN_LINT, join(ROOT, 'dist', 'cfn-lint', 'bin', 'cfn-lint')].find((path) => path && existsSync(path));
if (CFN_LINT === undefined) {
  console.log('skipped: no cfn-lint; .ci/run installs it, or name one by CFN_LINT');
}
const testLint = CFN_LINT === undefined ? test.skip : test;

const work = mkdtempSync(join(tmpdir(), 'templates-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));

// biome-ignore lint/suspicious/noExplicitAny: JSON files of others
function readJson(path: string): any {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
}

function templatesOf(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.template.json'))
    .map((name) => join(directory, name));
}

/** Rules that the CDK's validator and the library's own warnings name, acknowledged ones left out. */
function violations(directory: string): string[] {
  const report = JSON.parse(readFileSync(join(directory, 'validation-report.json'), 'utf8')) as {
    readonly pluginReports: { readonly violations: { readonly ruleName: string; readonly description: string }[] }[];
  };
  return report.pluginReports.flatMap((plugin) => plugin.violations.map(({ ruleName, description }) => `${ruleName}: ${description}`));
}

/** Whatever cfn-lint says, warnings such as W3037 (an IAM action that does not exist) included. */
function lint(directory: string): string[] {
  const { stdout, status } = spawnSync(
    CFN_LINT!,
    ['--format', 'json', '--non-zero-exit-code', 'informational', ...templatesOf(directory)],
    {
      encoding: 'utf8',
    },
  );
  const matches = JSON.parse(stdout || '[]') as { readonly Rule: { readonly Id: string }; readonly Message: string }[];
  expect(status === 0).toBe(matches.length === 0);
  return matches.map(({ Rule, Message }) => `${Rule.Id}: ${Message}`);
}

describe.each(Object.keys(APPS))('%s', (app) => {
  describe.each(Object.keys(FLAGS))('with %s', (flags) => {
    const directory = join(work, basename(app), flags.replaceAll(' ', '-'));

    test('the validator of the CDK has no finding, and no rule warns', () => {
      const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'node_modules', 'tsx', 'dist', 'cli.mjs'), app], {
        cwd: ROOT,
        encoding: 'utf8',
        env: { ...process.env, CDK_VALIDATION: 'true', CDK_OUTDIR: directory, CDK_CONTEXT_JSON: JSON.stringify(FLAGS[flags]) },
      });
      expect(stderr).toBe('');
      expect(status).toBe(0);
      expect(violations(directory)).toEqual([]);
      expect(templatesOf(directory)).toHaveLength(APPS[app]!);
    }, 120_000);

    testLint(
      'cfn-lint has no finding',
      () => {
        expect(lint(directory)).toEqual([]);
      },
      120_000,
    );
  });
});

describe('the judges', () => {
  const directory = join(work, 'broken');

  test('the validator of the CDK refuses a broken template', () => {
    process.env.CDK_VALIDATION = 'true';
    const app = new App({ outdir: directory, context: FLAGS['the flags of cdk.json'] as { [key: string]: unknown } });
    const stack = new Stack(app, 'Broken');
    new CfnResource(stack, 'Stream', { type: 'AWS::Kinesis::Stream', properties: { ShardCount: 'many' } });
    new CfnResource(stack, 'Policy', {
      type: 'AWS::IAM::Policy',
      properties: {
        PolicyName: 'reader',
        Roles: ['reader'],
        PolicyDocument: { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: 'kinesis:GetRecord', Resource: '*' }] },
      },
    });
    expect(() => app.synth()).toThrow("ShardCount: 'many' is not of type 'integer'");
    expect(violations(directory)).toEqual(expect.arrayContaining([expect.stringContaining('ShardCount')]));
  }, 120_000);

  testLint(
    'cfn-lint refuses a broken template and an IAM action that does not exist',
    () => {
      const found = lint(directory);
      expect(found).toEqual(expect.arrayContaining([expect.stringMatching(/^E3012/), expect.stringMatching(/^W3037/)]));
    },
    120_000,
  );
});
