import { execFileSync } from 'child_process';
import { existsSync, rmSync, symlinkSync } from 'fs';
import { join, resolve } from 'path';

const PACKAGE = join('dist', 'package');
const DEPENDENCIES = join(PACKAGE, 'node_modules');

/** Writes the API reference, `docs/api.md`, out of the package that `npm run build` has built. */
function main(): void {
  if (!existsSync(join(PACKAGE, '.jsii'))) {
    throw new Error(`${PACKAGE} holds no built package: run npm run build first`);
  }
  rmSync(DEPENDENCIES, { force: true });
  // jsii-docgen looks for the assemblies of dependencies in the folder of the package alone.
  symlinkSync(resolve('node_modules'), DEPENDENCIES);
  try {
    execFileSync('jsii-docgen', ['--output', resolve('docs', 'api.md'), '--format', 'md', '--readme', 'false'], {
      cwd: PACKAGE,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION: '20' },
    });
  } finally {
    rmSync(DEPENDENCIES);
  }
}

main();
