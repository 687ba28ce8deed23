import { Token } from 'aws-cdk-lib';
import { secretComplaint } from '../sql/literal-secret';
import { MAP, oneOf, requireProps, SECRET, TEXT } from '../sql/required-props';
import type { SecretRef } from '../sql/secret-ref';

/** How a key or trust store is written. */
export enum KafkaStoreType {
  /** Certificates and keys as text: what cert-manager and Strimzi hand out. */
  PEM = 'PEM',
  /** PKCS #12: `.p12`. */
  PKCS12 = 'PKCS12',
  /** Java key store, the default of Kafka: `.jks`. */
  JKS = 'JKS',
}

/** A key or trust store: a file in the pods of the job. */
export interface KafkaStore {
  /** Absolute path of the file in the job's containers: in the image, or from a Secret by `pod.secretMounts` of the job. */
  readonly location: string;
  /** How the file is written. @default KafkaStoreType.JKS */
  readonly type?: KafkaStoreType;
  /** Password of the file. @default - none */
  readonly password?: SecretRef;
  /** Password of the private key within a key store. @default - none */
  readonly keyPassword?: SecretRef;
}

/** How the connection is encrypted. */
export interface KafkaTlsProps {
  /** Certificates to trust, for a cluster with a certificate authority of its own (Strimzi). @default - those of the JVM */
  readonly trustStore?: KafkaStore;
  /** Key and certificate of the client, for mutual TLS. @default - the client has none */
  readonly keyStore?: KafkaStore;
}

/** How SCRAM hashes the password. */
export enum ScramMechanism {
  /** SHA-512, the only one of Amazon MSK. */
  SHA_512 = 'SCRAM-SHA-512',
  /** SHA-256. */
  SHA_256 = 'SCRAM-SHA-256',
}

/** User name and password. */
export interface KafkaCredentials {
  /** User name as a literal. @default - `usernameSecret` */
  readonly username?: string;
  /** User name from a secret: in Amazon MSK both stand in one. @default - `username` */
  readonly usernameSecret?: SecretRef;
  /** The password. It must not hold a double quote or a backslash, which have a meaning in a JAAS configuration. */
  readonly password: SecretRef;
  /** Certificates to trust. @default - those of the JVM */
  readonly trustStore?: KafkaStore;
  /** Whether the connection is not encrypted. @default false */
  readonly plaintext?: boolean;
}

/** Client settings of your own. */
export interface KafkaClientSettings {
  /**
   * Kafka client options without the `properties.` prefix: `security.protocol`. A secret stands in a value as the text of
   * its reference (`secret.toString()`).
   */
  readonly properties: { [key: string]: string };
  /** The secrets that the values refer to. @default - none */
  readonly secrets?: SecretRef[];
}

/** Package that Flink's SQL connector jar moves Kafka's own classes into. */
const SHADED = 'org.apache.flink.kafka.shaded.';

/** How a Kafka client proves who it is, and whether the connection is encrypted. */
export class KafkaAuthentication {
  /**
   * IAM of Amazon MSK, over TLS. The grants of topics give the permissions.
   *
   * It works with Flink's thin Kafka connector only: in the SQL connector jar the interfaces that the IAM login module
   * implements have other names.
   */
  public static iam(): KafkaAuthentication {
    return new KafkaAuthentication([], true, () => ({
      'security.protocol': 'SASL_SSL',
      'sasl.mechanism': 'AWS_MSK_IAM',
      'sasl.jaas.config': 'software.amazon.msk.auth.iam.IAMLoginModule required;',
      'sasl.client.callback.handler.class': 'software.amazon.msk.auth.iam.IAMClientCallbackHandler',
    }));
  }

  /**
   * User name and password by SCRAM: the secrets of Amazon MSK, the `KafkaUser`s of Strimzi.
   *
   * @param credentials user name and password
   * @param mechanism how the password is hashed
   * @default mechanism - SCRAM-SHA-512
   */
  public static scram(credentials: KafkaCredentials, mechanism?: ScramMechanism): KafkaAuthentication {
    return KafkaAuthentication.sasl(
      credentials,
      mechanism ?? ScramMechanism.SHA_512,
      'org.apache.kafka.common.security.scram.ScramLoginModule',
    );
  }

  /**
   * User name and password by SASL/PLAIN: API keys of hosted Kafka.
   *
   * @param credentials user name and password
   */
  public static plain(credentials: KafkaCredentials): KafkaAuthentication {
    return KafkaAuthentication.sasl(credentials, 'PLAIN', 'org.apache.kafka.common.security.plain.PlainLoginModule');
  }

  /**
   * TLS: encrypted, and with a key store also authenticated.
   *
   * @param props stores
   * @default props - the certificates that the JVM trusts, no client certificate
   */
  public static tls(props?: KafkaTlsProps): KafkaAuthentication {
    checkStore('trustStore', props?.trustStore);
    checkStore('keyStore', props?.keyStore);
    return new KafkaAuthentication([...storeSecrets(props?.trustStore), ...storeSecrets(props?.keyStore)], false, () => ({
      'security.protocol': 'SSL',
      ...storeProperties('ssl.truststore', props?.trustStore),
      ...storeProperties('ssl.keystore', props?.keyStore),
    }));
  }

