import { readdirSync, readFileSync } from 'fs';
import { join, relative } from 'path';

const ROOT = join(__dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Which files a run of Jest takes. */
interface Suite {
  readonly roots: string[];
  readonly ignored: RegExp[];
  readonly patterns: RegExp[];
}

/** The runs of Jest in `.ci/run`, by their lines. */
function suites(): { [line: string]: Suite } {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: { [name: string]: string } };
  const lines = read('.ci/run').matchAll(/^ *tests (?<name>\S+) (?<command>.*)$/gm);
  return Object.fromEntries(
    [...lines].map(({ 0: line, groups }) => {
      const command = groups!
        .command!.replace(/^npm (?:run )?(\S+).*/, (_, script) => scripts[script]!)
        .replace(/^engine\b/, 'jest --config test/engine/jest.config.json');
      const [, config = 'jest.config.json', rest = ''] = /\bjest(?: --config (\S+))?(.*)$/.exec(command)!;
      const { roots, testPathIgnorePatterns = [] } = JSON.parse(read(config)) as { roots: string[]; testPathIgnorePatterns?: string[] };
      const plain = (path: string) => path.replace('<rootDir>/', '');
      const patterns = rest.split(' ').filter((word) => word !== '' && !word.startsWith('-'));
      return [
        line,
        {
          roots: roots.map((root) => `${plain(root)}/`),
          ignored: testPathIgnorePatterns.map((pattern) => new RegExp(plain(pattern))),
          patterns: patterns.map((pattern) => new RegExp(pattern)),
        },
      ];
    }),
  );
}

const files = readdirSync(join(ROOT, 'test'), { recursive: true, withFileTypes: true })
  .filter(({ name }) => name.endsWith('.test.ts'))
  .map(({ parentPath, name }) => relative(ROOT, join(parentPath, name)));

const takes = ({ roots, ignored, patterns }: Suite, file: string) =>
  roots.some((root) => file.startsWith(root)) &&
  !ignored.some((pattern) => pattern.test(file)) &&
  (patterns.length === 0 || patterns.some((pattern) => pattern.test(file)));

test('each file of tests is in one run of .ci/run', () => {
  const runs = Object.entries(suites());
  const found = files.map((file) => [file, runs.filter(([, suite]) => takes(suite, file)).map(([line]) => line)] as const);
  expect(found.filter(([, lines]) => lines.length !== 1)).toEqual([]);
});

test('each name that a run is given is that of a file', () => {
  const given = Object.values(suites()).flatMap((suite) => suite.patterns.map((pattern) => ({ ...suite, patterns: [pattern] })));
  expect(given.length).toBeGreaterThan(0);
  expect(given.filter((suite) => !files.some((file) => takes(suite, file)))).toEqual([]);
});

test('each function of steps in .ci/run is called', () => {
  const script = read('.ci/run');
  const functions = [...script.matchAll(/^(\w+)\(\) \{\n((?: .*\n)+)\}/gm)].filter(([, , body]) =>
    /^ {2}(check|tests|header) \w/m.test(body!),
  );
  const called = [...script.matchAll(/^beside (\w+) (\w+)$/gm)].flatMap(([, one, other]) => [one, other]);
  expect(called.length).toBeGreaterThan(0);
  expect(functions.map(([, name]) => name).sort()).toEqual(called.sort());
});
