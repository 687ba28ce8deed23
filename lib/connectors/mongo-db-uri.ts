import { Token } from 'aws-cdk-lib';
import { secretComplaint } from '../sql/literal-secret';
import { redacted } from '../sql/redacted';
import { LIST, requireProps, SECRET } from '../sql/required-props';
import type { SecretRef } from '../sql/secret-ref';
import { textOption } from './typed-value';

/** The seeds of a MongoDB deployment and how to talk to it. */
export interface MongoDbSeedList {
  /** Members that the driver asks first, as `host` or `host:port`. */
  readonly hosts: string[];
  /** Name of the replica set. @default - none: a sharded cluster or a single server */
  readonly replicaSet?: string;
  /**
   * How many members must have a write before it counts: `majority`, a number from `1`, or a custom write concern of the
   * deployment. A write that fewer have can be rolled back after a failover.
   * @default - that of the server, `majority` since MongoDB 5
   */
  readonly writeConcern?: string;
  /** Whether connections are encrypted. @default false */
  readonly tls?: boolean;
  /** Further options of the connection string, such as `retryWrites`. @default - none */
  readonly options?: { [key: string]: string };
}

/** A MongoDB connection string. */
export class MongoDbUri {
  /**
   * A connection string without credentials, which may be read by anybody.
   *
   * @param seeds hosts and options
   * @see https://www.mongodb.com/docs/manual/reference/connection-string/
   */
  public static seedList(seeds: MongoDbSeedList): MongoDbUri {
    requireProps('MongoDbUri.seedList', seeds, { hosts: LIST });
    if (seeds.hosts.length === 0) {
      throw new Error('hosts must name one member at least, got none');
    }
    seeds.hosts.forEach(checkHost);
    checkWriteConcern(seeds.writeConcern);
    const options: [string, string][] = Object.entries(seeds.options ?? {});
    options.forEach(([key, value]) => {
      checkOption(key, value);
    });
    const parameters: [string, string | undefined][] = [
      ['replicaSet', seeds.replicaSet],
      ['w', seeds.writeConcern],
      ['tls', seeds.tls === undefined ? undefined : `${seeds.tls}`],
      ...options,
    ];
    const query = parameters
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => `${key}=${encode(textOption(`'${key}' of the MongoDB URI`, value!))}`)
      .join('&');
    return new MongoDbUri(`mongodb://${seeds.hosts.join(',')}/${query === '' ? '' : `?${query}`}`, []);
  }

  /**
   * A whole connection string from a secret, for a deployment that asks for a user and a password.
   *
   * @param secret where the connection string is: `mongodb://user:password@host:port/?…` or `mongodb+srv://…`
   */
  public static fromSecret(secret: SecretRef): MongoDbUri {
    requireProps('MongoDbUri.fromSecret', { secret }, { secret: SECRET });
    return new MongoDbUri(`${secret}`, [secret]);
  }

  private constructor(
    private readonly uri: string,
    /**
     * Secrets that the string refers to.
     *
     * @internal
     */
    public readonly _secrets: SecretRef[],
  ) {}

  /** The connection string as a table option. */
  public toString(): string {
    return this.uri;
  }
}

/** Options that a property sets, in lower case, as the driver compares them. */
const TYPED: { [option: string]: string } = { replicaset: 'replicaSet', w: 'writeConcern', tls: 'tls', ssl: 'tls' };

function checkHost(host: string): void {
  textOption('host', host);
  if (Token.isUnresolved(host)) {
    return;
  }
  if (host.includes('@')) {
    throw new Error('host must not hold a user name or password; keep the whole URI in a secret: MongoDbUri.fromSecret(…)');
  }
  const parts = /^([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::(\d{1,5}))?$/.exec(host);
  if (!parts || (parts[2] !== undefined && (Number(parts[2]) < 1 || Number(parts[2]) > 65_535))) {
    throw new Error(`host must be 'host' or 'host:port', got '${redacted(host)}'`);
  }
}

function checkWriteConcern(writeConcern: string | undefined): void {
  if (writeConcern === '0') {
    throw new Error("writeConcern must not be '0': the sink would not hear of a failed write and lose the rows; use '1' or 'majority'");
  }
}

function checkOption(key: string, value: string): void {
  const prop = TYPED[key.toLowerCase()];
  if (prop !== undefined) {
    throw new Error(`options of the MongoDB URI must not hold '${key}', got '${value}'; use ${prop}`);
  }
  if (!/^[A-Za-z][A-Za-z0-9.]*$/.test(key)) {
    throw new Error(`options of the MongoDB URI must have names such as 'retryWrites', got '${key}'`);
  }
  if (/password/i.test(key) || secretComplaint(key, value, []) !== undefined || /AWS_SESSION_TOKEN:/.test(value)) {
    throw new Error(`options of the MongoDB URI must not hold '${key}'; keep the whole URI in a secret: MongoDbUri.fromSecret(…)`);
  }
}

/** A token holds characters that must stay as they are until it is resolved. */
function encode(value: string): string {
  return Token.isUnresolved(value) ? value : encodeURIComponent(value);
}
