import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { CacheHeaders } from './cache-headers.js';
import { compress, SMALLEST_CODED } from './compression.js';
import { type ErrorForms, errorReply, toHttpError } from './error-reply.js';
import { errorBody, HttpError } from './errors.js';
import type { Exchange } from './exchange.js';
import type { HeaderList } from './header-list.js';
import { type ByteStream, type Content, isStream, JSON_TYPE, type Reply } from './reply.js';
import { type CachePolicy, type Coding, etagHeader, heldCoding, negotiateCoding } from './representation.js';
import { streamBody } from './stream-body.js';

const EXPOSED = [
  'age',
  'etag',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'x-rates-as-of',
  'x-blend-method',
  'x-known-at',
  'x-next-cursor',
  'x-request-id',
];

/** CORS: any page may call this API. Sent with every response, a 304 included. */
export const corsHeaders: HeaderList = [
  'access-control-allow-origin',
  '*',
  'access-control-expose-headers',
  EXPOSED.join(', '),
];

/** For data, after OWASP's REST security cheat sheet: a browser loads nothing for it and does not show it in a frame. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

/**
 * Security headers of a body: no sniffing of its type, and the content's own policy or that of data.
 * `strict-transport-security` is left to the proxy, which has the TLS certificate.
 */
export function securityHeaders(policy = DATA_POLICY): HeaderList {
  return ['x-content-type-options', 'nosniff', 'content-security-policy', policy];
}

/** A reply with its complete, compressed body: the same bytes for every equal request. */
export interface WholeReply {
  status: number;
  validity: CachePolicy;
  /** Headers that a 304 repeats, except those of its life, which depend on the time. */
  headers: HeaderList;
  /** Headers about the body. */
  contentHeaders: HeaderList;
  /** A string is sent as Latin-1. */
  body: Buffer | string;
  /** The data version that it was made from, if any. */
  dataVersion: string | undefined;
}

/** The only code that writes heads and bodies of responses. */
export interface Writer {
  /** Sends a 304 if the client has the body of a tag. Returns whether it did. */
  sentNotModified(exchange: Exchange, validity: CachePolicy): boolean;
  /**
   * Sends a reply: a 304 if the client has it, in the negotiated coding, without the body for HEAD. `keep` gets the complete
   * reply before it is sent. Resolves when the body was handed to the system or the client has disconnected; throws the
   * errors of a stream.
   */
  send(exchange: Exchange, reply: Reply, keep?: (whole: WholeReply) => void): Promise<void>;
  /** Sends a finished reply. */
  sendWhole(exchange: Exchange, whole: WholeReply): void;
  /** Sends an error. If the response has begun, its connection is closed. */
  sendError(exchange: Exchange, thrown: unknown): void;
}

