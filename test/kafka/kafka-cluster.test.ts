import { App, CfnParameter, Duration, Fn, Stack, Token } from 'aws-cdk-lib';
import { KafkaAuthentication, KafkaStoreType, ScramMechanism } from '../../lib/kafka/kafka-authentication';
import { KafkaCluster, type MskClusterProps, MskClusterType } from '../../lib/kafka/kafka-cluster';
import { isKafkaVersionAtLeast } from '../../lib/kafka/kafka-version';
import { SecretRef } from '../../lib/sql/secret-ref';
import { DeploymentTarget } from '../../lib/target/deployment-target';

const ARN = 'arn:aws-cn:kafka:cn-north-1:123456789012:cluster/orders/8a5b2c3d-1111-2222-3333-444455556666-7';
const password = SecretRef.kubernetes('kafka-user', 'password');

const msk = (props: Partial<MskClusterProps> = {}) =>
  KafkaCluster.msk({ clusterArn: ARN, bootstrapServers: ['b-1.orders:9098'], ...props });
const strimzi = (props: object = {}) =>
  KafkaCluster.strimzi({
    name: 'orders',
    namespace: 'kafka',
    bootstrapServers: ['orders-kafka-bootstrap.kafka:9092'],
    target: DeploymentTarget.manifests({ namespace: 'streaming' }),
    ...props,
  });

