import { Duration, Size, Token } from 'aws-cdk-lib';
import { flinkDuration, flinkInteger, flinkSize } from '../../lib/sql/flink-notation';

const number = Token.asNumber({ Ref: 'Number' });

test('a duration fits into the nanoseconds of a long', () => {
  expect(flinkDuration(Duration.days(106_751))).toBe('106751 d');
  expect(flinkDuration(Duration.millis(9_223_372_036_854))).toBe('9223372036854 ms');
  expect(() => flinkDuration(Duration.millis(9_223_372_036_855), 'delay')).toThrow(
    'delay must be a whole number of milliseconds from 0 to 9223372036854',
  );
  expect(() => flinkDuration(Duration.days(1e15))).toThrow('a duration for Flink must be a whole number of milliseconds from 0 to');
});

test('a duration has its least', () => {
  expect(() => flinkDuration(Duration.millis(0), 'delay', 1)).toThrow('delay must be a whole number of milliseconds of at least 1');
  expect(flinkDuration(Duration.millis(1), 'delay', 1)).toBe('1 ms');
});

test('a size fits into the bytes of a long, in plain digits', () => {
  expect(flinkSize(Size.pebibytes(8191))).toBe('8387584 tb');
  expect(flinkSize(Size.bytes(2 ** 53 - 1))).toBe('9007199254740991 b');
  expect(() => flinkSize(Size.pebibytes(8192), 'fileSize')).toThrow('fileSize must be smaller than 8192 PiB, got 8192 PiB');
  expect(() => flinkSize(Size.bytes(0.5), 'fileSize')).toThrow('fileSize must be a whole number of bytes, got 0.5');
});

test('a size that is a token is one of mebibytes', () => {
  expect(flinkSize(Size.mebibytes(number))).toMatch(/^\$\{Token\[.*\]\} mb$/);
  expect(() => flinkSize(Size.gibibytes(number), 'fileSize')).toThrow(
    'fileSize must be a literal, or a token of mebibytes (Size.mebibytes): CloudFormation cannot convert another unit',
  );
});

test('a number fits into an int unless the option takes more', () => {
  expect(flinkInteger('rows', 2 ** 31 - 1, 1)).toBe('2147483647');
  expect(() => flinkInteger('rows', 2 ** 31, 1)).toThrow('rows must be a whole number from 1 to 2147483647, got 2147483648');
  expect(flinkInteger('rows', 2 ** 31, 1, Number.MAX_SAFE_INTEGER)).toBe('2147483648');
  expect(() => flinkInteger('rows', 1e21, 1, Number.MAX_SAFE_INTEGER)).toThrow('from 1 to 9007199254740991, got 1e+21');
});
