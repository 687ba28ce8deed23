import { mkdtempSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { PIPELINE_VERSION, readPipelineFile } from '../../lib/application/pipeline-file';

const directory = mkdtempSync(join(tmpdir(), 'pipeline-'));
const path = join(directory, 'pipeline.json');
afterAll(() => rmSync(directory, { recursive: true }));

const JAR = { version: PIPELINE_VERSION, jobName: 'clicks', image: { coordinates: [], files: [] } };
const SQL = { ...JAR, script: 'job.sql', flinkVersion: '2.2.1', flinkConfiguration: {}, tables: [], inserts: [] };

test.each([JAR, SQL])('%j is read', (pipeline) => {
  writeFileSync(path, JSON.stringify(pipeline));
  expect(readPipelineFile(directory)).toEqual(pipeline);
});

test.each([
  ['{"version": 2,', /is no pipeline.json: .*JSON.*; run 'cdk synth' again/],
  ['', /is no pipeline.json: .*JSON/],
  ['null', 'has version undefined, this command reads version 2'],
  ['[]', 'has version undefined'],
  [{ ...JAR, version: 1, jobName: undefined }, 'has version 1, this command reads version 2'],
  [{ ...JAR, jobName: undefined }, 'is no whole pipeline.json: jobName is missing or of another kind'],
  [{ ...JAR, image: undefined }, ': image is missing'],
  [{ ...JAR, image: { coordinates: [] } }, ': image is missing'],
  [{ ...SQL, tables: null, inserts: {} }, ': tables, inserts is missing'],
  [{ ...SQL, flinkConfiguration: [] }, ': flinkConfiguration is missing'],
  [{ ...SQL, script: 1 }, ': script is missing'],
])('%j is refused with its path', (content, message) => {
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  expect(() => readPipelineFile(directory)).toThrow(message);
  expect(() => readPipelineFile(directory)).toThrow(`'${path}'`);
});

test('a job that the assembly names, and that is not there', () => {
  expect(() => readPipelineFile(join(directory, 'gone'))).toThrow(
    `'${join(directory, 'gone', 'pipeline.json')}' is no pipeline.json: ENOENT`,
  );
});
