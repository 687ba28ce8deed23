import { Duration, Lazy } from 'aws-cdk-lib';
import { Watermark } from '../../lib/sql/watermark';

// Each of these was planned by Flink 2.2.1; its planner refuses more than three digits in the leading field.
test.each([
  [0, '`t`'],
  [1, "`t` - INTERVAL '0.001' SECOND(1, 3)"],
  [500, "`t` - INTERVAL '0.500' SECOND(1, 3)"],
  [1_000, "`t` - INTERVAL '1' SECOND"],
  [5_000, "`t` - INTERVAL '5' SECOND"],
  [59_050, "`t` - INTERVAL '59.050' SECOND(2, 3)"],
  [60_000, "`t` - INTERVAL '1' MINUTE"],
  [99_000, "`t` - INTERVAL '99' SECOND"],
  [100_000, "`t` - INTERVAL '100' SECOND(3)"],
  [999_999, "`t` - INTERVAL '999.999' SECOND(3, 3)"],
  [1_001_000, "`t` - INTERVAL '0 00:16:41.000' DAY TO SECOND(3)"],
  [3_600_000, "`t` - INTERVAL '1' HOUR"],
  [5_400_000, "`t` - INTERVAL '90' MINUTE"],
  [86_400_000, "`t` - INTERVAL '1' DAY"],
  [8_640_000_000, "`t` - INTERVAL '100' DAY(3)"],
  [90_061_001, "`t` - INTERVAL '1 01:01:01.001' DAY TO SECOND(3)"],
  [86_399_999_999, "`t` - INTERVAL '999 23:59:59.999' DAY(3) TO SECOND(3)"],
])('%d ms of delay', (milliseconds, strategy) => {
  expect(Watermark.delayed('t', Duration.millis(milliseconds))._toSql()).toBe(`WATERMARK FOR \`t\` AS ${strategy}`);
});

test('an ascending time stays one millisecond behind', () => {
  expect(Watermark.ascending('a`b')._toSql()).toBe("WATERMARK FOR `a``b` AS `a``b` - INTERVAL '0.001' SECOND(1, 3)");
});

test('the watermark of the source, and any expression', () => {
  expect(Watermark.fromSource('t')._toSql()).toBe('WATERMARK FOR `t` AS SOURCE_WATERMARK()');
  expect(Watermark.expression('t', "`t` - INTERVAL '1' DAY -- late")._toSql()).toBe(
    "WATERMARK FOR `t` AS `t` - INTERVAL '1' DAY -- late\n",
  );
  expect(() => Watermark.expression('t', '')).toThrow("watermark of column 't' must not be empty");
  expect(() => Watermark.expression('t', 't; --')).toThrow("watermark of column 't' must be one piece of SQL without ';'");
});

test.each([
  [Duration.days(1_000), 'must be a whole number of milliseconds of less than 1,000 days, got 1000 days'],
  [Duration.millis(0.5), 'must be a whole number of milliseconds of less than 1,000 days, got 0.5 millis'],
  [Duration.seconds(Lazy.number({ produce: () => 5 })), 'must be known at synth, got an unresolved token; give a literal duration'],
])('refuses a delay of %s', (delay, message) => {
  expect(() => Watermark.delayed('t', delay)).toThrow(`watermark delay of column 't' ${message}`);
});
