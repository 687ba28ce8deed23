import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { checkCompiler, findJava } from '../../lib/planner/java-home';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'java-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function home(name: string, version: string, release = true): string {
  const directory = join(root, name);
  mkdirSync(join(directory, 'bin'), { recursive: true });
  const java = join(directory, 'bin/java');
  writeFileSync(java, `#!/bin/sh\necho 'openjdk version "${version}" 2025-04-15' >&2\n`);
  chmodSync(java, 0o755);
  if (release) {
    writeFileSync(join(directory, 'release'), `IMPLEMENTOR="x"\nJAVA_VERSION="${version}"\n`);
  }
  return directory;
}

test('JAVA_HOME comes before the search path', () => {
  const [first, second] = [home('first', '17.0.15'), home('second', '21')];
  expect(findJava({ JAVA_HOME: first, PATH: join(second, 'bin') })).toMatchObject({ directory: first, version: '17.0.15' });
  expect(findJava({ PATH: ['', join(root, 'nothing'), join(second, 'bin')].join(':') })).toMatchObject({
    directory: second,
    version: '21',
  });
});

test('a link on the search path leads to the home', () => {
  const directory = home('jdk', '17.0.1');
  mkdirSync(join(root, 'links'));
  symlinkSync(join(directory, 'bin/java'), join(root, 'links/java'));
  expect(findJava({ PATH: join(root, 'links') })).toMatchObject({ directory, java: join(root, 'links/java') });
});

test('a Java without a release file is asked', () => {
  expect(findJava({ JAVA_HOME: home('jdk', '17.0.2', false) }).version).toBe('17.0.2');
});

test.each(['11.0.2', '1.8.0_292', '16'])('Java %s is too old', (version) => {
  const directory = home('jdk', version);
  expect(() => findJava({ JAVA_HOME: directory })).toThrow(
    new RegExp(`needs Java 17 or later, got ${version.replaceAll('.', '\\.')} in '${directory}': install a JDK 17 or later`),
  );
});

test('no Java, and a JAVA_HOME that has none', () => {
  expect(() => findJava({ PATH: root })).toThrow('neither JAVA_HOME nor PATH has any: install a JDK 17');
  expect(() => findJava({ JAVA_HOME: root, PATH: '' })).toThrow(`JAVA_HOME is '${root}', which has no bin/java: install a JDK 17`);
});

test('a Java without a compiler', () => {
  const directory = home('jre', '17');
  expect(() => checkCompiler(findJava({ JAVA_HOME: directory }))).toThrow('is a Java without a compiler: install a JDK 17');
  writeFileSync(join(directory, 'bin/javac'), '');
  expect(() => checkCompiler(findJava({ JAVA_HOME: directory }))).not.toThrow();
});
