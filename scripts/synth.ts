import { execFileSync } from 'child_process';
import { existsSync, readdirSync, readFileSync } from 'fs';
import { join } from 'path';

interface DerivedValue {
  readonly name: string;
  readonly value: string;
  readonly reason: string;
  readonly table?: string;
}

/** Synthesizes the reference apps with the CDK toolkit and says where everything is and what was derived. */
function main(): void {
  for (const app of ['user-events', 'order-items']) {
    const output = join('cdk.out', app);
    execFileSync('cdk', ['synth', '--quiet', '--app', `tsx bin/${app}.ts`, '--output', output], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, CDK_DISABLE_CLI_TELEMETRY: 'true' },
    });
    print(app, output);
  }
}

function print(app: string, output: string): void {
  console.log(`\n# ${app}`);
  for (const entry of readdirSync(output).sort()) {
    const path = join(output, entry);
    if (entry.endsWith('.template.json')) {
      console.log(`template   ${path}`);
    }
    if (existsSync(join(path, 'pipeline.json'))) {
      console.log(`manifests  ${join(path, 'manifests.yaml')}`);
      console.log(`SQL        ${join(path, 'job.sql')}`);
      printDerivedValues(join(path, 'pipeline.json'));
    }
  }
}

function printDerivedValues(path: string): void {
  const { jobName, derivedValues } = JSON.parse(readFileSync(path, 'utf8')) as { jobName: string; derivedValues: DerivedValue[] };
  console.log(`derived values of job ${jobName} (${path})`);
  for (const { name, value, reason, table } of derivedValues) {
    console.log(`  ${table === undefined ? '' : `${table}: `}${name} = ${value}\n      ${reason}`);
  }
}

main();
