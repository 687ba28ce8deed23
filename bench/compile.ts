import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { dirname, extname, join } from 'path';
import { parseJsonConfigFileContent, readConfigFile, sys, transpileModule } from 'typescript';
import { bundle } from '../scripts/bundle';

/**
 * Compiles the library, the reference apps and the benchmarks into a new directory, file by file, with the compiler and the options of the
 * published package, and bundles the library as its build does: what is measured is the JavaScript that users run.
 *
 * @param root root of the repository
 * @returns the directory, with the same layout as the repository
 */
export async function compile(root: string): Promise<string> {
  const output = mkdtempSync(join(tmpdir(), 'bench-'));
  symlinkSync(join(root, 'node_modules'), join(output, 'node_modules'), 'dir');
  const config = readConfigFile(join(root, 'tsconfig.jsii.json'), sys.readFile);
  const { options } = parseJsonConfigFileContent(config.config, sys, root);
  for (const room of ['lib', 'bin', 'bench']) {
    for (const path of readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })) {
      const source = join(root, room, path);
      const target = join(output, room, path);
      if (path.endsWith('.ts') && !path.endsWith('.d.ts')) {
        mkdirSync(dirname(target), { recursive: true });
        const { outputText } = transpileModule(readFileSync(source, 'utf8'), { fileName: source, compilerOptions: options });
        writeFileSync(target.replace(/\.ts$/, '.js'), outputText);
      } else if (['.json', '.sql', '.txt'].includes(extname(path))) {
        cpSync(source, target);
      }
    }
  }
  await bundle(output);
  return output;
}
