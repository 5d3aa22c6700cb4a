import { connect, type OnReadOpts, type Socket } from 'node:net';

// The clients, as a process of its own. It does as little as can be for a request, so that the server is what is
// measured: requests are laid out beforehand, and of an answer only the status and the length are read.

/** Requests to be made over some connections, each asking again as soon as it has its answer. */
export interface Load {
  type: 'load';
  port: number;
  connections: number;
  /** Whole requests, taken by turns. */
  requests: readonly string[];
  /** What every answer must have. */
  status: number;
  /** Time before counting begins. */
  warmMs: number;
  /** Time of counting, longer where not one answer comes in it. */
  ms: number;
}

export interface LoadResult {
  type: 'loaded';
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  bytesPerAnswer: number;
}

/** What one of them has just received: it is looked at before the next one reads. */
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
  const from = performance.now() + warmMs;
  const until = from + ms;
  let ended = until;
  const client = (): Promise<void> =>
    new Promise((resolve, reject) => {
      let asked = 0;
      let held: Buffer | undefined;
      // Of the answer before: most are as long, and need no reading then.
      let usual = 0;
      const ask = () => {
        asked = performance.now();
        socket.write(encoded[next++ % encoded.length] ?? '');
      };
      const read = (chunk: Buffer) => {
        const answer = held ? Buffer.concat([held, chunk]) : chunk;
        const isUsual = answer.length === usual && statusOf(answer) === status;
        const head = isUsual ? { status, length: usual } : readHead(answer);
        if (!head || answer.length < head.length) {
          held = Buffer.from(answer);
          return;
        }
        held = undefined;
        if (head.status !== status || answer.length > head.length) {
          reject(new Error(`unexpected answer: ${answer.toString('latin1', 0, 400)}`));
          socket.destroy();
          return;
        }
        usual = head.length;
        const now = performance.now();
        if (now >= until && latencies.length > 0) {
          socket.destroy();
          return;
        }
        if (now >= from) {
          latencies.push(now - asked);
          bytes += answer.length;
          ended = Math.max(ended, now);
        }
        ask();
      };
      const onread: OnReadOpts = {
        buffer: received,
        callback: (length) => {
          read(received.subarray(0, length));
          return true;
        },
      };
      const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true, onread });
      socket.on('connect', ask);
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
    bytesPerAnswer: bytes / sorted.length,
  };
}

/** The three digits behind `HTTP/1.1 `. */
function statusOf(answer: Buffer): number {
  const digit = (index: number) => (answer[index] ?? 0) - 48;
  return 100 * digit(9) + 10 * digit(10) + digit(11);
}

const LONGEST_HEAD = 4096;
const LENGTH = /\r\ncontent-length: *(\d+)/i;

/** Status and length, head included, of an answer whose body is not chunked; undefined where the head isn't whole. */
function readHead(answer: Buffer): { status: number; length: number } | undefined {
  const text = answer.toString('latin1', 0, LONGEST_HEAD);
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const status = statusOf(answer);
  const body = status === 304 ? 0 : Number(LENGTH.exec(text.slice(0, end))?.[1]);
  if (Number.isNaN(body)) throw new Error(`an answer without a length: ${text.slice(0, end)}`);
  return { status, length: end + 4 + body };
}