describe('authentication', () => {
  test('IAM', () => {
    const cluster = msk();
    expect(cluster.usesIam).toBe(true);
    expect(cluster.clientProperties(false)).toEqual({
      'security.protocol': 'SASL_SSL',
      'sasl.mechanism': 'AWS_MSK_IAM',
      'sasl.jaas.config': 'software.amazon.msk.auth.iam.IAMLoginModule required;',
      'sasl.client.callback.handler.class': 'software.amazon.msk.auth.iam.IAMClientCallbackHandler',
    });
    expect(() => cluster.clientProperties(true)).toThrow("IAM of Amazon MSK does not work with Flink's Kafka SQL connector jar");
  });

  test('SCRAM, in both jars', () => {
    const authentication = KafkaAuthentication.scram({ username: 'flink', password });
    const cluster = strimzi({ authentication });
    const jaas = `scram.ScramLoginModule required username="flink" password="\${env:${password.variableName}}";`;
    expect(cluster.clientProperties(false)).toEqual({
      'security.protocol': 'SASL_SSL',
      'sasl.mechanism': 'SCRAM-SHA-512',
      'sasl.jaas.config': `org.apache.kafka.common.security.${jaas}`,
    });
    expect(cluster.clientProperties(true)['sasl.jaas.config']).toBe(
      `org.apache.flink.kafka.shaded.org.apache.kafka.common.security.${jaas}`,
    );
    expect(cluster.clientSecrets).toEqual([password]);
    expect(cluster.usesIam).toBe(false);
    const older = KafkaAuthentication.scram({ username: 'flink', password, plaintext: true }, ScramMechanism.SHA_256);
    expect(older.clientProperties(false)).toMatchObject({ 'security.protocol': 'SASL_PLAINTEXT', 'sasl.mechanism': 'SCRAM-SHA-256' });
  });

  test('PLAIN, with the user name from a secret and a trust store', () => {
    const usernameSecret = SecretRef.kubernetes('kafka-user', 'username');
    const storePassword = SecretRef.kubernetes('ca', 'password');
    const authentication = KafkaAuthentication.plain({
      usernameSecret,
      password,
      trustStore: { location: '/certs/ca.p12', type: KafkaStoreType.PKCS12, password: storePassword },
    });
    expect(authentication.clientProperties(true)).toEqual({
      'security.protocol': 'SASL_SSL',
      'sasl.mechanism': 'PLAIN',
      'sasl.jaas.config': `org.apache.flink.kafka.shaded.org.apache.kafka.common.security.plain.PlainLoginModule required username="${usernameSecret}" password="${password}";`,
      'ssl.truststore.location': '/certs/ca.p12',
      'ssl.truststore.type': 'PKCS12',
      'ssl.truststore.password': storePassword.toString(),
    });
    expect(authentication.secrets).toEqual([usernameSecret, password, storePassword]);
  });

  test('TLS, mutual TLS, nothing, anything else', () => {
    expect(KafkaAuthentication.tls().clientProperties(true)).toEqual({ 'security.protocol': 'SSL' });
    const mutual = KafkaAuthentication.tls({ keyStore: { location: '/certs/user.p12', keyPassword: password } });
    expect(mutual.clientProperties(false)).toEqual({
      'security.protocol': 'SSL',
      'ssl.keystore.location': '/certs/user.p12',
      'ssl.key.password': password.toString(),
    });
    expect(mutual.secrets).toEqual([password]);
    expect(strimzi().clientProperties(false)).toEqual({ 'security.protocol': 'PLAINTEXT' });
    const custom = KafkaAuthentication.custom({ properties: { 'sasl.mechanism': 'OAUTHBEARER' }, secrets: [password] });
    expect(custom.clientProperties(true)).toEqual({ 'sasl.mechanism': 'OAUTHBEARER' });
    expect(custom.secrets).toEqual([password]);
    expect(() => KafkaAuthentication.custom({ properties: { 'properties.sasl.mechanism': 'X' } })).toThrow(
      "without the 'properties.' prefix",
    );
  });

  test('custom settings hold no literal secret', () => {
    const custom = (properties: { [key: string]: string }) => () => KafkaAuthentication.custom({ properties, secrets: [password] });
    expect(
      custom({
        'sasl.jaas.config': 'x required username="u" password="hunter2";',
        'ssl.truststore.password': 'hunter2',
        'ssl.key.password': Token.asString({ Ref: 'Password' }),
        'sasl.mechanism': 'PLAIN',
      }),
    ).toThrow(
      /^properties of KafkaAuthentication\.custom are wrong:\n {2}- 'sasl\.jaas\.config' holds a password: .*\n {2}- 'ssl\.truststore\.password' is a secret .*\n {2}- 'ssl\.key\.password' is a secret [^\n]*$/,
    );
    expect(custom({ 'ssl.key.password': '${env:SECRET_OTHER}' })).toThrow("refers to '${env:SECRET_OTHER}', which no secret declares");
    expect(
      custom({ 'sasl.jaas.config': `x required username="u" password="${password}";`, 'ssl.key.password': `${password}` }),
    ).not.toThrow();
  });

  test('stores are files of a known kind', () => {
    const tls = (trustStore: object) => () => KafkaAuthentication.tls({ trustStore: trustStore as never, keyStore: trustStore as never });
    expect(tls({ location: '/certs/ca.p12', type: KafkaStoreType.PKCS12 })).not.toThrow();
    expect(tls({ location: Token.asString({ Ref: 'Path' }) })).not.toThrow();
    expect(tls({ location: '/certs/ca.p12', type: 'P12' })).toThrow(
      'type of trustStore must be one of KafkaStoreType.PEM, KafkaStoreType.PKCS12, KafkaStoreType.JKS; got text',
    );
    for (const location of ['certs/ca.p12', '/certs/', '', './ca.p12', 'file:///ca.p12']) {
      expect(tls({ location })).toThrow(`location of trustStore must be the absolute path of a file`);
      expect(() => KafkaAuthentication.tls({ keyStore: { location } })).toThrow(`location of keyStore`);
      expect(() => KafkaAuthentication.plain({ username: 'u', password, trustStore: { location } })).toThrow(`location of trustStore`);
    }
    expect(tls({ location: '/a', password: 'hunter2' })).toThrow('password of trustStore must be a SecretRef');
  });

  test.each([
    [{ password }, 'need either username or usernameSecret, got neither'],
    [{ password, username: 'a', usernameSecret: password }, 'need either username or usernameSecret, got both'],
    [
      { password, username: 'a"b' },
      "must not hold a double quote or a backslash, which have a meaning in a JAAS configuration, got 'a\"b'",
    ],
    [{ password, username: 'a', plaintext: true, trustStore: { location: '/a' } }, 'trustStore has no meaning on a plaintext connection'],
  ])('credentials %#', (credentials, message) => {
    expect(() => KafkaAuthentication.scram(credentials)).toThrow(message);
  });
});

