import { Token } from 'aws-cdk-lib';
import { deriveParallelism, deriveVertexParallelism } from '../../lib/application/parallelism';
import { TableRole } from '../../lib/sql/connector';
import type { ProgramBinding } from '../../lib/sql/program';
import { programOf, sink, source, stream, type Table, topic } from '../fixtures/programs';

function bindings(tables: { [name: string]: Table }): ProgramBinding[] {
  return programOf({ ...tables, ...(Object.keys(tables).includes('out') ? {} : { out: sink() }) })._bindings();
}

function derive(tables: { [name: string]: Table }, stated?: number, maxParallelism = 720) {
  return deriveParallelism('orders', stated, maxParallelism, bindings(tables));
}

describe('parallelism of the job', () => {
  test('is the shards of the stream', () => {
    expect(derive({ a: stream('clicks', 12) })).toEqual({ value: 12, reason: 'shards of stream clicks' });
  });

  test('is the shards of the largest stream, wherever it stands', () => {
    const largest = { value: 8, reason: 'shards of stream views, the largest of 3 such sources' };
    expect(derive({ a: stream('clicks', 4), b: stream('views', 8), c: stream('carts', 2) })).toEqual(largest);
    expect(derive({ b: stream('views', 8), a: stream('clicks', 4), c: stream('carts', 2) })).toEqual(largest);
  });

  test('is the partitions of the largest topic without a stream', () => {
    expect(derive({ a: topic('orders', 3), b: topic('items', 6) })).toEqual({
      value: 6,
      reason: 'partitions of topic items, the largest of 2 such sources',
    });
  });

  test('is the shards of a stream even where a topic has more partitions', () => {
    expect(derive({ a: stream('clicks', 2), b: topic('items', 24) })).toEqual({ value: 2, reason: 'shards of stream clicks' });
  });

  test('says how the shards came about', () => {
    const splits = { unit: 'shard', of: 'stream clicks', count: 12, countReason: '12 MiB/s written, 1 MiB/s per shard' };
    expect(derive({ a: source({ splits }) }).reason).toBe('shards of stream clicks: 12 MiB/s written, 1 MiB/s per shard');
  });

  test('is what is stated, against everything', () => {
    expect(derive({ a: stream('clicks', 12) }, 3)).toEqual({ value: 3, reason: 'stated; a reshard needs no restart of the job' });
    expect(derive({ a: stream('clicks', undefined) }, 3).value).toBe(3);
    expect(derive({ a: source() }, 3).value).toBe(3);
  });

  test('must be stated where no source has splits', () => {
    expect(() => derive({ a: source() })).toThrow(
      "parallelism of job 'orders' cannot be derived: none of its sources has shards or partitions; state parallelism",
    );
  });

  test('is not the splits of a lookup table', () => {
    const lookup = source({ splits: { unit: 'partition', of: 'table users', count: 3 } }, { role: TableRole.LOOKUP });
    expect(() => deriveParallelism('orders', undefined, 720, [{ name: 'users', binding: lookup.connector.bind({} as never) }])).toThrow(
      'none of its sources has shards or partitions',
    );
  });

  test('must be stated where the count is not known, with the reason', () => {
    expect(() => derive({ a: stream('clicks', undefined) })).toThrow(
      "parallelism of job 'orders' cannot be derived: the shard count of stream clicks is not known at synth (it follows the load); state parallelism of the job",
    );
    expect(() => derive({ a: topic('items', undefined) })).toThrow(
      'the partition count of topic items is not known at synth (nobody stated it)',
    );
  });

  test('must be stated where one of several counts is not known: it could be the largest', () => {
    expect(() => derive({ a: stream('clicks', 4), b: stream('views', undefined) })).toThrow('the shard count of stream views');
    // A topic does not lead beside a stream, so its count does not matter.
    expect(derive({ a: stream('clicks', 4), b: topic('items', undefined) }).value).toBe(4);
  });

  test('is known at synth', () => {
    expect(() => derive({ a: stream('clicks', 4) }, Token.asNumber({ Ref: 'P' }))).toThrow(
      /parallelism of job 'orders' must be known at synth, got the token .*; give a number/,
    );
  });

  test.each([0, -1, 1.5, Number.NaN, 721])('is refused as %s', (stated) => {
    expect(() => derive({ a: stream('clicks', 4) }, stated)).toThrow(
      `parallelism of job 'orders' must be a whole number from 1 to maxParallelism (720), got ${stated}`,
    );
  });

  test.each([1, 720])('is taken as %s', (stated) => {
    expect(derive({ a: stream('clicks', 4) }, stated).value).toBe(stated);
  });

  test('that is derived stays below the maximum', () => {
    expect(derive({ a: stream('clicks', 10) }, undefined, 10).value).toBe(10);
    expect(() => derive({ a: stream('clicks', 11) }, undefined, 10)).toThrow(
      "parallelism of job 'orders' would be 11, the shards of stream clicks, above maxParallelism (10); state parallelism, or a higher maxParallelism for a new job",
    );
  });
});

