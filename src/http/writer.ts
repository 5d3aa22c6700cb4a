import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Clock } from '../../core/domain/dates.js';
import { HttpError, toHttpError } from './errors.js';
import type { Exchange } from './exchange.js';
import {
  type ByteStream,
  type CachePolicy,
  type Coding,
  type Content,
  cacheControlHeader,
  type ErrorForms,
  errorReply,
  etagHeader,
  type HeaderList,
  heldCoding,
  isStream,
  negotiateCoding,
  type Reply,
} from './reply.js';

const EXPOSED =
  'age, etag, ratelimit, ratelimit-policy, retry-after, x-rates-as-of, x-blend-method, x-known-at, x-next-cursor, ' +
  'x-request-id';

/** CORS: any page may call this API. Sent with every response, 304s included. */
export const corsHeaders: HeaderList = [
  'access-control-allow-origin',
  '*',
  'access-control-expose-headers',
  EXPOSED,
];

/** After OWASP's REST security cheat sheet: a browser loads nothing for data and does not show it in a frame. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** No MIME sniffing, and a policy. `strict-transport-security` is left to the proxy, which has the certificate. */
export function securityHeaders(policy = DATA_POLICY): HeaderList {
  return ['x-content-type-options', 'nosniff', 'content-security-policy', policy];
}

export interface WholeReply {
  status: number;
  validity: CachePolicy;
  coding: Coding;
  validityHeaders: HeaderList;
  headers: HeaderList;
  /** A string is sent as Latin-1. */
  body: Buffer | string;
  dataVersion: string | undefined;
}

/** A warning is not repeated within this time. */
const REPEATED_MS = 60_000;
const MOST_WARNINGS = 100;

/** The only code that writes the responses of exchanges. Other requests are refused in server.ts. */
export class Writer {
  readonly #log: Logger;
  readonly #errorForms: ErrorForms;
  readonly #clock: Clock;
  readonly #warned = new LRUCache<string, true>({ max: MOST_WARNINGS, ttl: REPEATED_MS });

  constructor(log: Logger, errorForms: ErrorForms, clock: Clock) {
    this.#log = log;
    this.#errorForms = errorForms;
    this.#clock = clock;
  }

  /** Returns the reply as sent; undefined for a stream, once the system took it. Throws errors of a stream. */
  async send(exchange: Exchange, reply: Reply): Promise<WholeReply | undefined> {
    const { validity, content } = reply;
    const wanted = isUncached(validity)
      ? 'identity'
      : negotiateCoding(exchange.request.headers['accept-encoding']);
    if (content && isStream(content.body)) {
      if (this.sentNotModified(exchange, validity)) await content.body.return();
      else await this.#sendStream(exchange, reply, content.body, wanted);
      return undefined;
    }
    const whole = await this.#encode(reply, wanted);
    this.sendWhole(exchange, whole);
    return whole;
  }

  sendWhole(exchange: Exchange, whole: WholeReply): void {
    const { response, request } = exchange;
    const { validity, coding, validityHeaders: own, body } = whole;
    const held = heldCoding(request.headers['if-none-match'], validity.tag, coding);
    // A 304 has the tag of what the client holds, and no headers about a body (RFC 9110, 15.4.5).
    if (held) {
      const headers = held === coding ? own : validityHeaders(validity, held);
      this.#writeHead(exchange, { status: 304, validity, headers });
    } else this.#writeHead(exchange, whole);
    if (held || request.method === 'HEAD') response.end();
    else response.end(body, 'latin1');
  }

  /** Returns whether it sent a 304. */
  sentNotModified(exchange: Exchange, validity: CachePolicy): boolean {
    const { 'if-none-match': ifNoneMatch, 'accept-encoding': acceptEncoding } = exchange.request.headers;
    if (ifNoneMatch === undefined) return false;
    const coding = heldCoding(ifNoneMatch, validity.tag, negotiateCoding(acceptEncoding));
    if (coding === undefined) return false;
    this.#writeHead(exchange, { status: 304, validity, headers: validityHeaders(validity, coding) });
    exchange.response.end();
    return true;
  }

  /** Sends an error. If the response has begun, its connection is closed instead. */
  sendError(exchange: Exchange, thrown: unknown): void {
    const error = toHttpError(thrown);
    if (error.status >= 500) this.#logFailure(exchange, thrown, error);
    if (exchange.response.headersSent) {
      exchange.response.destroy();
      return;
    }
    const reply = errorReply(error, exchange.request, this.#errorForms);
    this.sendWhole(exchange, this.#wholeOf(reply, reply.content, 'identity'));
  }

  #logFailure({ id }: Exchange, thrown: unknown, { message, cause }: HttpError): void {
    if (!(thrown instanceof HttpError) || cause !== undefined) {
      this.#log.error({ id, err: cause ?? thrown }, message);
      return;
    }
    // Clients retry while it lasts.
    const isRepeated = this.#warned.has(message);
    this.#log[isRepeated ? 'debug' : 'warn']({ id }, message);
    if (!isRepeated) this.#warned.set(message, true);
  }

  async #sendStream(exchange: Exchange, reply: Reply, body: ByteStream, coding: Coding): Promise<void> {
    const { response, request } = exchange;
    this.#writeHead(exchange, this.#wholeOf(reply, reply.content, coding));
    if (request.method !== 'HEAD') return streamBody(exchange, body, coding);
    await body.return();
    response.end();
  }

