import { Token } from 'aws-cdk-lib';
import { secretComplaint } from '../../lib/sql/literal-secret';
import { SecretRef } from '../../lib/sql/secret-ref';

const secret = SecretRef.kubernetes('kafka', 'password');
const token = Token.asString({ Ref: 'Password' });

test.each([
  ['password', 'hunter2'],
  ['password', token],
  ['ssl.truststore.password', 'hunter2'],
  ['sasl.oauthbearer.client.credentials.client.secret', 'hunter2'],
  ['sasl.oauthbearer.assertion.private.key.passphrase', 'hunter2'],
  ['ssl.keystore.key', 'hunter2'],
  ['basic.auth.user.info', 'flink:hunter2'],
])('%s is a secret by its name', (option, value) => {
  expect(secretComplaint(option, value, [secret])).toContain(
    `'${option}' is a secret and must not be a literal or a token: give SecretRef`,
  );
  expect(secretComplaint(option, `${secret}`, [secret])).toBeUndefined();
});

test.each([
  'x required username="u" password="hunter2";',
  "x required username='u' password='hunter2';",
  'x required username="u" password=hunter2;',
  `x required username="u" password="${token}";`,
  'x required clientId="u" clientSecret="hunter2";',
  'https://u:hunter2@idp/token',
  'https://idp/token?password=hunter2',
  '-----BEGIN PRIVATE KEY-----',
  '-----BEGIN RSA PRIVATE KEY-----',
])('a value that holds one: %s', (value) => {
  expect(secretComplaint('sasl.jaas.config', value, [])).toMatch(/^'sasl\.jaas\.config' holds a password: give SecretRef/);
});

test.each([
  ['sasl.jaas.config', `x required username="u" password="${secret}";`],
  ['sasl.jaas.config', `x required username="u" password=${secret};`],
  ['sasl.jaas.config', 'x required useKeyTab=true storeKey=true keyTab="/k" principal="p";'],
  ['sasl.oauthbearer.token.endpoint.url', 'https://idp/token'],
  ['sasl.mechanism', 'OAUTHBEARER'],
  ['secret.file', '/etc/secret'],
  ['url', token],
])('no secret: %s = %s', (option, value) => {
  expect(secretComplaint(option, value, [secret])).toBeUndefined();
});

test('a reference that nobody declares', () => {
  expect(secretComplaint('password', `${secret}`, [])).toContain(`refers to '${secret}', which no secret`);
});
