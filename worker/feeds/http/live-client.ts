import { setTimeout as sleep } from 'node:timers/promises';
import { type Dispatcher, request } from 'undici';
import { readBody } from './body.js';
import { faultOf } from './classify-error.js';
import type { HttpAnswer, HttpClient, RequestOptions } from './client.js';
import { type Connections, openConnections, type TlsTrust } from './connections.js';
import { HttpFailure } from './failure.js';
import { addressOf, bodyOf } from './request-text.js';
import { httpAnswer } from './response.js';
import { retryAfterOf, waitBeforeRetry } from './retry.js';

/** Sent with every request that names no other. */
export const userAgent = 'Mozilla/5.0 (compatible; Almanac/0.1; collects published exchange rates)';

/** Times in milliseconds, sizes in bytes. */
export interface WireLimits {
  connect: number;
  /** From the request sent to the first byte of the answer; some archives are written for a minute. */
  firstByte: number;
  /** Between two pieces of a body. */
  idle: number;
  /** One attempt from its start to the last byte. */
  total: number;
  bytes: number;
  connectionsPerHost: number;
  attempts: number;
  /** Before the second attempt; each further one waits about twice as long. */
  backOff: number;
  /** The longest `Retry-After` that is waited for. */
  longestWait: number;
}

export const standardLimits: WireLimits = {
  connect: 10_000,
  firstByte: 120_000,
  idle: 30_000,
  total: 180_000,
  bytes: 32 * 1024 * 1024,
  connectionsPerHost: 2,
  attempts: 4,
  backOff: 500,
  longestWait: 60_000,
};

export interface WireOptions {
  /** Ends everything that is under way, and every wait. */
  signal?: AbortSignal;
  limits?: Partial<WireLimits>;
  /** Where to send what is meant for an origin; how tests stand in for a bank. */
  route?: (origin: string) => string;
  /** Other roots and exceptions than the standard ones. */
  tls?: TlsTrust;
}

/** An HttpClient that speaks to the hosts themselves. */
export interface Wire extends HttpClient {
  /** Closes the kept connections. */
  close(): Promise<void>;
}

/**
 * Opens the client that feeds use in earnest. Faults of the connection, 429 and 5xx are tried again with growing,
 * jittered waits, or as `Retry-After` says; any other status outside 2xx is an HttpFailure, and so is every
 * redirect: a moved page is for an operator to look at.
 */
export function openWire(options: WireOptions = {}): Wire {
  const limits: WireLimits = { ...standardLimits, ...options.limits };
  const connections = openConnections(limits, options.tls);
  const signal = options.signal;

  async function ask(method: 'GET' | 'POST', url: string, how: RequestOptions = {}): Promise<HttpAnswer> {
    const address = addressOf(url, how.query);
    for (let attempt = 1; ; attempt++) {
      try {
        return await askOnce({ method, address, how, limits, connections, route: options.route, signal });
      } catch (error) {
        const failure = faultOf(error, address, signal);
        const wait = waitBeforeRetry(failure, attempt, limits);
        if (wait === undefined) throw failure;
        await pause(wait);
      }
    }
  }

  async function pause(milliseconds: number): Promise<void> {
    try {
      await sleep(milliseconds, undefined, signal ? { signal } : {});
    } catch (error) {
      throw faultOf(error, 'waiting', signal);
    }
  }

  return {
    get: (url, how) => ask('GET', url, how),
    post: (url, how) => ask('POST', url, how),
    pause,
    close: () => connections.close(),
  };
}

interface Attempt {
  method: 'GET' | 'POST';
  address: string;
  how: RequestOptions;
  limits: WireLimits;
  connections: Connections;
  route: ((origin: string) => string) | undefined;
  signal: AbortSignal | undefined;
}

async function askOnce({
  method,
  address,
  how,
  limits,
  connections,
  route,
  signal,
}: Attempt): Promise<HttpAnswer> {
  const url = new URL(address);
  const { body, contentType } = bodyOf(how);
  const headers = {
    accept: '*/*',
    'user-agent': userAgent,
    'accept-encoding': 'gzip, br',
    ...(contentType && { 'content-type': contentType }),
    ...lowerCase(how.headers ?? {}),
    host: url.host,
  };
  const timeLimit = new AbortController();
  const timer = setTimeout(
    () =>
      timeLimit.abort(new HttpFailure('timeout', address, `no whole answer within ${limits.total / 1000} s`)),
    limits.total,
  );
  const stop = () => timeLimit.abort(signal?.reason);
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    const response = await request(`${route ? route(url.origin) : url.origin}${url.pathname}${url.search}`, {
      method,
      headers,
      body: body ?? null,
      dispatcher: await connections.to(url),
      signal: timeLimit.signal,
    });
    await refuseOtherStatus(response, address, how.answers ?? []);
    const bytes = await readBody(response, address, how.maxBytes ?? limits.bytes);
    return httpAnswer({
      url: address,
      status: response.statusCode,
      headers: flatten(response.headers),
      cookies: [response.headers['set-cookie'] ?? []].flat(),
      bytes,
    });
  } catch (error) {
    // An abort shows as undici's own error; its reason says whose it was.
    throw timeLimit.signal.aborted && !signal?.aborted ? timeLimit.signal.reason : error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

async function refuseOtherStatus(
  response: Dispatcher.ResponseData,
  address: string,
  answers: readonly number[],
): Promise<void> {
  const status = response.statusCode;
  if ((status >= 200 && status < 300) || answers.includes(status)) return;
  await response.body.dump({ limit: 64 * 1024 });
  const location = response.headers.location;
  if (status >= 300 && status < 400) {
    throw new HttpFailure(
      'redirect',
      address,
      `answered ${status}, a redirect to ${String(location ?? 'nowhere')}`,
      status,
    );
  }
  throw new HttpFailure(
    'status',
    address,
    `answered ${status}`,
    status,
    retryAfterOf(response.headers['retry-after'], Date.now()),
  );
}

function flatten(headers: Dispatcher.ResponseData['headers']): Map<string, string> {
  return new Map(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value ?? ''].flat().join(', ')]),
  );
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