  /** Nothing is proven, nothing is encrypted. */
  public static unauthenticated(): KafkaAuthentication {
    return new KafkaAuthentication([], false, () => ({ 'security.protocol': 'PLAINTEXT' }));
  }

  /**
   * Any other client settings: OAUTHBEARER, Kerberos.
   *
   * @param settings client options and the secrets in them
   */
  public static custom(settings: KafkaClientSettings): KafkaAuthentication {
    requireProps('KafkaAuthentication.custom', settings, { properties: MAP });
    const prefixed = Object.keys(settings.properties).find((key) => key.startsWith('properties.'));
    if (prefixed) {
      throw new Error(`Kafka client options are given without the 'properties.' prefix, got '${prefixed}'`);
    }
    const complaints = Object.entries(settings.properties).flatMap(
      ([key, value]) => secretComplaint(key, value, settings.secrets ?? []) ?? [],
    );
    if (complaints.length > 0) {
      throw new Error(['properties of KafkaAuthentication.custom are wrong:', ...complaints].join('\n  - '));
    }
    return new KafkaAuthentication(settings.secrets ?? [], false, () => ({ ...settings.properties }));
  }

  private static sasl(credentials: KafkaCredentials, mechanism: string, loginModule: string): KafkaAuthentication {
    requireProps('Kafka credentials', credentials, { 'username?': TEXT, 'usernameSecret?': SECRET, password: SECRET });
    const { username, usernameSecret, password, trustStore, plaintext } = credentials;
    checkStore('trustStore', trustStore);
    if ((username === undefined) === (usernameSecret === undefined)) {
      throw new Error(`Kafka credentials need either username or usernameSecret, got ${username === undefined ? 'neither' : 'both'}`);
    }
    if (username !== undefined && /["\\]/.test(username)) {
      throw new Error(
        `username must not hold a double quote or a backslash, which have a meaning in a JAAS configuration, got '${username}'`,
      );
    }
    if (plaintext && trustStore) {
      throw new Error('trustStore has no meaning on a plaintext connection: remove one of them');
    }
    return new KafkaAuthentication(
      [...(usernameSecret ? [usernameSecret] : []), password, ...storeSecrets(trustStore)],
      false,
      (prefix) => ({
        'security.protocol': plaintext ? 'SASL_PLAINTEXT' : 'SASL_SSL',
        'sasl.mechanism': mechanism,
        'sasl.jaas.config': `${prefix}${loginModule} required username="${username ?? usernameSecret}" password="${password}";`,
        ...storeProperties('ssl.truststore', trustStore),
      }),
    );
  }

  private constructor(
    /** Secrets that the client settings refer to. */
    public readonly secrets: SecretRef[],
    /** Whether clients sign in with IAM of Amazon MSK. */
    public readonly usesIam: boolean,
    private readonly properties: (prefix: string) => { [key: string]: string },
  ) {}

  /**
   * Client options without the `properties.` prefix of table options.
   *
   * @param shaded whether the job runs Flink's SQL connector jar, in which Kafka's login modules have another name
   */
  public clientProperties(shaded: boolean): { [key: string]: string } {
    if (shaded && this.usesIam) {
      throw new Error(
        "IAM of Amazon MSK does not work with Flink's Kafka SQL connector jar: use the thin connector, kafka-clients and aws-msk-iam-auth",
      );
    }
    return this.properties(shaded ? SHADED : '');
  }
}

function checkStore(prop: string, store: KafkaStore | undefined): void {
  if (store === undefined) {
    return;
  }
  requireProps(prop, store, {
    location: TEXT,
    'type?': oneOf('KafkaStoreType', KafkaStoreType),
    'password?': SECRET,
    'keyPassword?': SECRET,
  });
  if (!Token.isUnresolved(store.location) && !/^\/[^\s]*[^\s/]$/.test(store.location)) {
    throw new Error(
      `location of ${prop} must be the absolute path of a file in the job's containers such as '/opt/flink/certificates/ca.p12', got '${store.location}'`,
    );
  }
}

function storeProperties(prefix: string, store: KafkaStore | undefined): { [key: string]: string } {
  if (!store) {
    return {};
  }
  return {
    [`${prefix}.location`]: store.location,
    ...(store.type && { [`${prefix}.type`]: store.type }),
    ...(store.password && { [`${prefix}.password`]: store.password.toString() }),
    ...(store.keyPassword && { 'ssl.key.password': store.keyPassword.toString() }),
  };
}

function storeSecrets(store: KafkaStore | undefined): SecretRef[] {
  return [store?.password, store?.keyPassword].filter((secret) => secret !== undefined);
}
