import { type ChildProcess, spawn } from 'child_process';
import { openSync } from 'fs';
import { createServer, type IncomingMessage, request, type Server } from 'http';
import { emulatorPython } from '../../deploy/emulator';
import { freePorts } from '../kafka/free-ports';

/** A value of an item, as DynamoDB writes it. */
export interface Attribute {
  readonly S?: string;
}

/** The job's client signs for this region where the endpoint is an address: the name of the real one tells the region. */
const S3_REGION = 'us-east-1';

/** An emulator of DynamoDB and S3, with a door before it for the job that keeps which actions it asks for. */
export class Amazon {
  public static async start(log: string, account: string, region: string): Promise<Amazon> {
    const [port, doorPort] = await freePorts(2);
    const output = openSync(log, 'w');
    const emulator = spawn(await emulatorPython(), ['-m', 'ministack'], {
      env: { ...process.env, BIND_HOST: '127.0.0.1', GATEWAY_PORT: String(port), SERVICES: 'dynamodb,s3' },
      stdio: ['ignore', output, output],
    });
    const amazon = new Amazon(emulator, port!, doorPort!, account, region);
    await amazon.ready();
    return amazon;
  }

  /** IAM actions that the job's requests needed, with the resource of each. */
  public readonly actions = new Map<string, Set<string>>();
  private readonly door: Server;

  private constructor(
    private readonly emulator: ChildProcess,
    private readonly port: number,
    private readonly doorPort: number,
    private readonly account: string,
    private readonly region: string,
  ) {
    this.door = createServer((incoming, outgoing) => {
      for (const [action, resource] of actionsOf(incoming)) {
        this.actions.set(action, (this.actions.get(action) ?? new Set()).add(resource));
      }
      const forwarded = request({ host: '127.0.0.1', port, method: incoming.method, path: incoming.url, headers: incoming.headers });
      forwarded.on('response', (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.rawHeaders);
        answer.pipe(outgoing);
      });
      forwarded.on('error', () => outgoing.destroy());
      // A killed process leaves its request behind.
      outgoing.on('error', () => forwarded.destroy());
      incoming.pipe(forwarded);
    }).listen(doorPort, '127.0.0.1');
  }

  /** Where the job finds both services. */
  public get endpoint(): string {
    return `http://127.0.0.1:${this.doorPort}`;
  }

  /** What Pod Identity would give to the pods; the emulator takes the key for the account. */
  public get credentials(): { [name: string]: string } {
    return { AWS_ACCESS_KEY_ID: this.account, AWS_SECRET_ACCESS_KEY: 'of the emulator' };
  }

  public async createTable(name: string, key: string): Promise<void> {
    await this.dynamoDb('CreateTable', {
      TableName: name,
      KeySchema: [{ AttributeName: key, KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: key, AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
    });
  }

  public async putItem(table: string, item: { [name: string]: Attribute }): Promise<void> {
    await this.dynamoDb('PutItem', { TableName: table, Item: item });
  }

  public async createBucket(name: string): Promise<void> {
    await this.call('s3', S3_REGION, `/${name}`, { method: 'PUT' });
  }

  /** Keys of the objects in a bucket. */
  public async objects(bucket: string): Promise<string[]> {
    const text = await this.call('s3', S3_REGION, `/${bucket}?list-type=2`, {});
    return [...text.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key]) => key!);
  }

  public async close(): Promise<void> {
    this.door.closeAllConnections();
    this.door.close();
    const ended = new Promise((resolve) => this.emulator.on('exit', resolve));
    this.emulator.kill('SIGKILL');
    await ended;
  }

  private async dynamoDb(operation: string, body: object): Promise<void> {
    const headers = { 'x-amz-target': `DynamoDB_20120810.${operation}`, 'content-type': 'application/x-amz-json-1.0' };
    await this.call('dynamodb', this.region, '/', { method: 'POST', headers, body: JSON.stringify(body) });
  }

  private async call(service: string, region: string, path: string, init: RequestInit): Promise<string> {
    const authorization = `AWS4-HMAC-SHA256 Credential=${this.account}/20260101/${region}/${service}/aws4_request, SignedHeaders=host, Signature=0`;
    const answer = await fetch(`http://127.0.0.1:${this.port}${path}`, { ...init, headers: { authorization, ...init.headers } });
    const text = await answer.text();
    if (!answer.ok) {
      throw new Error(`${service} ${path}: ${answer.status} ${text}`);
    }
    return text;
  }

  private async ready(): Promise<void> {
    for (let attempt = 0; attempt < 120; attempt++) {
      const answer = await fetch(`http://127.0.0.1:${this.port}/_ministack/health`).catch(() => undefined);
      if (answer?.ok) {
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    throw new Error('the emulator does not answer');
  }
}

/** The IAM actions that a request needs, each with its resource. */
function actionsOf({ method, url, headers }: IncomingMessage): [action: string, resource: string][] {
  const target = headers['x-amz-target'];
  if (typeof target === 'string') {
    return [[`dynamodb:${target.split('.')[1]}`, '']];
  }
  const { pathname, searchParams } = new URL(url!, 'http://s3');
  const [, bucket, key] = /^\/([^/]*)\/?(.*)$/.exec(decodeURIComponent(pathname))!;
  const has = (name: string) => searchParams.has(name);
  if (!key) {
    const read = has('location') ? 'GetBucketLocation' : has('uploads') ? 'ListBucketMultipartUploads' : 'ListBucket';
    const action = method === 'POST' && has('delete') ? 'DeleteObject' : method === 'GET' || method === 'HEAD' ? read : `${method} ${url}`;
    return [[`s3:${action}`, `${bucket}?${searchParams.get('prefix') ?? ''}`]];
  }
  const resource = `${bucket}/${key}`;
  const source = headers['x-amz-copy-source'];
  switch (method) {
    case 'GET':
    case 'HEAD':
      return [[has('uploadId') ? 's3:ListMultipartUploadParts' : 's3:GetObject', resource]];
    case 'DELETE':
      return [[has('uploadId') ? 's3:AbortMultipartUpload' : 's3:DeleteObject', resource]];
    default:
      // Every step of an upload in parts needs the permission to put the object.
      return [
        ['s3:PutObject', resource],
        ...(source === undefined ? [] : ([['s3:GetObject', String(source).replace(/^\//, '')]] as [string, string][])),
      ];
  }
}
