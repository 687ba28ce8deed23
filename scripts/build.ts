import { execFileSync } from 'child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { join, resolve, sep } from 'path';
import { bundle } from './bundle';
import { packedPage } from './packed-page';

/** Where the package is built: beside the sources, a compiled file would be found before the source it came from. */
const PACKAGE = join('dist', 'package');

const FILES = ['tsconfig.jsii.json', 'README.md', 'LICENSE', 'NOTICE'];
const FOLDERS = ['lib', 'docs', 'runtime'];

/** Builds the package with jsii into `dist/package` and bundles it, ready for `npm pack` and `npm publish`. */
async function main(): Promise<void> {
  rmSync(PACKAGE, { recursive: true, force: true });
  mkdirSync(PACKAGE, { recursive: true });
  for (const file of FILES.filter((name) => existsSync(name))) {
    copyFileSync(file, join(PACKAGE, file));
  }
  writeFileSync(join(PACKAGE, 'package.json'), manifest());
  for (const folder of FOLDERS) {
    cpSync(folder, join(PACKAGE, folder), { recursive: true, filter: (path) => isSource(path) });
  }
  linkToRepository();
  execFileSync('jsii', ['--silence-warnings=reserved-word', '--fail-on-warnings', ...process.argv.slice(2)], {
    cwd: PACKAGE,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION: '20' },
  });
  await bundle(resolve(PACKAGE));
}

/** The manifest without what keeps the root from being packed, and without commands for files that are not in the package. */
function manifest(): string {
  const { private: _private, scripts: _scripts, ...published } = JSON.parse(readFileSync('package.json', 'utf8'));
  return `${JSON.stringify(published, undefined, 2)}\n`;
}

/** Pages link to examples and reference pipelines, which are in the repository only. */
function linkToRepository(): void {
  const { repository } = JSON.parse(readFileSync('package.json', 'utf8'));
  const pages = readdirSync('docs').map((name) => join('docs', name));
  for (const page of ['README.md', ...pages.filter((path) => path.endsWith('.md'))]) {
    const path = join(PACKAGE, page);
    const isPacked = (target: string) => existsSync(join(PACKAGE, target));
    writeFileSync(path, packedPage(page, readFileSync(path, 'utf8'), isPacked, repository.url));
  }
}

/** Not what Maven or a compiler in place has left. */
function isSource(path: string): boolean {
  return !/^runtime\/.*\/target$|^lib\/.*\.d\.ts$|^lib\/.*\.js$/.test(path.split(sep).join('/'));
}

void main();
