import { App, Aws, CfnParameter, Lazy, Stack } from 'aws-cdk-lib';
import { literalOnly } from '../../lib/target/literal-only';
import { describeToken } from '../../lib/target/placeholders';

const stack = new Stack(new App(), 'Stack');
const parameter = new CfnParameter(stack, 'Name');
const count = new CfnParameter(stack, 'Count', { type: 'Number' });
const list = new CfnParameter(stack, 'List', { type: 'CommaDelimitedList' });

test('literals pass and are returned', () => {
  const object = { a: [1, 'x', null, { b: true }], c: undefined };
  expect(literalOnly(object, 'ConfigMap')).toBe(object);
});

test.each([
  ['a string', { a: [{ b: `x-${parameter.valueAsString}` }] }, "'a.0.b' of ConfigMap holds reference to 'Stack/Name', known only"],
  ['a number', { n: count.valueAsNumber }, "'n' of ConfigMap holds reference to 'Stack/Count', known only"],
  ['a list', { l: list.valueAsList }, "'l' of ConfigMap holds reference to 'Stack/List', known only"],
  ['an object', { o: Lazy.any({ produce: () => 1 }) }, "'o' of ConfigMap holds a value known only"],
  ['a key', { [parameter.valueAsString]: 1 }, "a key of ConfigMap holds reference to 'Stack/Name'"],
  ['the value itself', parameter.valueAsString, "ConfigMap holds reference to 'Stack/Name'"],
])('%s that is a token is refused by name', (_what, value, message) => {
  expect(() => literalOnly(value, 'ConfigMap')).toThrow(message);
});

test('a token is named by what it refers to', () => {
  expect(describeToken(`${Aws.REGION}-${parameter.valueAsString}`, stack)).toBe("pseudo parameter AWS::Region, reference to 'Stack/Name'");
  expect(describeToken(Lazy.string({ produce: () => parameter.valueAsString }), stack)).toBe("reference to 'Stack/Name'");
  expect(describeToken(parameter.valueAsString)).toBe("reference to 'Stack/Name'");
  expect(describeToken(Aws.REGION)).toBe('a value known only at deployment');
});
