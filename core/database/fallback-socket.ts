import { once } from 'node:events';
import { isIP, connect as openSocket, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { type ConnectionOptions, connect as openTls } from 'node:tls';

// PostgreSQL's manual, "Message Formats": SSLRequest, the reply that accepts it, and the type of an ErrorResponse.
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
const ACCEPTED = 'S'.charCodeAt(0);
const ERROR_RESPONSE = 'E'.charCodeAt(0);

/** The options of TLS, or undefined for none. */
type Way = ConnectionOptions | undefined;

/**
 * The socket of a client of node-postgres, which has one attempt only: connects the first way, and the second way if TLS fails
 * or the server's first response is an error, as libpq does for `sslmode=prefer` and `allow`.
 */
export class FallbackSocket extends Duplex {
  readonly #ways: Way[];
  #address = { port: 0, host: '' };
  #socket: Socket | undefined;
  /** The first message, until it has a response. */
  #startup: Buffer | undefined;

  constructor(first: Way, second: Way) {
    super();
    this.#ways = [first, second];
  }

  connect(port: number, host: string): void {
    this.#address = { port, host };
    this.#connectNext().then(
      () => this.emit('connect'),
      (error: Error) => this.destroy(error),
    );
  }

  /** TCP's options are set for each socket. */
  setNoDelay(): void {}
  setKeepAlive(): void {}

  ref(): void {
    this.#socket?.ref();
  }

  unref(): void {
    this.#socket?.unref();
  }

  async #connectNext(): Promise<void> {
    const tls = this.#ways.shift();
    try {
      this.#relay(await this.#open(tls));
    } catch (error) {
      // Without TLS there is no other way to reach a server that can't be reached.
      if (!tls || this.#ways.length === 0 || this.destroyed) throw error;
      await this.#connectNext();
    }
  }

  /** Without TLS also if the server has none. */
  async #open(tls: Way): Promise<Socket> {
    const { host } = this.#address;
    const socket = openSocket({ ...this.#address, noDelay: true, keepAlive: true });
    this.#socket = socket;
    await next(socket, 'connect');
    if (!tls) return socket;
    socket.write(SSL_REQUEST);
    const [reply] = await next(socket, 'data');
    if (reply?.[0] !== ACCEPTED) return socket;
    const secure = openTls({ ...tls, socket, host, ...(isIP(host) === 0 && { servername: host }) });
    this.#socket = secure;
    await next(secure, 'secureConnect');
    return secure;
  }

  #relay(socket: Socket): void {
    const onFirst = (chunk: Buffer) => {
      const startup = this.#startup;
      this.#startup = undefined;
      if (startup && chunk[0] === ERROR_RESPONSE && this.#ways.length > 0) this.#retry(startup, chunk);
      else onData(chunk);
      socket.on('data', onData);
    };
    const onData = (chunk: Buffer) => {
      if (!this.push(chunk)) socket.pause();
    };
    socket.once('data', onFirst);
    socket.on('end', () => this.push(null));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
  }

  /** Keeps the server's error if the other way fails. */
  #retry(startup: Buffer, refusal: Buffer): void {
    this.#socket?.removeAllListeners().destroy();
    this.#connectNext().then(
      () => this.#socket?.write(startup),
      () => {
        this.push(refusal);
        this.push(null);
      },
    );
  }

  override _read(): void {
    this.#socket?.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#startup = chunk;
    this.#socket?.write(chunk, done);
  }

  override _final(done: () => void): void {
    this.#socket?.end(done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket?.destroy();
    done(error);
  }
}

/** The values of the next event. Throws if the connection breaks before. */
async function next(socket: Socket, event: string): Promise<Buffer[]> {
  const over = new AbortController();
  const closed = once(socket, 'close', over).then(() => {
    throw new Error('Connection terminated unexpectedly');
  });
  return Promise.race([once(socket, event, over), closed]).finally(() => over.abort());
}