describe('clusters', () => {
  test('a message about brokers shows no password', () => {
    const wrong = () => msk({ bootstrapServers: ['flink:hunter2@b-1:9098'] });
    expect(wrong).toThrow("bootstrapServers must be of the form 'host:port', got '***@b-1:9098'");
  });

  test('defaults', () => {
    const cluster = msk({ bootstrapServers: ['b-1.orders:9098', 'b-2.orders:9098,b-3.orders:9098'] });
    expect(cluster.bootstrapServers).toBe('b-1.orders:9098,b-2.orders:9098,b-3.orders:9098');
    expect(cluster.brokerTransactionMaximum.toMinutes()).toBe(15);
    expect(cluster.brokerCount).toBeUndefined();
    expect(msk({ transactionMaxTimeout: Duration.hours(1), brokerCount: 3 })).toMatchObject({
      brokerTransactionMaximum: Duration.hours(1),
      brokerCount: 3,
    });
  });

  test('an id tells clusters apart, whatever the order of their brokers', () => {
    const own = (...bootstrapServers: string[]) => KafkaCluster.selfManaged({ bootstrapServers }).id;
    expect(own('a:1', 'b:2')).toBe(own('b:2,a:1'));
    const ids = [own('a:1'), own('b:1'), msk().id, msk({ clusterArn: `${ARN}8` }).id, strimzi().id, strimzi({ namespace: 'other' }).id];
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('tokens pass where the deployment resolves them', () => {
    const stack = new Stack(new App(), 'Stack');
    const arn = new CfnParameter(stack, 'Arn').valueAsString;
    const brokers = new CfnParameter(stack, 'Brokers').valueAsString;
    const count = new CfnParameter(stack, 'Count', { type: 'Number' }).valueAsNumber;
    const cluster = msk({ clusterArn: arn, bootstrapServers: [brokers], kafkaVersion: brokers, brokerCount: count });
    expect(cluster.bootstrapServers).toBe(brokers);
    expect(cluster.brokerCount).toBeUndefined();
    expect(cluster.id).toBe(msk({ clusterArn: arn }).id);
    expect(() => msk({ bootstrapServers: Fn.split(',', brokers) })).toThrow(
      'bootstrapServers must be a list, got a token for the whole list',
    );
    expect(() => msk({ transactionMaxTimeout: Duration.seconds(count) })).toThrow('transactionMaxTimeout must be a literal, got a token');
    expect(Token.isUnresolved(strimzi({ name: brokers }).id)).toBe(true);
  });

  test.each([
    [{ bootstrapServers: [] }, "at least one broker as 'host:port', got an empty list"],
    [{ bootstrapServers: ['b-1'] }, "of the form 'host:port', got 'b-1'"],
    [{ bootstrapServers: ['b-1:70000'] }, "of the form 'host:port', got 'b-1:70000'"],
    [{ bootstrapServers: ['https://b-1:9098'] }, "got 'https://b-1:9098'"],
    [{ bootstrapServers: ['a:9098, b:9098'] }, "got ' b:9098'"],
    [{ clusterArn: 'orders' }, "clusterArn must look like 'arn:<partition>:kafka:<region>:<account>:cluster/<name>/<id>', got 'orders'"],
    [{ kafkaVersion: 'latest' }, "kafkaVersion must be a version like '3.6.0' or '3.9.x', got 'latest'"],
    [{ brokerCount: 0 }, 'brokerCount must be a whole number of at least 1, got 0'],
    [{ transactionMaxTimeout: Duration.millis(0) }, 'transactionMaxTimeout must be at least 1 millisecond'],
    [
      { bootstrapServers: ['b-1:9092'] },
      'the PLAINTEXT listener of Amazon MSK, but clients sign in by AWS_MSK_IAM: use the brokers at port 9098',
    ],
    [
      { authentication: KafkaAuthentication.tls() },
      'the AWS_MSK_IAM listener of Amazon MSK, but clients sign in by SSL: use the brokers at port 9094',
    ],
    [
      { clusterType: MskClusterType.SERVERLESS, authentication: KafkaAuthentication.tls() },
      'must be KafkaAuthentication.iam(): it knows no other',
    ],
  ])('msk %#: %j', (props, message) => {
    expect(() => msk(props)).toThrow(message);
  });

  test.each([
    { bootstrapServers: ['[2001:db8::1]:9198'] },
    { bootstrapServers: ['b-1:9094'], authentication: KafkaAuthentication.tls() },
    { bootstrapServers: ['b-1:9096'], authentication: KafkaAuthentication.scram({ username: 'a', password }) },
    { bootstrapServers: ['b-1:9092'], authentication: KafkaAuthentication.unauthenticated() },
    { bootstrapServers: ['b-1:14001'] },
    { clusterArn: ARN.replace('aws-cn', 'aws-us-gov') },
  ])('msk passes %#', (props) => {
    expect(() => msk(props)).not.toThrow();
  });

  test('Strimzi names; IAM belongs to MSK', () => {
    expect(() => strimzi({ name: 'Orders' })).toThrow(
      "name must be a Kubernetes name of up to 253 lower case letters, digits and '-', got 'Orders'",
    );
    expect(() => strimzi({ namespace: '' })).toThrow(
      "namespace must be a Kubernetes name of up to 63 lower case letters, digits and '-', got ''",
    );
    expect(() => strimzi({ authentication: KafkaAuthentication.iam() })).toThrow('KafkaAuthentication.iam() is for Amazon MSK only');
  });

  test.each([
    ['3.6.0', true],
    ['3.5.9', false],
    ['3.10.0', true],
    ['3.6.x', true],
    ['2.8.2.tiered', false],
    ['4.1.x.kraft', true],
    ['3.6', true],
  ])('Kafka %s is at least 3.6.0: %s', (version, expected) => {
    expect(isKafkaVersionAtLeast(version, [3, 6, 0])).toBe(expected);
  });
});
