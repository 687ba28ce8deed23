import { Stack, Token } from 'aws-cdk-lib';
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { SecretRef } from '../../lib/sql/secret-ref';

const secret = { node: { path: 'Stack/Mongo' }, secretName: Token.asString({ Ref: 'Mongo' }) } as ISecret;

test('a secret prints as a reference that holds no value', () => {
  const password = SecretRef.kubernetes('mysql', 'password');
  expect(password).toMatchObject({ secretName: 'mysql', key: 'password', secret: undefined });
  expect(`${password}`).toMatch(/^\$\{env:SECRET_MYSQL_PASSWORD_[0-9A-F]{6}\}$/);
  expect(SecretRef.secretsManager(secret, 'uri')).toMatchObject({ secretName: undefined, key: 'uri', secret });
});

test('one secret has one variable, two secrets have two', () => {
  const names = [
    SecretRef.kubernetes('a-b', 'c'),
    SecretRef.kubernetes('a', 'b-c'),
    SecretRef.kubernetes('a.b', 'c'),
    SecretRef.secretsManager(secret),
    SecretRef.secretsManager(secret, 'uri'),
    SecretRef.kubernetes('x'.repeat(253), 'y'.repeat(253)),
  ].map(({ variableName }) => variableName);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) {
    expect(name).toMatch(/^SECRET_[A-Z0-9_]{1,40}_[0-9A-F]{6}$/);
  }
  expect(SecretRef.kubernetes('a-b', 'c').variableName).toBe(names[0]);
});

describe('a secret of Secrets Manager', () => {
  const variable = (of: ISecret) => SecretRef.secretsManager(of, 'password').variableName;

  test.each<[string, (stack: Stack, id: string) => ISecret]>([
    ['that is imported by name', (stack, id) => Secret.fromSecretNameV2(stack, id, 'shop/mysql')],
    ['of this app with a name', (stack, id) => new Secret(stack, id, { secretName: 'shop/mysql' })],
  ])('%s is known by its name, wherever its construct lies', (_, create) => {
    expect(variable(create(new Stack(), 'A'))).toMatch(/^SECRET_SHOP_MYSQL_PASSWORD_[0-9A-F]{6}$/);
    expect(variable(create(new Stack(), 'A'))).toBe(variable(create(new Stack(), 'B')));
  });

  test('whose name only the deployment knows is known by its construct', () => {
    const stack = new Stack();
    expect(variable(new Secret(stack, 'A'))).not.toBe(variable(new Secret(stack, 'B')));
  });
});

test.each(['', 'MySQL', 'my_sql', '-a', 'a-', 'a'.repeat(254)])("a Kubernetes secret is not called '%s'", (name) => {
  expect(() => SecretRef.kubernetes(name, 'key')).toThrow(
    `secretName of SecretRef.kubernetes must be up to 253 lower case letters, digits, '-' and '.', as Kubernetes has it, got '${name}'`,
  );
});

test.each(['', 'a b', 'a/b', 'a'.repeat(254)])("a key of a Kubernetes secret is not called '%s'", (key) => {
  expect(() => SecretRef.kubernetes('name', key)).toThrow(
    `key of SecretRef.kubernetes must be up to 253 letters, digits, '-', '_' and '.', as Kubernetes has it, got '${key}'`,
  );
});

test.each([
  ['a', 'a'],
  ['mysql.shop-1', 'tls.Key_1-a'],
  ['a'.repeat(253), 'A'.repeat(253)],
])('a Kubernetes secret may be called %s, with the key %s', (name, key) => {
  expect(SecretRef.kubernetes(name, key)).toMatchObject({ secretName: name, key });
});

test('neither part of a Kubernetes secret is a token: a variable is named after both', () => {
  const token = Token.asString({ Ref: 'Name' });
  expect(() => SecretRef.kubernetes(token, 'key')).toThrow('secretName of SecretRef.kubernetes must be known at synth, got the token');
  expect(() => SecretRef.kubernetes('name', token)).toThrow('key of SecretRef.kubernetes must be known at synth, got the token');
});

test('a Secrets Manager secret is the construct, not its name', () => {
  expect(() => SecretRef.secretsManager('analytics/mysql' as unknown as ISecret)).toThrow(
    'secret of SecretRef.secretsManager must be a Secret of aws-secretsmanager; got text',
  );
});

test('parts that Kubernetes or Secrets Manager cannot hold are refused', () => {
  for (const key of ['.', '..', '', 'a b']) {
    expect(() => SecretRef.kubernetes('mysql', key)).toThrow(/key/);
  }
  expect(() => SecretRef.kubernetes('mysql', '...')).not.toThrow();
});
