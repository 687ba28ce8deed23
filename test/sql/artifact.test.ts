import { Artifact } from '../../lib/sql/artifact';

test('a released connector leaves its version to the job', () => {
  expect(Artifact.released('org.apache.flink:flink-sql-connector-kafka')).toMatchObject({
    coordinate: 'org.apache.flink:flink-sql-connector-kafka',
    path: undefined,
  });
});

test('a coordinate has a version, and may have a classifier', () => {
  expect(Artifact.maven('g.h:a_2.12:1.0-2.2').coordinate).toBe('g.h:a_2.12:1.0-2.2');
  expect(Artifact.maven('g:a:1:linux').coordinate).toBe('g:a:1:linux');
});

test('a file is a jar', () => {
  expect(Artifact.file('lib/functions.jar').path).toBe('lib/functions.jar');
  expect(() => Artifact.file('lib/functions.zip')).toThrow("artifact file must be a .jar, got 'lib/functions.zip'");
});

test.each([
  [() => Artifact.released('g:a:1'), "artifact must be a Maven coordinate 'groupId:artifactId', got 'g:a:1'"],
  [() => Artifact.maven('g:a'), "artifact must be a Maven coordinate 'groupId:artifactId:version', got 'g:a'"],
  [() => Artifact.maven('g:a:'), "'groupId:artifactId:version', got 'g:a:'"],
  [() => Artifact.maven('g:a:1:c:x'), "'groupId:artifactId:version', got 'g:a:1:c:x'"],
  [() => Artifact.maven('g:a::c'), "'groupId:artifactId:version:classifier', got 'g:a::c'"],
  [() => Artifact.maven('g:a:1</version>'), "got 'g:a:1</version>'"],
])('refuses a coordinate of another form', (artifact, message) => {
  expect(artifact).toThrow(message);
});