export function createWriter(log: Logger, errorForms: ErrorForms, cacheHeaders: CacheHeaders): Writer {
  const { lifeOf, keysOf } = cacheHeaders;

  async function send(exchange: Exchange, reply: Reply, keep?: (whole: WholeReply) => void): Promise<void> {
    const { validity, content } = reply;
    const wanted = isUncached(validity)
      ? 'identity'
      : negotiateCoding(exchange.request.headers['accept-encoding']);
    if (content && isStream(content.body)) {
      const { body } = content;
      if (sentNotModified(exchange, validity)) await body.return();
      else await sendStream(exchange, reply, { ...content, body }, wanted);
      return;
    }
    const whole = await toWhole(reply, wanted);
    keep?.(whole);
    sendWhole(exchange, whole);
  }

  /** An error that a handler meant is told in a line, whatever caused another one with all that is known of it. */
  function noteFailure({ id }: Exchange, thrown: unknown, { message, cause }: HttpError): void {
    if (thrown instanceof HttpError && cause === undefined) log.warn({ id }, message);
    else log.error({ id, err: cause ?? thrown }, message);
  }

  function sendError(exchange: Exchange, thrown: unknown): void {
    const error = toHttpError(thrown);
    if (error.status >= 500) noteFailure(exchange, thrown, error);
    if (exchange.response.headersSent) {
      exchange.response.destroy();
      return;
    }
    const reply = errorReply(error, exchange.request, errorForms);
    sendWhole(exchange, wholeOf(reply, reply.content, 'identity'));
  }

  function sentNotModified(exchange: Exchange, validity: CachePolicy): boolean {
    const { tag } = validity;
    const { 'if-none-match': ifNoneMatch, 'accept-encoding': acceptEncoding } = exchange.request.headers;
    if (tag === undefined || ifNoneMatch === undefined) return false;
    const coding = heldCoding(ifNoneMatch, tag, negotiateCoding(acceptEncoding));
    if (coding === undefined) return false;
    writeNotModified(exchange, validity, validityHeaders(validity, coding));
    return true;
  }

  function sendWhole(exchange: Exchange, whole: WholeReply): void {
    const { response, request, headersToSend } = exchange;
    const { status, validity, headers, contentHeaders, body } = whole;
    const { tag } = validity;
    const ifNoneMatch = request.headers['if-none-match'];
    if (ifNoneMatch !== undefined && tag !== undefined && heldCoding(ifNoneMatch, tag)) {
      writeNotModified(exchange, validity, headers);
      return;
    }
    response.writeHead(status, [...headers, ...lifeOf(validity), ...contentHeaders, ...headersToSend]);
    if (request.method === 'HEAD') response.end();
    else response.end(body, 'latin1');
  }

  /** A 304 has the headers of the reply and of this exchange, and none about a body (RFC 9110, 15.4.5). */
  function writeNotModified(
    { response, headersToSend }: Exchange,
    validity: CachePolicy,
    headers: HeaderList,
  ): void {
    response.writeHead(304, [...headers, ...lifeOf(validity), ...headersToSend]);
    response.end();
  }

  async function sendStream(
    exchange: Exchange,
    reply: Reply,
    { type, body, headers = [], securityPolicy }: Content & { body: ByteStream },
    coding: Coding,
  ): Promise<void> {
    const { response, request, headersToSend } = exchange;
    response.writeHead(reply.status ?? 200, [
      ...validityHeaders(reply.validity, coding),
      ...(reply.headers ?? []),
      ...lifeOf(reply.validity),
      ...securityHeaders(securityPolicy),
      'content-type',
      type,
      ...codingHeaders(coding),
      ...headers,
      ...headersToSend,
    ]);
    if (request.method !== 'HEAD') return streamBody(exchange, body, coding);
    await body.return();
    response.end();
  }

  async function toWhole(reply: Reply, wanted: Coding): Promise<WholeReply> {
    const { content } = reply;
    if (!content || isStream(content.body) || wanted === 'identity' || content.body.length < SMALLEST_CODED) {
      return wholeOf(reply, content, 'identity');
    }
    const body =
      content.compressed?.[wanted] ??
      (await compress(typeof content.body === 'string' ? Buffer.from(content.body) : content.body, wanted));
    return wholeOf(reply, { ...content, body }, wanted);
  }

  function wholeOf(reply: Reply, content: Content | undefined, coding: Coding): WholeReply {
    const { status = 200, validity, headers = [] } = reply;
    const body = content && !isStream(content.body) ? content.body : '';
    return {
      status,
      validity,
      headers: [...validityHeaders(validity, coding), ...headers],
      contentHeaders: [
        ...securityHeaders(content?.securityPolicy),
        ...(content ? ['content-type', content.type] : []),
        ...(status === 204 ? [] : ['content-length', String(Buffer.byteLength(body, 'latin1'))]),
        ...codingHeaders(coding),
        ...(content?.headers ?? []),
      ],
      body,
      dataVersion: reply.dataVersion,
    };
  }

  /** The headers that a 200 and its 304 share, besides those of its life and of the reply. */
  function validityHeaders(validity: CachePolicy, coding: Coding): HeaderList {
    const { tag, vary = [] } = validity;
    const varied = isUncached(validity) ? vary : [...vary, 'accept-encoding'];
    return [
      ...(tag === undefined ? [] : ['etag', etagHeader(tag, coding)]),
      ...(varied.length === 0 ? [] : ['vary', varied.join(', ')]),
      ...keysOf(validity),
      ...corsHeaders,
    ];
  }

  return { sentNotModified, send, sendWhole, sendError };
}

function codingHeaders(coding: Coding): HeaderList {
  return coding === 'identity' ? [] : ['content-encoding', coding];
}

/** Whether caching is forbidden. Such a reply is never compressed, and so does not vary by coding. */
function isUncached({ cacheControl }: CachePolicy): boolean {
  return cacheControl === 'no-store';
}

/** Responds on the socket to what is no complete request: not HTTP, too large, or too slow. */
export function refuseConnection(socket: Socket, error: HttpError): void {
  const { headers, body } = refusal(error);
  const lines = [`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`];
  for (let index = 0; index < headers.length; index += 2)
    lines.push(`${headers[index]}: ${headers[index + 1]}`);
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** Refuses a request that no route may see, after the responses before it, and closes the connection. */
export function refuseRequest(response: ServerResponse, error: HttpError): void {
  const { headers, body } = refusal(error);
  response.writeHead(error.status, headers);
  response.end(body);
}

function refusal(error: HttpError): { headers: string[]; body: string } {
  const body = JSON.stringify(errorBody(error));
  const headers = [
    'content-type',
    JSON_TYPE,
    'content-length',
    String(Buffer.byteLength(body)),
    'cache-control',
    'no-store',
    ...Object.entries(error.headers).flat(),
    ...corsHeaders,
    ...securityHeaders(),
    'connection',
    'close',
  ];
  return { headers, body };
}