describe('parallelism of one vertex', () => {
  const vertices = (value: number, tables: { [name: string]: Table }) =>
    deriveVertexParallelism({ value, reason: 'said so' }, 720, bindings({ out: sink(), ...tables }));

  test('a topic with fewer partitions than the job gets fewer readers', () => {
    const { options, derived } = vertices(12, { a: topic('items', 6) });
    expect(options).toEqual({ a: { 'scan.parallelism': '6' } });
    expect(derived).toEqual([
      { table: 'a', name: 'scan.parallelism', value: '6', reason: 'topic items has 6 partitions: more readers than that would idle' },
    ]);
  });

  test.each([
    ['as many partitions', topic('items', 12)],
    ['more partitions', topic('items', 13)],
    ['unknown partitions', topic('items', undefined)],
    ['no parallelism of its own (changes without a key)', topic('items', 6, { parallelismOption: undefined })],
  ])('a topic with %s has that of the job', (_, table) => {
    expect(vertices(12, { a: table }).options).toEqual({});
  });

  const kafkaSink = (partitions: number | undefined, writers?: number) =>
    sink({ parallelismOption: 'sink.parallelism', splits: { unit: 'partition', of: 'topic latest', count: partitions }, writers });

  test.each([
    [6, 6],
    [12, 12],
    [24, 12],
  ])('a topic of %s partitions is written by %s writers', (partitions, writers) => {
    const result = vertices(12, { a: stream('clicks', 12), out: kafkaSink(partitions) });
    expect(result.options).toEqual({ out: { 'sink.parallelism': String(writers) } });
    expect(result.writers).toEqual({ out: writers });
    expect(result.derived[0]!.reason).toBe(`least of the ${partitions} partitions of topic latest and the parallelism of the job (12)`);
  });

  test('a topic of unknown partitions is written by all', () => {
    const result = vertices(12, { a: stream('clicks', 12), out: kafkaSink(undefined) });
    expect(result.options).toEqual({});
    expect(result.writers).toEqual({ out: 12 });
  });

  test('stated writers are taken, above the partitions and above the job', () => {
    const result = vertices(4, { a: stream('clicks', 4), out: kafkaSink(2, 16) });
    expect(result.options).toEqual({ out: { 'sink.parallelism': '16' } });
    expect(result.derived[0]!.reason).toBe('stated as writers of the connector');
    expect(result.largest).toEqual({ value: 16, reason: 'sink.parallelism of out' });
  });

  test('writers stay at or below the maximum', () => {
    expect(vertices(4, { a: stream('clicks', 4), out: kafkaSink(2, 720) }).writers).toEqual({ out: 720 });
    expect(() => vertices(4, { a: stream('clicks', 4), out: kafkaSink(2, 721) })).toThrow(
      "sink.parallelism of table 'out' must be a whole number from 1 to maxParallelism (720), got 721",
    );
  });

  test('a sink that takes no option gets none', () => {
    const result = vertices(4, { a: stream('clicks', 4), out: sink({ splits: { unit: 'partition', of: 'topic latest', count: 2 } }) });
    expect(result.options).toEqual({});
    expect(result.writers).toEqual({ out: 4 });
  });

  test('the job is the largest vertex unless one is larger', () => {
    expect(vertices(4, { a: stream('clicks', 4), out: kafkaSink(2, 4) }).largest).toEqual({ value: 4, reason: 'parallelism of the job' });
  });
});

describe('counts that a connector of the user says', () => {
  const split = (count: number) => source({ splits: { unit: 'shard', of: 'stream x', count } });

  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, Token.asNumber({ Ref: 'Shards' })])(
    'are refused as a source: %p',
    (count) => {
      const tables = bindings({ out: sink(), events: split(count) });
      expect(() => deriveParallelism('job', undefined, 720, tables)).toThrow(
        'the shard count of stream x must be a whole number of at least 1',
      );
      expect(() => deriveVertexParallelism({ value: 4, reason: 'said so' }, 720, tables)).toThrow(
        'the shard count of stream x must be a whole',
      );
    },
  );

  test.each([0, -1, 1.5, Number.NaN])('are refused as a sink: %p', (count) => {
    const changed = { parallelismOption: 'sink.parallelism', splits: { unit: 'partition', of: 'topic x', count } };
    expect(() => deriveVertexParallelism({ value: 4, reason: 'said so' }, 720, bindings({ out: sink(changed) }))).toThrow(
      'the partition count of topic x must be a whole number of at least 1',
    );
  });

  test('are taken from 1 on', () => {
    expect(deriveParallelism('job', undefined, 720, bindings({ out: sink(), events: split(1) })).value).toBe(1);
  });
});
