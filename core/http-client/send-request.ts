import { STATUS_CODES } from 'node:http';
import { PassThrough, type Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { type Dispatcher, request as dispatch } from 'undici';
import { type Clock, systemClock } from '../domain/dates.js';
import { connectionError, HttpClientError } from './http-client-error.js';
import type { HttpRequest } from './http-request.js';

export interface ReceivedResponse {
  status: number;
  /** In lower case. The values of a repeated header are joined by commas. */
  headers: ReadonlyMap<string, string>;
  cookies: readonly string[];
  /** Decompressed. */
  bytes: Uint8Array;
}

export interface SendOptions {
  dispatcher: Dispatcher;
  /** Whether to return a response with this status. Every other status causes an HttpClientError. */
  accepts(status: number): boolean;
  /** The maximum size of the body, in decompressed bytes. */
  maxBytes: number;
  /** Milliseconds from the start to the last byte. Default: that of the signal. */
  timeLimitMs?: number;
  signal?: AbortSignal | undefined;
  /** The clock for a date in `retry-after`. Default: the system's. */
  clock?: Clock;
}

const DISCARDED_BYTES = 64 * 1024;

/** Sends once, without following redirects. Throws an HttpClientError if there is no accepted response. */
export async function sendRequest(request: HttpRequest, options: SendOptions): Promise<ReceivedResponse> {
  const limit = limitTime(options.timeLimitMs, options.signal);
  try {
    return await receive(request, options, limit.signal);
  } catch (error) {
    throw toHttpClientError(error, request, limit.signal);
  } finally {
    limit.clear();
  }
}

async function receive(
  request: HttpRequest,
  options: SendOptions,
  signal: AbortSignal | undefined,
): Promise<ReceivedResponse> {
  const {
    statusCode: status,
    headers,
    body,
  } = await dispatch(request.url, {
    method: request.method,
    headers: { 'accept-encoding': ACCEPTED_ENCODINGS, ...request.headers },
    body: request.body ?? null,
    dispatcher: options.dispatcher,
    ...(signal && { signal }),
  });
  const encoding = joined(headers['content-encoding']);
  const rejection = options.accepts(status)
    ? unreadable(encoding, request)
    : rejectedStatus(request, status, headers, options.clock ?? systemClock);
  if (rejection) {
    await body.dump({ limit: DISCARDED_BYTES });
    throw rejection;
  }
  const bytes = await readBody(body, encoding, options.maxBytes).catch((error: unknown) => {
    throw signal?.aborted ? error : connectionError(error, request, status);
  });
  if (!bytes) {
    const detail = `the body is larger than ${options.maxBytes} bytes`;
    throw new HttpClientError('too-large', request, detail, { status });
  }
  return {
    status,
    headers: new Map(Object.entries(headers).map(([name, value]) => [name, joined(value)])),
    cookies: [headers['set-cookie'] ?? []].flat(),
    bytes,
  };
}

function unreadable(encoding: string, request: HttpRequest): HttpClientError | undefined {
  if (isReadable(encoding)) return undefined;
  return new HttpClientError('malformed', request, `the body is compressed in an unknown way (${encoding})`);
}

function rejectedStatus(
  request: HttpRequest,
  status: number,
  headers: Dispatcher.ResponseData['headers'],
  clock: Clock,
): HttpClientError {
  if (status === 304) {
    const detail = 'responded with status 304 to a request that was not conditional';
    return new HttpClientError('status', request, detail, { status });
  }
  if (status >= 300 && status < 400) {
    const location = joined(headers.location) || 'nowhere';
    const detail = `responded with status ${status}, a redirect to ${location.slice(0, 500)}`;
    return new HttpClientError('redirect', request, detail, { status });
  }
  const waitMs = retryAfterMs([headers['retry-after'] ?? []].flat()[0], clock().getTime());
  const name = STATUS_CODES[status] ? ` (${STATUS_CODES[status]})` : '';
  const wait = waitMs === undefined ? '' : `, to be asked again in ${Math.ceil(waitMs / 1_000)} s`;
  return new HttpClientError('status', request, `responded with status ${status}${name}${wait}`, {
    status,
    retryAfterMs: waitMs,
  });
}

function joined(value: string | string[] | undefined): string {
  return [value ?? []].flat().join(', ');
}

function toHttpClientError(
  error: unknown,
  request: HttpRequest,
  signal: AbortSignal | undefined,
): HttpClientError {
  if (error instanceof HttpClientError) return error;
  // undici throws its own error on an abort. The cause is the signal's reason.
  if (!signal?.aborted) return connectionError(error, request);
  return signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError'
    ? new HttpClientError('timeout', request, signal.reason.message)
    : new HttpClientError('aborted', request, 'stopped before the response was complete');
}

/** Not `AbortSignal.any`: Node 20 may lose a timeout that only the derived signal refers to, and keeps what it derives. */
function limitTime(timeLimitMs: number | undefined, source: AbortSignal | undefined) {
  if (timeLimitMs === undefined) return { signal: source, clear: () => {} };
  const controller = new AbortController();
  const timer = setTimeout(() => {
    const message = `no complete response within ${timeLimitMs / 1_000} s`;
    controller.abort(new DOMException(message, 'TimeoutError'));
  }, timeLimitMs);
  const stop = () => controller.abort(source?.reason);
  if (source?.aborted) stop();
  source?.addEventListener('abort', stop, { once: true });
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer);
      source?.removeEventListener('abort', stop);
    },
  };
}

const ACCEPTED_ENCODINGS = 'gzip, br';

const decompressors: Readonly<Record<string, () => Transform>> = {
  '': () => new PassThrough(),
  identity: () => new PassThrough(),
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  br: () => createBrotliDecompress(),
  deflate: () => createInflate(),
};

export function isReadable(encoding: string): boolean {
  return Object.hasOwn(decompressors, normalized(encoding));
}

/** Decompressed; undefined if larger than the limit. Throws errors of the connection and zlib. */
export async function readBody(
  body: Readable,
  encoding: string,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) {
      size += chunk.length;
      if (size > maxBytes) return;
      chunks.push(chunk);
    }
  };
  try {
    await pipeline(body, decompressors[normalized(encoding)]?.() ?? new PassThrough(), collect);
  } catch (error) {
    // Destroying a body before its end emits a connection error.
    if (size <= maxBytes) throw error;
  }
  return size > maxBytes ? undefined : Buffer.concat(chunks, size);
}

function normalized(encoding: string): string {
  return encoding.trim().toLowerCase();
}

const SECOND_MS = 1_000;

/** RFC 9110, 10.2.3; `now` in milliseconds since 1970. Libraries for it throw, or read the system's clock. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * SECOND_MS;
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return undefined;
  // The oldest of the three date formats has no time zone. All three are in GMT.
  const instant = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(instant) ? undefined : Math.max(0, instant - now);
}
