import { Stack, Token } from 'aws-cdk-lib';
import * as fc from 'fast-check';
import { LateValues } from '../../lib/application/environment';

const tokens = new Map<string, string>();

/** The same text for the same name. */
function token(name: string): string {
  tokens.set(name, tokens.get(name) ?? Token.asString({ Ref: name }));
  return tokens.get(name)!;
}

/** What the runner makes of a text. */
function substitute(text: string, late: LateValues): string {
  return late.variables.reduce((changed, { name, value }) => changed.split(`\${env:${name}}`).join(value), text);
}

describe('table options', () => {
  test('without tokens stay', () => {
    const late = new LateValues();
    const options = { a: { topic: 'clicks', password: '${env:SECRET_X}' } };
    expect(late.takeFromOptions(options)).toEqual(options);
    expect(late.variables).toEqual([]);
  });

  test('with a token become a variable named after table and option', () => {
    const late = new LateValues();
    const arn = `arn:${token('Partition')}:kinesis`;
    expect(late.takeFromOptions({ events: { 'stream.arn': arn, format: 'raw' } })).toEqual({
      events: { 'stream.arn': '${env:TABLE_EVENTS_STREAM_ARN}', format: 'raw' },
    });
    expect(late.variables).toEqual([{ name: 'TABLE_EVENTS_STREAM_ARN', value: arn }]);
  });

  test('that read the same as a name are two variables', () => {
    const late = new LateValues();
    const taken = late.takeFromOptions({ 'a.b': { c: token('One') }, a: { 'b.c': token('Two') } });
    expect(taken['a.b']!.c).not.toBe(taken.a!['b.c']);
    expect(substitute(taken.a!['b.c']!, late)).toBe(token('Two'));
  });

  test('whose names are taken count on until one is free', () => {
    const late = new LateValues();
    late.takeFromOptions({ s: { x: token('One'), x_2: token('Two'), 'x-': token('Three') } });
    expect(late.variables.map(({ name }) => name)).toEqual(['TABLE_S_X', 'TABLE_S_X_2', 'TABLE_S_X_3']);
  });

  test('come through the expansion of Kubernetes as they are', () => {
    const late = new LateValues();
    late.takeFromOptions({ s: { path: `a$b$(HOME)$$${token('One')}$` } });
    expect(late.variables[0]!.value).toBe(`a$$b$$(HOME)$$$$${token('One')}$$`);
  });

  test('of a table without a letter of the alphabet have a name of their own', () => {
    const late = new LateValues();
    const taken = late.takeFromOptions({ 表: { x: token('One') }, 面: { x: token('Two') }, '1a': { x: token('Three') } });
    const names = late.variables.map(({ name }) => name);
    expect(new Set(names).size).toBe(3);
    for (const name of names) {
      expect(name).toMatch(/^[A-Z][A-Z0-9_]*$/);
    }
    expect(substitute(taken.面!.x!, late)).toBe(token('Two'));
  });

  test('of a long name have a short variable', () => {
    const late = new LateValues();
    late.takeFromOptions({ ['t'.repeat(200)]: { x: token('One') } });
    expect(late.variables[0]!.name).toMatch(/^TABLE_[0-9A-F]{12}$/);
  });

  test('with a secret beside a token keep the secret in the script', () => {
    const late = new LateValues();
    const value = `mongodb://\${env:SECRET_URI}@${token('Host')}/db`;
    const taken = late.takeFromOptions({ events: { uri: value } });
    expect(taken.events!.uri).toBe('mongodb://${env:SECRET_URI}@${env:SQL_VALUE_1}/db');
    expect(late.variables).toEqual([{ name: 'SQL_VALUE_1', value: token('Host') }]);
  });
});

describe('a script', () => {
  test('without tokens stays', () => {
    expect(new LateValues().takeFromText('SELECT 1 FROM `a`')).toBe('SELECT 1 FROM `a`');
  });

  test('with tokens holds a variable for each, in order', () => {
    const late = new LateValues();
    const script = `SELECT '${token('One')}', '${token('Two')}'`;
    expect(late.takeFromText(script)).toBe("SELECT '${env:SQL_VALUE_1}', '${env:SQL_VALUE_2}'");
    expect(new Stack().resolve(late.variables)).toEqual([
      { name: 'SQL_VALUE_1', value: { Ref: 'One' } },
      { name: 'SQL_VALUE_2', value: { Ref: 'Two' } },
    ]);
  });

  test.each([
    ['a number', `LIMIT ${Token.asNumber({ Ref: 'Number' })}`, 'the number token'],
    ['a list', `IN (${Token.asList({ Ref: 'List' })})`, 'the list token'],
  ])('refuses %s that is a token', (_, script, message) => {
    expect(() => new LateValues().takeFromText(script)).toThrow(message);
  });

  test('gives back any text once the variables are put in', () => {
    const part = fc.oneof(fc.string(), fc.constantFrom('One', 'Two', 'Three').map(token), fc.constant('$'), fc.constant('${env:SECRET_A}'));
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const late = new LateValues();
        const text = parts.join('');
        const taken = late.takeFromText(text);
        expect(Token.isUnresolved(taken)).toBe(false);
        const names = late.variables.map(({ name }) => name);
        expect(new Set(names).size).toBe(names.length);
        expect(substitute(taken, late)).toBe(text);
      }),
    );
  });
});
