import { STATUS_CODES } from 'node:http';
import { type Dispatcher, request as dispatch } from 'undici';
import { type Clock, systemClock } from '../domain/clock.js';
import { connectionError } from './connection-error.js';
import { HttpClientError } from './http-client-error.js';
import type { HttpRequest } from './http-request.js';
import { ACCEPTED_ENCODINGS, isReadable, readBody } from './read-body.js';
import { retryAfterMs } from './retry-after.js';

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

/** Not `AbortSignal.any`: Node 20 keeps all derived signals as long as their source, which in a worker is permanent. */
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
