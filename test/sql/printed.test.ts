import { CfnParameter, Duration, Fn, Lazy, Stack, Token } from 'aws-cdk-lib';
import { durationIn, knownMillis } from '../../lib/sql/duration-in';
import { printed, withoutTokens } from '../../lib/sql/printed';
import { checkKnownWhole, checkWholeNumber } from '../../lib/sql/whole-number';

const parameter = new CfnParameter(new Stack(undefined, 'Pipeline'), 'Count', { type: 'Number' });
const late = Lazy.string({ produce: () => 'late' });

describe('a value in a message', () => {
  test.each([
    ['orders', "'orders'"],
    ['', "''"],
    [7, '7'],
    [Number.NaN, 'NaN'],
    [late, 'a token'],
    [Token.asNumber({ Ref: 'Count' }), 'a token'],
    [parameter.valueAsNumber, 'a token (Ref of Pipeline/Count)'],
    [parameter.value.toString(), 'a token (Ref of Pipeline/Count)'],
    [`a-${late}-${late}`, "'a-<token>-<token>'"],
    [Fn.join('-', ['a', late]), 'a token'],
  ])('%# reads well', (value, expected) => {
    expect(printed(value)).toBe(expected);
  });

  test('a token may read otherwise', () => {
    expect(withoutTokens(`a/${late}`, 'token')).toBe('a/token');
    expect(withoutTokens('${aws:username}', 'token')).toBe('${aws:username}');
    expect(withoutTokens('')).toBe('');
  });
});

describe('whole numbers', () => {
  test.each([
    [0, undefined, 'of at least 1, got 0'],
    [1.5, undefined, 'of at least 1, got 1.5'],
    [Number.NaN, undefined, 'of at least 1, got NaN'],
    [2 ** 31, undefined, 'from 1 to 2147483647, got 2147483648'],
    [1e21, undefined, 'from 1 to 2147483647, got 1e+21'],
    [26, 25, 'from 1 to 25, got 26'],
    [0, 25, 'from 1 to 25, got 0'],
    [2 ** 53, Number.MAX_SAFE_INTEGER, 'from 1 to 9007199254740991, got 9007199254740992'],
  ])('%p up to %p is refused', (value, maximum, message) => {
    expect(() => checkWholeNumber('count', value, 1, maximum)).toThrow(`count must be a whole number ${message}`);
    expect(() => checkKnownWhole('count', value, 1, maximum)).toThrow(`count must be a whole number ${message}`);
  });

  test.each([
    [1, undefined],
    [2 ** 31 - 1, undefined],
    [2 ** 53 - 1, Number.MAX_SAFE_INTEGER],
    [undefined, undefined],
  ])('%p up to %p passes', (value, maximum) => {
    expect(() => checkKnownWhole('count', value, 1, maximum)).not.toThrow();
  });

  test('a token passes, or is named', () => {
    expect(() => checkWholeNumber('count', parameter.valueAsNumber, 1)).not.toThrow();
    expect(() => checkKnownWhole('count', parameter.valueAsNumber, 1)).toThrow(
      'count must be known at synth, got a token (Ref of Pipeline/Count)',
    );
  });
});

describe('durations', () => {
  test.each([
    [Duration.hours(25), 'hours' as const, 25],
    [Duration.days(2), 'hours' as const, 48],
    [Duration.minutes(2), 'seconds' as const, 120],
    [Duration.seconds(0.5), 'millis' as const, 500],
    [Duration.hours(48), 'days' as const, 2],
  ])('%# in another unit', (duration, unit, expected) => {
    expect(durationIn('time', duration, unit, 0)).toBe(expected);
  });

  test('of a token are passed on in their unit only', () => {
    const count = parameter.valueAsNumber;
    expect(durationIn('time', Duration.hours(count), 'hours', 24)).toBe(count);
    expect(() => durationIn('time', Duration.days(count), 'hours', 24)).toThrow(
      'time must be a literal, or a token of hours (Duration.hours): CloudFormation cannot convert days',
    );
    expect(() => knownMillis('time', Duration.days(count), 0)).toThrow('time must be known at synth, got a token of days');
  });

  test.each([
    [Duration.millis(100.5), 'of at least 10, got 100.5 millis'],
    [Duration.millis(9), 'of at least 10, got 9 millis'],
    [Duration.days(1e21), 'from 10 to 9007199254740991, got'],
  ])('%# is refused by name', (duration, message) => {
    expect(() => knownMillis('time', duration, 10)).toThrow(`time must be a whole number of milliseconds ${message}`);
  });
});
