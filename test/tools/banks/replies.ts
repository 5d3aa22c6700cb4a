import { isUtf8 } from 'node:buffer';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Reply } from '../../../tools/banks/behaviour.js';

const PIECES = 20;
const BLANKS = Buffer.alloc(64 * 1024, ' ');

/** The reply with more headers, or others. */
export function withHeaders(reply: Reply, headers: Reply['headers']): Reply {
  return { ...reply, headers: { ...reply.headers, ...headers } };
}

/** The charset that a text is in; undefined where nothing tells, as of a workbook. */
export function charsetOf({ headers, body }: Reply): string | undefined {
  if (isUtf8(body)) return 'utf-8';
  const start = Buffer.from(body.subarray(0, 2_000)).toString('latin1');
  const [, named] =
    /(?:charset|encoding)\s*=\s*["']?([\w-]+)/i.exec(`${headers['content-type']} ${start}`) ?? [];
  return named;
}

/** The reply with this charset in its header, and with none in it where that is undefined. */
export function withCharset(reply: Reply, charset: string | undefined): Reply {
  const type = String(reply.headers['content-type']).replace(/;\s*charset\s*=[^;]*/i, '');
  return withHeaders(reply, { 'content-type': charset ? `${type}; charset=${charset}` : type });
}

/** The reply with its charset in the page alone, where it is a page or says so already. */
export function withCharsetInPage(reply: Reply): Reply {
  const charset = charsetOf(reply);
  if (!charset) return reply;
  const text = Buffer.from(reply.body).toString('latin1');
  const named = /<meta[^>]*charset/i.test(text)
    ? text
    : text.replace(/<head(\s[^>]*)?>/i, `$&<meta charset="${charset}">`);
  return { ...withCharset(reply, undefined), body: Buffer.from(named, 'latin1') };
}

/** Sends the body in chunks, without its length. */
export async function sendChunks(reply: Reply, response: ServerResponse, pauseMs = 0): Promise<void> {
  response.writeHead(reply.status, reply.headers);
  const size = Math.ceil(reply.body.length / PIECES);
  for (let at = 0; at < reply.body.length; at += size) {
    if (pauseMs > 0) await delay(pauseMs);
    response.write(reply.body.subarray(at, at + size));
  }
  response.end();
}

/** Sends half of the body and closes, before the length or the last chunk that was announced. */
export async function sendHalf(
  { status, headers, body }: Reply,
  response: ServerResponse,
  announces: 'length' | 'chunks',
): Promise<void> {
  response.writeHead(status, {
    ...headers,
    ...(announces === 'length' && { 'content-length': body.length + 1 }),
  });
  response.write(body.subarray(0, body.length / 2), () => response.destroy());
}

/** Sends the body, and never the rest that was announced. */
export async function sendWithoutEnd(
  { status, headers, body }: Reply,
  response: ServerResponse,
): Promise<void> {
  response.writeHead(status, { ...headers, 'content-length': body.length + 1 });
  response.write(body);
}

/** Sends the body, and blanks after it until there are this many bytes, as fast as they are read. */
export async function sendPadded(
  { status, headers, body }: Reply,
  response: ServerResponse,
  bytes: number,
): Promise<void> {
  response.writeHead(status, { ...headers, 'content-length': bytes });
  response.write(body);
  let left = bytes - body.length;
  const more = () => {
    let isRoom = true;
    for (; isRoom && left > 0; left -= BLANKS.length) isRoom = response.write(BLANKS.subarray(0, left));
    if (left <= 0) response.end();
  };
  response.on('drain', more);
  more();
}
