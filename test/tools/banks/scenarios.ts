import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { type Behaviour, made, sendWhole } from '../../../tools/banks/behaviour.js';
import type { HttpClientOptions } from '../../../worker/feeds/http/live-client.js';
import {
  charsetOf,
  sendChunks,
  sendHalf,
  sendPadded,
  sendWithoutEnd,
  withCharset,
  withCharsetInPage,
  withHeaders,
} from './replies.js';

/** How a reading has to end: with the rows that were recorded, or with an error. */
type Ending = 'right' | 'error';

/** What banks do, and what a reading makes of it. */
export interface Scenario extends Behaviour {
  /** How each reading has to end, one after the other; an hour passes between two. */
  ends: readonly Ending[];
  /** The banks whose readings end otherwise. */
  except?: Readonly<Record<string, Ending>>;
  /** What an error has to say. */
  says?: RegExp;
  /** Shorter limits, where a client would wait for them. */
  limits?: HttpClientOptions['limits'];
}

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

/** By what the bank does. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  'answers as recorded': { ends: ['right'] },

  'leaves out the intermediate certificate': {
    ends: ['error'],
    // One speaks plain HTTP; the other is known for it.
    except: { MNB: 'right', RBV: 'right' },
    says: /leaves out an intermediate/,
    tls: { leavesOutIntermediate: true },
  },
  'speaks no newer TLS than 1.2': { ends: ['right'], tls: { newest: 'TLSv1.2' } },
  'resets every second connection, the first too': {
    ends: ['right'],
    resets: (connection) => connection % 2 === 1,
  },
  'resets every connection': { ends: ['error'], says: /ECONNRESET/, resets: () => true },

  'redirects to a new address': {
    ends: ['error'],
    says: /redirect to https:\/\/moved\.example\//,
    reply: ({ path }) => made(301, '', { location: `https://moved.example${path}` }),
  },
  'refuses a second request without the cookie of the first': {
    ends: ['right'],
    async reply({ headers, count, recorded }) {
      if (count > 1 && !headers.cookie?.includes('visit=')) return refused;
      const reply = await recorded();
      return withHeaders(reply, {
        'set-cookie': [reply.headers['set-cookie'] ?? [], 'visit=1; Path=/; HttpOnly'].flat(),
      });
    },
  },
  'refuses requests without accept, or without a user-agent in the form of browsers': {
    ends: ['right'],
    reply: ({ headers, recorded }) => (isPolite(headers) ? recorded() : refused),
  },
  'refuses what is no browser that it knows': {
    ends: ['error'],
    says: /status 403/,
    reply: ({ headers, recorded }) =>
      /(Chrome|Firefox|Safari)\//.test(headers['user-agent'] ?? '') ? recorded() : refused,
  },
  'answers with a challenge page and status 200': { ends: ['error'], reply: () => challenge },
  'answers all requests but the first with a challenge page and status 200': {
    ends: ['right'],
    except: { NBC: 'error', BCN: 'error' },
    reply: ({ count, recorded }) => (count === 1 ? recorded() : challenge),
  },

  'answers every third request, the first too, with 429': {
    ends: ['right'],
    reply: ({ count, recorded }) => (count % 3 === 1 ? tooMany : recorded()),
  },
  'answers for a second with 429 and retry-after': {
    ends: ['right'],
    reply: ({ elapsed, recorded }) =>
      elapsed < ALMOST_A_SECOND_MS ? withHeaders(tooMany, { 'retry-after': '1' }) : recorded(),
  },
  'answers every request with 429': { ends: ['error'], says: /status 429/, reply: () => tooMany },
  'answers for an hour with 503 and retry-after': {
    ends: ['error', 'right'],
    says: /status 503 .*in 3600 s/,
    reply: ({ elapsed, recorded }) =>
      elapsed < HOUR_MS ? made(503, 'down', { 'retry-after': '3600' }) : recorded(),
  },

  'sends bodies in chunks': { ends: ['right'], send: (reply, to) => sendChunks(reply, to) },
  'sends bodies in chunks, with a wait before each': {
    ends: ['right'],
    send: (reply, to) => sendChunks(reply, to, 3),
  },
  'stops before the end of a body': {
    ends: ['error'],
    says: /in time/,
    limits: { idle: 200, attempts: 1 },
    send: sendWithoutEnd,
  },

  'compresses bodies as gzip': compressing('gzip', (body) => gzipSync(body)),
  'compresses bodies as brotli': compressing('br', (body) =>
    brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  ),
  'compresses bodies as deflate': compressing('deflate', (body) => deflateSync(body)),
  'compresses bodies as deflate, without the header that belongs to it': {
    ...compressing('deflate', (body) => deflateRawSync(body)),
    ends: ['error'],
    says: /compressed body is damaged/,
  },

  'names the charset of text in the header': {
    ends: ['right'],
    async reply({ recorded }) {
      const reply = await recorded();
      return withCharset(reply, charsetOf(reply));
    },
  },
  'names the charset of text in the page alone': {
    ends: ['right'],
    reply: ({ recorded }) => recorded().then(withCharsetInPage),
  },
  'names a wrong charset in the header': {
    ends: ['right'],
    async reply({ recorded }) {
      const reply = await recorded();
      const charset = charsetOf(reply);
      return charset ? withCharset(reply, charset === 'utf-8' ? 'iso-8859-1' : 'utf-8') : reply;
    },
  },

  'answers conditional requests with 304': {
    ends: ['right', 'right'],
    async reply({ headers, recorded }) {
      const reply = await recorded();
      const etag = `"${createHash('sha256').update(reply.body).digest('hex')}"`;
      const since = Date.parse(headers['if-modified-since'] ?? '');
      const isKnown = headers['if-none-match']?.includes(etag) ?? since >= Date.parse(LAST_MODIFIED);
      return withHeaders(isKnown ? made(304, '') : reply, { etag, 'last-modified': LAST_MODIFIED });
    },
  },
  'answers requests that are not conditional with 304': {
    ends: ['error'],
    says: /status 304 to a request that was not conditional/,
    reply: () => made(304, ''),
  },

  'cuts every third response short, the first too': {
    ends: ['right'],
    reply: ({ count, recorded }) => (count % 3 === 1 ? challenge : recorded()),
    send: (reply, to) => (reply === challenge ? sendHalf(reply, to, 'length') : sendWhole(reply, to)),
  },
  'sends half of a body and closes, before the length that it announced': {
    ends: ['error'],
    says: /broke before the response was complete/,
    send: (reply, to) => sendHalf(reply, to, 'length'),
  },
  'sends half of a body and closes, without a last chunk': {
    ends: ['error'],
    says: /broke before the response was complete/,
    send: (reply, to) => sendHalf(reply, to, 'chunks'),
  },
  'sends 60 MB': {
    ends: ['error'],
    // The few who may send as much are known by their end.
    says: /larger than|cut short/,
    send: (reply, to) => sendPadded(reply, to, LARGE_BYTES),
  },
};

function compressing(encoding: string, compress: (body: Uint8Array) => Uint8Array): Scenario {
  return {
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
