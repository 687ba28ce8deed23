import { App, Aws, CfnParameter, Stack, Stage } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { claim } from '../../lib/target/claim';

const REFUSAL = 'both want the place: share it';

function construct(scope: Construct, id: string) {
  return new Construct(scope.node.tryFindChild('Stack') ?? new Stack(scope, 'Stack'), id);
}

test('a second construct is refused, with both; the first may claim again, and each another key', () => {
  const app = new App();
  const one = construct(app, 'One');
  claim(one, ['place', 'a'], REFUSAL);
  claim(one, ['place', 'a'], REFUSAL);
  const two = construct(app, 'Two');
  expect(() => claim(two, ['place', 'a'], REFUSAL)).toThrow("'Stack/One' and 'Stack/Two' both want the place: share it");
  claim(two, ['place', 'b'], REFUSAL);
  claim(two, ['seat', 'a'], REFUSAL);
});

test('claimants of one construct are told apart by name', () => {
  const one = construct(new App(), 'One');
  claim(one, ['place'], REFUSAL, 'left');
  expect(() => claim(one, ['place'], REFUSAL, 'right')).toThrow('left and right both want the place: share it');
});

test('stages are worlds of their own', () => {
  const app = new App();
  claim(construct(new Stage(app, 'Test'), 'One'), ['place'], REFUSAL);
  expect(() => claim(construct(new Stage(app, 'Prod'), 'One'), ['place'], REFUSAL)).not.toThrow();
});

test('a token is itself within a stack, named in the message, and nothing is known of it in another', () => {
  const app = new App();
  const stack = new Stack(app, 'Stack');
  const [name, other] = ['Name', 'Other'].map((id) => new CfnParameter(stack, id).valueAsString);
  const refusal = `both want '${name}'`;
  claim(new Construct(stack, 'One'), ['place', name!], refusal);
  expect(() => claim(new Construct(stack, 'Two'), ['place', name!], refusal)).toThrow("'Stack/One' and 'Stack/Two' both want '${Name}'");
  expect(() => claim(new Construct(stack, 'Three'), ['place', other!], refusal)).not.toThrow();

  // One token, another value in each stack.
  claim(new Construct(stack, 'Four'), ['place', Aws.STACK_NAME], refusal);
  expect(() => claim(new Construct(new Stack(app, 'Second'), 'Five'), ['place', Aws.STACK_NAME], refusal)).not.toThrow();
});
