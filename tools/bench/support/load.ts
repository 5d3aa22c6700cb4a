import { connect, type OnReadOpts } from 'node:net';

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
  p99: number;
  bytesPerResponse: number;
  /** Requests that were refused with 503 because of the load, and sent again. They do not count elsewhere. */
  refused: number;
}

const PAUSE_MS = 500;
const LONGEST_REFUSAL_MS = 30_000;
const LONGEST_HEAD = 4096;
const LENGTH = /\r\ncontent-length: *(\d+)/i;

/** One read buffer for all connections: its content is handled before the next read. */
const received = Buffer.alloc(64 * 1024);

process.on('message', (message: Load | 'usage') => {
  if (message === 'usage') return;
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
  let [bytes, next, refused] = [0, 0, 0];
  const from = performance.now() + warmMs;
  const until = from + ms;
  let ended = until;
  const client = () =>
    new Promise<void>((resolve, reject) => {
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
        const length = isSame ? previousLength : lengthOf(response);
        pending = response.length < length ? Buffer.from(response) : undefined;
        if (pending) return;
        const now = performance.now();
        // Work of the measurement before may still be under way.
        if (statusOf(response) === 503 && now < until + LONGEST_REFUSAL_MS) {
          refused++;
          setTimeout(send, PAUSE_MS);
        } else if (statusOf(response) !== status || response.length > length) {
          socket.destroy(new Error(`unexpected response: ${response.toString('latin1', 0, 400)}`));
        } else if (now >= until && latencies.length > 0) {
          socket.destroy();
        } else {
          previousLength = length;
          if (now >= from) {
            latencies.push(now - sentAt);
            bytes += length;
            ended = Math.max(ended, now);
          }
          send();
        }
      };
      const callback: OnReadOpts['callback'] = (size) => {
        read(received.subarray(0, size));
        return true;
      };
      const socket = connect({
        port,
        host: '127.0.0.1',
        noDelay: true,
        onread: { buffer: received, callback },
      });
      socket.on('connect', send);
      socket.on('error', reject);
      socket.on('close', () => resolve());
    });
  await Promise.all(Array.from({ length: connections }, client));
  const sorted = Float64Array.from(latencies).sort();
  return {
    type: 'loaded',
    perSecond: (sorted.length / (ended - from)) * 1000,
    p99: sorted[Math.floor(0.99 * (sorted.length - 1))] ?? 0,
    bytesPerResponse: bytes / sorted.length,
    refused,
  };
}

function statusOf(response: Buffer): number {
  const digit = (index: number) => (response[index] ?? 0) - 48;
  return 100 * digit(9) + 10 * digit(10) + digit(11);
}

/** Total length of a response that is not chunked; infinite while its head is incomplete. */
function lengthOf(response: Buffer): number {
  const text = response.toString('latin1', 0, LONGEST_HEAD);
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return Number.POSITIVE_INFINITY;
  const body = statusOf(response) === 304 ? 0 : Number(LENGTH.exec(text.slice(0, end))?.[1]);
  if (Number.isNaN(body)) throw new Error(`a response without a length: ${text.slice(0, end)}`);
  return end + 4 + body;
}
