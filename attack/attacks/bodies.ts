import { constants, createGzip, gzipSync } from 'node:zlib';
import type { Attack, AttackContext } from '../attack.js';
import { bodiesOf } from '../corpus.js';
import type { Document } from '../openapi-document.js';
import { ask, withConnections } from '../requests.js';

// Bodies that become much more than they are on the way.

const PATH = '/v2/convert';
const CONNECTIONS = 250;
const CLIENTS = 5;
const INFLATED = 1_900_000;
const AT_ONCE = 8;

/** The beginning of a compressed text of almost two megabytes, of which nobody sends the end. */
async function unfinished(): Promise<Buffer> {
  const gzip = createGzip();
  gzip.write(Buffer.alloc(INFLATED, ' '));
  await new Promise<void>((resolve) => gzip.flush(constants.Z_SYNC_FLUSH, resolve));
  return gzip.read() as Buffer;
}

async function sendUnfinished(context: AttackContext): Promise<string> {
  const body = await unfinished();
  const seconds = context.short ? 4 : 20;
  const head = `POST ${PATH} HTTP/1.1\r\nhost: attack\r\ncontent-type: text/csv\r\ncontent-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\n`;
  const text = `${head}${body.length.toString(16)}\r\n${body.toString('latin1')}\r\n`;
  await withConnections(
    context.environment.url,
    { count: CONNECTIONS, clients: CLIENTS },
    async (connections) => {
      for (const connection of connections) connection.write(text);
      await context.pause(seconds * 1_000);
    },
  );
  return `${CONNECTIONS} bodies of ${body.length} bytes that become two megabytes and never end, for ${seconds} s`;
}

async function sendHostile(context: AttackContext): Promise<string> {
  const { url } = context.environment;
  const document = JSON.parse((await ask(url, '/openapi.json')).body) as Document;
  const example = Object.values(document.paths[PATH]?.post?.requestBody?.content ?? {})[0]?.example;
  const bodies = bodiesOf(example).map(({ type, text }) => ({
    type,
    text: gzipSync(text).toString('latin1'),
    name: text.slice(0, 20),
  }));
  const until = performance.now() + (context.short ? 5_000 : 60_000);
  const statuses = new Map<number, number>();
  let next = 0;
  const send = async (_: unknown, lane: number) => {
    while (performance.now() < until) {
      const { type, text, name } = bodies[next++ % bodies.length] ?? { type: '', text: '', name: '' };
      const { status, headers } = await ask(url, PATH, {
        method: 'POST',
        headers: { 'content-type': type, 'content-encoding': 'gzip' },
        body: Buffer.from(text, 'latin1'),
        from: `127.1.1.${1 + lane}`,
      });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const isRefused = status === 503 && headers['retry-after'] !== undefined;
      if (status >= 500 && !isRefused) context.fail(`${type} ${name}…: status ${status}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, send));
  const counts = [...statuses].map(([status, some]) => `${some} x ${status}`);
  return `${next} bodies of two megabytes, compressed: long and quoted lines, blank lines, brackets, deep ones, ${AT_ONCE} at a time: ${counts.join(', ')}`;
}

export const bodies: readonly Attack[] = [
  { name: 'unfinished bodies', run: sendUnfinished },
  { name: 'hostile bodies', run: sendHostile },
];
