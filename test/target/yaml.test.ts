import fc from 'fast-check';
import { parse } from 'yaml';
import { toYaml, yamlErrors } from '../../lib/target/yaml';

const object = (data: object) => ({ kind: 'ConfigMap', metadata: { name: 'a' }, data });

test('YAML 1.1 and 1.2 readers read what was written, or the object is refused', () => {
  const piece = fc.constantFrom(
    ...[
      ' ',
      '\n',
      'a',
      ':',
      '- ',
      '#',
      '\t',
      '"',
      "'",
      '0',
      'o',
      '7',
      '1',
      '.',
      'e',
      '_',
      '-',
      '+',
      '<',
      '\r',
      '~',
      'é',
      '|',
      '>',
      '%',
      '{',
    ],
    ...['[', ',', '*', '&', '!', '?', '=', 'x', '---', '...', '\\', 'y', 'no', 'null', 'true', '\u0085', '\u2028', '\u0000', '\ufeff'],
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
  );
  fc.assert(
    fc.property(text, text, (key, value) => {
      const written = { kind: 'ConfigMap', data: { [key]: value }, list: [value], nested: { list: [{ value }] } };
      if (yamlErrors([written]).length === 0) {
        const yaml = toYaml([written]);
        expect(parse(yaml, { version: '1.1', merge: true })).toEqual(written);
        expect(parse(yaml, { version: '1.2' })).toEqual(written);
      }
    }),
    { numRuns: 1000 },
  );
});

test.each([
  [{ a: '0o17' }, "'data.a' of ConfigMap 'a' is '0o17', which YAML 1.2 readers take for an octal number: write it in another way"],
  [{ '0o17': 'a' }, "a key of ConfigMap 'a' is '0o17', which YAML 1.2 readers take for an octal number: write it in another way"],
  [{ '<<': 'a' }, "a key of ConfigMap 'a' is '<<', which YAML 1.1 readers take for a merge: use another key"],
  [{ a: ' \n' }, "'data.a' of ConfigMap 'a' is nothing but blank lines, which YAML does not keep: leave it empty"],
  [{ a: '=' }, "'data.a' of ConfigMap 'a' is '=', which YAML 1.1 readers take for a value of another type: write it in another way"],
  [
    { a: 'a\tb' },
    "'data.a' of ConfigMap 'a' holds a tab where some YAML readers take none: use spaces, or more lines of which the first begins otherwise",
  ],
  [
    { 'a\tb': 'a' },
    "a key of ConfigMap 'a' holds a tab where some YAML readers take none: use spaces, or more lines of which the first begins otherwise",
  ],
  [
    { a: '\n\ta\nb' },
    "'data.a' of ConfigMap 'a' holds a tab where some YAML readers take none: use spaces, or more lines of which the first begins otherwise",
  ],
  [
    { a: 'a\u2028b' },
    "'data.a' of ConfigMap 'a' holds a control character or line separator (U+007F to U+009F, U+2028, U+2029 or U+FEFF): remove it",
  ],
])('%j is refused', (data, error) => {
  expect(yamlErrors([object(data)])).toEqual([error]);
});

test.each([
  { a: '<<' },
  { a: '0o18' },
  { a: '0O17' },
  { a: 'a0o17' },
  { a: '\n\n' },
  { a: 'yes' },
  { a: 'a\n \nb\n' },
  { '=': '==' },
  { a: '\t' },
  { a: 'SELECT\t1;\n\tSELECT 2;\n' },
])('%j passes', (data) => {
  expect(yamlErrors([object(data)])).toEqual([]);
  for (const version of ['1.1', '1.2'] as const) {
    expect(parse(toYaml([object(data)]), { version })).toEqual(object(data));
  }
});
