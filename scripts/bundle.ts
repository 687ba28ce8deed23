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
  await build({
    entryPoints: [join(library, 'index.js')],
    outfile: join(library, 'index.js'),
    allowOverwrite: true,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    keepNames: true,
    logLevel: 'warning',
    plugins: [
      {
        name: 'directory-of-module',
        setup: ({ onLoad }) => {
          // A module finds its data from its own directory, which is another than that of the bundle.
          onLoad({ filter: /\.js$/ }, ({ path }) => {
            const directory = JSON.stringify(relative(library, dirname(path)));
            return { contents: readFileSync(path, 'utf8').replace(/\b__dirname\b/g, `require("path").join(__dirname, ${directory})`) };
          });
        },
      },
    ],
  });
}

if (require.main === module) {
  void bundle(join(__dirname, '..'));
}
