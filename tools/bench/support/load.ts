import { connect, type OnReadOpts, type Socket } from 'node:net';

// The load generator, a separate process. It does as little work as possible for a request, so that the server is what
// limits the rate: requests are encoded beforehand, and of a response only the status and the length are read.

/** Requests over parallel connections. Each connection sends the next one as soon as it has its response. */
export interface Load {
  type: 'load';
  port: number;
  connections: number;
  /** Complete requests, sent in rotation. */
  requests: readonly string[];
  /** The status that every response must have. */
  status: number;
  /** Milliseconds before counting starts. */
  warmMs: number;
  /** Milliseconds of counting, more if no response arrives in that time. */
  ms: number;
}

export interface LoadResult {
  type: 'loaded';
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  bytesPerResponse: number;
  /** Requests that were refused with 503, as too much was asked for at once, and were sent again. They are not counted otherwise. */
  refused: number;
}

/** Before a refused request is sent again. */
const PAUSE_MS = 500;
/** How long a server may refuse all that it is asked. */
const LONGEST_REFUSAL_MS = 30_000;

/** One read buffer for all connections: its content is handled before the next read. */
const received = Buffer.alloc(64 * 1024);

process.on('message', (message: Load | 'usage') => {
  if (typeof message !== 'object' || message.type !== 'load') return;
  run(message).then(
    (result) => process.send?.(result),
    (error: Error) => {
      process.stderr.write(`${error.stack}\n`);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit());

async function run({ port, connections, requests, status, warmMs, ms }: Load): Promise<LoadResult> {
  const encoded = requests.map((request) => Buffer.from(request, 'latin1'));
  const latencies: number[] = [];
  let bytes = 0;
  let next = 0;
  let refused = 0;
  const from = performance.now() + warmMs;
  const until = from + ms;
  let ended = until;
  const client = (): Promise<void> =>
    new Promise((resolve, reject) => {
      let sentAt = 0;
      let pending: Buffer | undefined;
      // Length of the previous response. Most have the same length, and their head need not be parsed.
      let previousLength = 0;
      const send = () => {
        sentAt = performance.now();
        socket.write(encoded[next++ % encoded.length] ?? '');
      };
      const read = (chunk: Buffer) => {
        const response = pending ? Buffer.concat([pending, chunk]) : chunk;
        const isSame = response.length === previousLength && statusOf(response) === status;
        const head = isSame ? { status, length: previousLength } : readHead(response);
        if (!head || response.length < head.length) {
          pending = Buffer.from(response);
          return;
        }
        pending = undefined;
        // Work of the measurement before may still be under way.
        if (head.status === 503 && performance.now() < until + LONGEST_REFUSAL_MS) {
          refused++;
          setTimeout(send, PAUSE_MS);
          return;
        }
        if (head.status !== status || response.length > head.length) {
          reject(new Error(`unexpected response: ${response.toString('latin1', 0, 400)}`));
          socket.destroy();
          return;
        }
        previousLength = head.length;
        const now = performance.now();
        if (now >= until && latencies.length > 0) {
          socket.destroy();
          return;
        }
        if (now >= from) {
          latencies.push(now - sentAt);
          bytes += response.length;
          ended = Math.max(ended, now);
        }
        send();
      };
      const onread: OnReadOpts = {
        buffer: received,
        callback: (length) => {
          read(received.subarray(0, length));
          return true;
        },
      };
      const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true, onread });
      socket.on('connect', send);
      socket.on('error', reject);
      socket.on('close', () => resolve());
    });
  await Promise.all(Array.from({ length: connections }, client));
  const sorted = Float64Array.from(latencies).sort();
  const quantile = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return {
    type: 'loaded',
    perSecond: (sorted.length / (ended - from)) * 1000,
    p50: quantile(0.5),
    p99: quantile(0.99),
    bytesPerResponse: bytes / sorted.length,
    refused,
  };
}

/** The three digits after `HTTP/1.1 `. */
function statusOf(response: Buffer): number {
  const digit = (index: number) => (response[index] ?? 0) - 48;
  return 100 * digit(9) + 10 * digit(10) + digit(11);
}

const LONGEST_HEAD = 4096;
const LENGTH = /\r\ncontent-length: *(\d+)/i;

/** Status and total length of a response that is not chunked; undefined while its head is incomplete. */
function readHead(response: Buffer): { status: number; length: number } | undefined {
  const text = response.toString('latin1', 0, LONGEST_HEAD);
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const status = statusOf(response);
  const body = status === 304 ? 0 : Number(LENGTH.exec(text.slice(0, end))?.[1]);
  if (Number.isNaN(body)) throw new Error(`a response without a length: ${text.slice(0, end)}`);
  return { status, length: end + 4 + body };
}
