import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { SecretRef } from '../../lib/sql/secret-ref';

const secret = { node: { path: 'Stack/Mongo' } } as ISecret;

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

test.each([
  ['', 'key'],
  ['name', ''],
])('a Kubernetes secret needs a name and a key', (name, key) => {
  expect(() => SecretRef.kubernetes(name, key)).toThrow(`a Kubernetes secret needs a name and a key, got name '${name}' and key '${key}'`);
});
