import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import {
  charsetOf,
  made,
  sendChunks,
  sendHalf,
  sendPadded,
  sendWhole,
  sendWithoutEnd,
  withCharset,
  withCharsetInPage,
  withHeaders,
} from './replies.js';
import type { Scenario } from './scenario.js';

const HOUR_MS = 3_600_000;
/** Less than the second that the client is asked to wait, as two clocks are not equal to the millisecond. */
const ALMOST_A_SECOND_MS = 950;
const LARGE_BYTES = 60 * 1024 * 1024;
/** Long before any recording. */
const LAST_MODIFIED = 'Thu, 01 Jan 2026 00:00:00 GMT';

const refused = made(403, '<html><body>Forbidden</body></html>');
const tooMany = made(429, 'too many requests');
const challenge = made(
  200,
  '<!DOCTYPE html><html><head><title>Just a moment...</title></head><body><noscript>Enable JavaScript and cookies to continue</noscript><script src="/challenge"></script></body></html>',
);

/** What banks do, by name. */
export const scenarios = {
  'as-recorded': { does: 'answers as it did when it was recorded', ends: ['right'] },

  'no-intermediate': {
    does: 'leaves out the intermediate certificate',
    ends: ['either'],
    says: /leaves out an intermediate/,
    tls: { leavesOutIntermediate: true },
  },
  'tls-1.2': { does: 'speaks no newer TLS than 1.2', ends: ['right'], tls: { newest: 'TLSv1.2' } },
  'some-resets': {
    does: 'resets every second connection, the first too',
    ends: ['right'],
    resets: (connection) => connection % 2 === 1,
  },
  'all-resets': {
    does: 'resets every connection',
    ends: ['error'],
    says: /ECONNRESET/,
    resets: () => true,
  },

  moved: {
    does: 'redirects to a new address',
    ends: ['error'],
    says: /redirect to https:\/\/moved\.example\//,
    reply: ({ path }) => made(301, '', { location: `https://moved.example${path}` }),
  },
  cookies: {
    does: 'refuses a second request without the cookie of the first',
    ends: ['right'],
    async reply({ headers, count, recorded }) {
      if (count > 1 && !headers.cookie?.includes('visit=')) return refused;
      const reply = await recorded();
      return withHeaders(reply, {
        'set-cookie': [reply.headers['set-cookie'] ?? [], 'visit=1; Path=/; HttpOnly'].flat(),
      });
    },
  },
  'polite-clients': {
    does: 'refuses requests without `accept`, or without a `user-agent` in the form of browsers',
    ends: ['right'],
    reply: ({ headers, recorded }) => (isPolite(headers) ? recorded() : refused),
  },
  'known-browsers': {
    does: 'refuses what is no browser that it knows',
    ends: ['either'],
    says: /status 403/,
    reply: ({ headers, recorded }) =>
      /(Chrome|Firefox|Safari)\//.test(headers['user-agent'] ?? '') ? recorded() : refused,
  },
  challenge: {
    does: 'answers with a challenge page and status 200',
    ends: ['error'],
    reply: () => challenge,
  },
  'later-challenge': {
    does: 'answers all requests but the first with a challenge page and status 200',
    ends: ['either'],
    reply: ({ count, recorded }) => (count === 1 ? recorded() : challenge),
  },

  'some-429': {
    does: 'answers every third request, the first too, with 429',
    ends: ['right'],
    reply: ({ count, recorded }) => (count % 3 === 1 ? tooMany : recorded()),
  },
  'retry-after': {
    does: 'answers for a second with 429 and `retry-after: 1`',
    ends: ['right'],
    reply: ({ elapsed, recorded }) =>
      elapsed < ALMOST_A_SECOND_MS ? withHeaders(tooMany, { 'retry-after': '1' }) : recorded(),
  },
  'all-429': {
    does: 'answers every request with 429',
    ends: ['error'],
    says: /status 429/,
    reply: () => tooMany,
  },
  outage: {
    does: 'answers for an hour with 503 and `retry-after: 3600`',
    ends: ['error', 'right'],
    says: /status 503 .*in 3600 s/,
    reply: ({ elapsed, recorded }) =>
      elapsed < HOUR_MS ? made(503, 'down', { 'retry-after': '3600' }) : recorded(),
  },

  chunked: { does: 'sends bodies in chunks', ends: ['right'], send: (reply, to) => sendChunks(reply, to) },
  slow: {
    does: 'sends bodies in chunks, with a wait before each',
    ends: ['right'],
    send: (reply, to) => sendChunks(reply, to, 3),
  },
  stalled: {
    does: 'stops before the end of a body',
    ends: ['error'],
    says: /in time/,
    limits: { idle: 200, attempts: 1 },
    send: sendWithoutEnd,
  },

  gzip: compressing('gzip', (body) => gzipSync(body)),
  brotli: compressing('br', (body) =>
    brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  ),
  deflate: compressing('deflate', (body) => deflateSync(body)),
  'raw-deflate': {
    ...compressing('deflate', (body) => deflateRawSync(body)),
    does: 'compresses bodies (deflate, without the header that belongs to it)',
    ends: ['either'],
    says: /compressed body is damaged/,
  },

  'charset-in-header': {
    does: 'names the charset of text in the header',
    ends: ['right'],
    async reply({ recorded }) {
      const reply = await recorded();
      return withCharset(reply, charsetOf(reply));
    },
  },
  'charset-in-page': {
    does: 'names the charset of text in the page alone',
    ends: ['right'],
    reply: ({ recorded }) => recorded().then(withCharsetInPage),
  },
  'wrong-charset': {
    does: 'names a wrong charset in the header',
    ends: ['either'],
    async reply({ recorded }) {
      const reply = await recorded();
      const charset = charsetOf(reply);
      return charset ? withCharset(reply, charset === 'utf-8' ? 'iso-8859-1' : 'utf-8') : reply;
    },
  },

  conditional: {
    does: 'answers conditional requests with 304',
    ends: ['right', 'right'],
    async reply({ headers, recorded }) {
      const reply = await recorded();
      const etag = `"${createHash('sha256').update(reply.body).digest('hex')}"`;
      const since = Date.parse(headers['if-modified-since'] ?? '');
      const isKnown = headers['if-none-match']?.includes(etag) ?? since >= Date.parse(LAST_MODIFIED);
      return withHeaders(isKnown ? made(304, '') : reply, { etag, 'last-modified': LAST_MODIFIED });
    },
  },
  'all-304': {
    does: 'answers requests that are not conditional with 304',
    ends: ['error'],
    says: /status 304 to a request that was not conditional/,
    reply: () => made(304, ''),
  },

  'some-cuts': {
    does: 'cuts every third response short, the first too',
    ends: ['right'],
    reply: ({ count, recorded }) => (count % 3 === 1 ? challenge : recorded()),
    send: (reply, to) => (reply === challenge ? sendHalf(reply, to, 'length') : sendWhole(reply, to)),
  },
  'cut-length': {
    does: 'sends half of a body and closes, before the length that it announced',
    ends: ['error'],
    says: /broke before the response was complete/,
    send: (reply, to) => sendHalf(reply, to, 'length'),
  },
  'cut-chunks': {
    does: 'sends half of a body and closes, without a last chunk',
    ends: ['error'],
    says: /broke before the response was complete/,
    send: (reply, to) => sendHalf(reply, to, 'chunks'),
  },
  large: {
    does: 'sends 60 MB',
    ends: ['either'],
    // The few who may send as much are known by their end.
    says: /larger than|cut short/,
    send: (reply, to) => sendPadded(reply, to, LARGE_BYTES),
  },
} as const satisfies Readonly<Record<string, Scenario>>;

export type ScenarioName = keyof typeof scenarios;

function compressing(encoding: string, compress: (body: Uint8Array) => Uint8Array): Scenario {
  return {
    does: `compresses bodies (${encoding}), asked or not`,
    ends: ['right'],
    async reply({ recorded }) {
      const reply = await recorded();
      return { ...withHeaders(reply, { 'content-encoding': encoding }), body: compress(reply.body) };
    },
  };
}

function isPolite(headers: IncomingHttpHeaders): boolean {
  return /^Mozilla\/5\.0 \(/.test(headers['user-agent'] ?? '') && headers.accept !== undefined;
}
