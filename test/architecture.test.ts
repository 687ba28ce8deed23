import { readdirSync, readFileSync } from 'fs';
import { dirname, join, relative, sep } from 'path';

const LIB = join(__dirname, '..', 'lib');
const EVERYTHING = ['sql', 'queries', 'aws', 'kafka', 'target', 'connectors', 'application', 'rules', 'kubernetes'];

/** Rooms of the house, and the rooms that each may import. A room that is not here may not exist. */
const ROOMS: { readonly [room: string]: readonly string[] } = {
  sql: [],
  queries: ['sql'],
  aws: ['sql'],
  target: [],
  kafka: ['sql', 'target'],
  connectors: ['sql', 'aws', 'kafka'],
  application: ['sql'],
  rules: ['sql', 'queries', 'application', 'target'],
  kubernetes: ['sql', 'application', 'rules', 'target'],
  job: EVERYTHING,
  planner: ['sql', 'queries', 'application'],
  testing: ['planner'],
  monitoring: [...EVERYTHING, 'job'],
  operations: ['sql', 'queries'],
  cli: [...EVERYTHING, 'planner', 'operations'],
};

/**
 * Single imports beyond that: permissions on a prefix of a bucket are a matter of AWS, and checkpoints and file sinks share them; the
 * ARN of an MSK cluster holds a region as any other does.
 */
const EXCEPTIONS = [
  'application/checkpoint-storage imports aws/bucket-prefix',
  'application/derive-file-systems imports aws/bucket-prefix',
  'kafka/msk-arn imports aws/region',
];

interface Import {
  /** Imported file, relative to `lib/`, without an extension. */
  readonly to: string;
  /** Whether only types are imported, so that nothing is loaded. */
  readonly typeOnly: boolean;
}

/** Files of `lib/` without their extension, each with what it imports from `lib/`. */
const FILES: ReadonlyMap<string, Import[]> = new Map(
  readdirSync(LIB, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
    .map((path) => [withoutExtension(path), importsOf(join(LIB, path))]),
);

function withoutExtension(path: string): string {
  return path.split(sep).join('/').replace(/\.ts$/, '');
}

function importsOf(path: string): Import[] {
  return [...readFileSync(path, 'utf8').matchAll(/^(?:import|export)\s([^;]*?)from '(\.[^']*)';/gms)].map(([, names, from]) => ({
    to: withoutExtension(relative(LIB, join(dirname(path), from!))),
    typeOnly: names!.startsWith('type ') || namedImports(names!).every((name) => name.startsWith('type ')),
  }));
}

function namedImports(names: string): string[] {
  return names
    .replace(/[{}]/g, '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function roomOf(file: string): string {
  return file.split('/')[0]!;
}

test('the imports of the house are read', () => {
  expect(FILES.size).toBeGreaterThan(100);
  expect(FILES.get('job/flink-job')).toContainEqual({ to: 'application/flink-application', typeOnly: false });
  expect(FILES.get('job/flink-job')).toContainEqual({ to: 'sql/program', typeOnly: true });
});

test('each file stands in a room of the house', () => {
  const rooms = new Set([...FILES.keys()].filter((file) => file !== 'index').map(roomOf));
  expect([...rooms].sort()).toEqual(Object.keys(ROOMS).sort());
});

test.each(Object.keys(ROOMS))('%s imports the rooms that it may', (room) => {
  const forbidden = [...FILES]
    .filter(([file]) => roomOf(file) === room)
    .flatMap(([file, imports]) => imports.map(({ to }) => ({ file, to })))
    .filter(({ to }) => roomOf(to) !== room && !ROOMS[room]!.includes(roomOf(to)))
    .map(({ file, to }) => `${file} imports ${to}`)
    .filter((found) => !EXCEPTIONS.includes(found));
  expect(forbidden).toEqual([]);
});

test('no file imports the public door', () => {
  const through = [...FILES].filter(([, imports]) => imports.some(({ to }) => ['', '.', 'index'].includes(to))).map(([file]) => file);
  expect(through).toEqual([]);
});

test('every import names a file', () => {
  const missing = [...FILES].flatMap(([file, imports]) =>
    imports.filter(({ to }) => !FILES.has(to)).map(({ to }) => `${file} imports ${to}`),
  );
  expect(missing).toEqual([]);
});

test('no file needs itself to be loaded', () => {
  expect(cycles((imports) => imports.filter(({ typeOnly }) => !typeOnly))).toEqual([]);
});

/** Each cycle once, as a chain of files. */
function cycles(followed: (imports: Import[]) => Import[]): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (file: string, chain: string[]) => {
    if (chain.includes(file)) {
      found.push([...chain.slice(chain.indexOf(file)), file].join(' → '));
      return;
    }
    if (done.has(file)) {
      return;
    }
    for (const { to } of followed(FILES.get(file) ?? [])) {
      visit(to, [...chain, file]);
    }
    done.add(file);
  };
  for (const file of FILES.keys()) {
    visit(file, []);
  }
  return found;
}
