import { connect, createServer, type Server, type Socket } from 'net';

/** The Kafka request that ends a transaction: a commit, or an abort. */
const END_TRANSACTION = 26;
const TRANSACTION_ID = /streaming\.[\w.-]+/g;

interface Request {
  readonly client: Socket;
  readonly broker: Socket;
  readonly bytes: Buffer;
}

interface HeldRequest extends Request {
  readonly transaction: string;
}

/** The transaction that a request ends. The name of the client comes first, and keeps the id that its producer began with. */
function transactionOf({ bytes }: Request): string | undefined {
  return bytes.readInt16BE(4) === END_TRANSACTION ? bytes.toString('latin1').match(TRANSACTION_ID)!.at(-1)! : undefined;
}

/**
 * A door before the broker that can hold the requests which end a transaction, so that the moment between a completed checkpoint and
 * its commit lasts as long as a test needs.
 */
export class Gate {
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private readonly held: HeldRequest[] = [];
  private prefix = '';
  private budget = Number.POSITIVE_INFINITY;

  constructor(
    readonly port: number,
    brokerPort: number,
  ) {
    this.server = createServer((client) => {
      const broker = connect(brokerPort, '127.0.0.1');
      for (const [socket, other] of [
        [client, broker],
        [broker, client],
      ] as const) {
        this.sockets.add(socket);
        socket.on('error', () => other.destroy());
        socket.on('close', () => {
          this.sockets.delete(socket);
          other.destroy();
        });
      }
      broker.pipe(client);
      let pending: Buffer = Buffer.alloc(0);
      client.on('data', (bytes: Buffer) => {
        pending = Buffer.concat([pending, bytes]);
        // Each request: its length, then the number of its kind.
        while (pending.length >= 6 && pending.length >= 4 + pending.readInt32BE(0)) {
          const length = 4 + pending.readInt32BE(0);
          this.pass({ client, broker, bytes: pending.subarray(0, length) });
          pending = pending.subarray(length);
        }
      });
    }).listen(port, '127.0.0.1');
  }

  /** Of the transactions whose id begins so, let a number end from now on, and hold the others. */
  public hold(prefix: string, allowed = 0): void {
    this.prefix = prefix;
    this.budget = allowed;
  }

  public get heldRequests(): number {
    return this.heldTransactions.length;
  }

  /** Ids of the transactions that a living process asks to end in vain. */
  public get heldTransactions(): string[] {
    return this.held
      .filter(({ client }) => !client.destroyed)
      .map(({ transaction }) => transaction)
      .sort();
  }

  /** @returns whether those who are connected by now ask for nothing in vain any more. */
  public watchConnected(): () => boolean {
    const connected = new Set(this.sockets);
    return () => !this.held.some(({ client }) => connected.has(client) && !client.destroyed);
  }

  /** Let all pass; what a killed process had asked for is gone with it. */
  public open(): void {
    this.budget = Number.POSITIVE_INFINITY;
    for (const request of this.held.splice(0)) {
      if (!request.client.destroyed) {
        request.broker.write(request.bytes);
      }
    }
  }

  public close(): void {
    this.server.close();
    for (const socket of this.sockets) {
      socket.destroy();
    }
  }

  private pass(request: Request): void {
    const transaction = transactionOf(request);
    if (transaction?.startsWith(this.prefix) && this.budget-- <= 0) {
      this.held.push({ ...request, transaction });
    } else {
      request.broker.write(request.bytes);
    }
  }
}