  #writeHead(
    { response, headersToSend }: Exchange,
    { status, validity, headers }: Pick<WholeReply, 'status' | 'validity' | 'headers'>,
  ): void {
    const life = cacheControlHeader(validity, this.#clock);
    response.writeHead(status, [...headers, ...life, ...headersToSend]);
  }

  async #encode(reply: Reply, wanted: Coding): Promise<WholeReply> {
    const { content } = reply;
    if (!content || isStream(content.body) || wanted === 'identity' || content.body.length < SMALLEST_CODED) {
      return this.#wholeOf(reply, content, 'identity');
    }
    const { body, compressed = {} } = content;
    compressed[wanted] ??= await compress(typeof body === 'string' ? Buffer.from(body) : body, wanted);
    return this.#wholeOf(reply, { ...content, body: compressed[wanted] }, wanted);
  }

  #wholeOf(reply: Reply, content: Content | undefined, coding: Coding): WholeReply {
    const { status = 200, validity, headers = [] } = reply;
    const { body = '' } = content ?? {};
    const bytes = isStream(body) ? '' : body;
    const own = validityHeaders(validity, coding);
    const hasLength = status !== 204 && !isStream(body);
    return {
      status,
      validity,
      coding,
      validityHeaders: own,
      headers: [
        ...own,
        ...headers,
        ...securityHeaders(content?.securityPolicy),
        ...(content ? ['content-type', content.type] : []),
        ...(hasLength ? ['content-length', String(Buffer.byteLength(bytes, 'latin1'))] : []),
        ...codingHeaders(coding),
        ...(content?.headers ?? []),
      ],
      body: bytes,
      dataVersion: reply.dataVersion,
    };
  }
}

function validityHeaders(validity: CachePolicy, coding: Coding): HeaderList {
  const { tag, vary = [] } = validity;
  const varied = isUncached(validity) ? vary : [...vary, 'accept-encoding'];
  return [
    ...(tag === undefined ? [] : ['etag', etagHeader(tag, coding)]),
    ...(varied.length === 0 ? [] : ['vary', varied.join(', ')]),
    ...corsHeaders,
  ];
}

function codingHeaders(coding: Coding): HeaderList {
  return coding === 'identity' ? [] : ['content-encoding', coding];
}

/** Such a reply is never compressed, so it does not vary by coding. */
function isUncached({ cacheControl }: CachePolicy): boolean {
  return cacheControl === 'no-store';
}

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Shorter bodies are not compressed: compressing them costs more than it saves. */
const SMALLEST_CODED = 1024;
/** Quality 5 saves 3 to 8 % of a body of rows but takes two to three times as long. Quality 4 saves nothing. */
const BROTLI_QUALITY = 3;

// A stream is large and compressed for each client.
const STREAM_GZIP_LEVEL = 3;
const STREAM_BROTLI_WINDOW_BITS = 18;

async function compress(body: Buffer, coding: Exclude<Coding, 'identity'>): Promise<Buffer> {
  if (coding === 'gzip') return gzipped(body);
  return brotli(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  });
}

function createCompressor(coding: Exclude<Coding, 'identity'>) {
  if (coding === 'gzip') return createGzip({ level: STREAM_GZIP_LEVEL });
  return createBrotliCompress({
    params: {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: STREAM_BROTLI_WINDOW_BITS,
    },
  });
}

/** Sends chunks as fast as the client reads. An error of the generator closes the connection, and is thrown. */
async function streamBody({ response, signal }: Exchange, chunks: ByteStream, coding: Coding): Promise<void> {
  try {
    // A pipelined response that waits for an earlier one must not take a chunk before its own socket is free.
    if (!response.socket) await once(response, 'socket', { signal });
    if (coding === 'identity') await pipeline(chunks, response, { signal });
    else await pipeline(chunks, createCompressor(coding), response, { signal });
  } catch (error) {
    if (!isDeparture(error)) throw error;
  } finally {
    await chunks.return();
  }
}

const DISCONNECTED = /^(ECONNRESET|EPIPE|ERR_STREAM_DESTROYED|ERR_STREAM_PREMATURE_CLOSE)$/;

function isDeparture(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'AbortError' || ('code' in error && DISCONNECTED.test(String(error.code)));
}
