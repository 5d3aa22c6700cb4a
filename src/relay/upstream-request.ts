import type { Dispatcher } from 'undici';
import type { Clock } from '../../core/domain/dates.js';
import { HttpClientError } from '../../core/http-client/http-client-error.js';
import type { HttpRequest } from '../../core/http-client/http-request.js';
import { retryAfterMs, sendRequest } from '../../core/http-client/send-request.js';
import { parseJson } from './parse-body.js';
import { UpstreamError } from './upstream-error.js';

export interface UpstreamRequest<T> {
  /** Below the upstream's base URL, beginning with a slash. */
  path: string;
  /** Percent-encoded; an undefined value is left out. */
  query?: Record<string, string | number | undefined>;
  headers?: Record<string, string>;
  /** Sent as JSON by POST. Without it the request is a GET. */
  json?: unknown;
  /** Statuses besides 200 whose response is parsed, such as a documented 404. */
  accepts?: readonly number[];
  /** Throws an UpstreamError if the body does not have the expected form. */
  parse(response: UpstreamResponse): T;
}

export interface UpstreamResponse {
  status: number;
  /** Undefined if the status is not 200 and the body is not JSON. */
  body: unknown;
  /** From the `retry-after` header. */
  retryAfterMs?: number | undefined;
}

export interface UpstreamConnection {
  baseUrl: string;
  dispatcher: Dispatcher;
  clock: Clock;
  maxBytes: number;
}

const USER_AGENT = 'almanac/0.1 (self-hosted look-up service)';

/** Throws an UpstreamError if there is no usable response. */
export async function sendUpstreamRequest<T>(
  request: UpstreamRequest<T>,
  { baseUrl, ...connection }: UpstreamConnection,
  signal: AbortSignal,
): Promise<T> {
  const { status, bytes, headers } = await sendRequest(toHttpRequest(request, baseUrl), {
    ...connection,
    signal,
    accepts: (given) => given === 200 || (request.accepts ?? []).includes(given),
  }).catch((error: unknown) => {
    throw error instanceof HttpClientError ? toUpstreamError(error) : error;
  });
  return request.parse({
    status,
    body: status === 200 ? parseJson(bytes) : jsonOrNothing(bytes),
    retryAfterMs: retryAfterMs(headers.get('retry-after'), connection.clock().getTime()),
  });
}

/** A proxy may send an error as HTML instead of the upstream's JSON. Then only the status counts. */
function jsonOrNothing(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes);
  } catch (error) {
    if (error instanceof UpstreamError) return undefined;
    throw error;
  }
}

function toHttpRequest(request: UpstreamRequest<unknown>, baseUrl: string): HttpRequest {
  const url = new URL(baseUrl + request.path);
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  const headers = { accept: 'application/json', 'user-agent': USER_AGENT, ...request.headers };
  if (request.json === undefined) return { method: 'GET', url: url.href, headers };
  return {
    method: 'POST',
    url: url.href,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(request.json),
  };
}

/** Drops the cause: its URL reveals what people look up. An aborted signal has thrown a timeout by then. */
function toUpstreamError({
  reason,
  detail,
  status = 0,
  retryAfterMs: coolDownMs,
}: HttpClientError): UpstreamError {
  switch (reason) {
    case 'status':
      return status === 429
        ? new UpstreamError('limited', 'status 429', { coolDownMs })
        : new UpstreamError('status', `status ${status}`, {
            retryable: status >= 500,
            coolDownMs,
          });
    case 'redirect':
      return new UpstreamError('redirect', `status ${status}, not followed`);
    case 'too-large':
      return new UpstreamError('too-large', detail);
    default:
      return new UpstreamError('unreachable', detail, {
        retryable: reason === 'connection' || (reason === 'proxy' && status === 0),
      });
  }
}

/** For an upstream's query or a key. Zero has no sign. */
export function fixed(value: number, decimals: number): string {
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? text.replace('-', '') : text;
}
