import { build } from 'esbuild';
import { readFileSync } from 'fs';
import { dirname, join, relative } from 'path';

/**
 * Puts the compiled library into its `lib/index.js`, as the last step of a build: to find and open some 150 modules costs a synthesis more
 * than all that they do.
 *
 * @param root directory with the compiled `lib`
 */
export async function bundle(root: string): Promise<void> {
  const library = join(root, 'lib');
  const index = join(library, 'index.js');
  await build({
    absWorkingDir: root,
    entryPoints: [index],
    outfile: index,
    allowOverwrite: true,
    bundle: true,
    packages: 'external',
    // What jsii has compiled, not the sources beside it.
    resolveExtensions: ['.js'],
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    keepNames: true,
    logLevel: 'warning',
    plugins: [
      {
        name: 'modules',
        setup: ({ onLoad }) => {
          onLoad({ filter: /\.js$/ }, ({ path }) => ({
            contents: fromOwnDirectory(readFileSync(path, 'utf8'), relative(library, dirname(path))),
          }));
        },
      },
    ],
  });
}

/** A module finds its data from its own directory, which is another than that of the bundle. */
function fromOwnDirectory(code: string, directory: string): string {
  return code.replace(/\b__dirname\b/g, `require("path").join(__dirname, ${JSON.stringify(directory)})`);
}
