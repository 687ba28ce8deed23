import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { dirname, extname, join } from 'path';
import { parseJsonConfigFileContent, readConfigFile, sys, transpileModule } from 'typescript';

/**
 * Compiles the library, the reference apps and the benchmarks into a new directory, file by file, with the compiler and the options of the
 * published package: what is measured is the JavaScript that users run, and floor and library are compiled alike.
 *
 * @param root root of the repository
 * @returns the directory, with the same layout as the repository
 */
export function compile(root: string): string {
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
  return output;
}
