import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, systemClock } from '../../../core/domain/clock.js';
import { HttpClientError } from '../../../core/http-client/http-client-error.js';
import type { HttpRequest } from '../../../core/http-client/http-request.js';
import { sendRequest } from '../../../core/http-client/send-request.js';
import { homepage, softwareVersion } from '../../../core/process/project-files.js';
import type { HttpAnswer, HttpClient, RequestOptions } from './client.js';
import { type Address, openConnections, type TlsTrust } from './connections.js';
import { createPace } from './pace.js';
import { addressOf, bodyOf } from './request-text.js';
import { httpAnswer } from './response.js';
import { createRetries, LONGEST_WAIT_MS, type RetryLimits } from './retries.js';
import { createRevalidation } from './revalidation.js';

/** Milliseconds between two requests to a host, unless its feed says otherwise. */
const PAUSE_MS = 500;

/** Times in milliseconds, sizes in bytes. */
interface HttpClientLimits extends RetryLimits {
  connect: number;
  /** From the request sent to the first byte of the response; some archives are written for a minute. */
  firstByte: number;
  /** Between two chunks of a body. */
  idle: number;
  /** One attempt from its start to the last byte. */
  total: number;
  bytes: number;
  connectionsPerHost: number;
}

const standardLimits: HttpClientLimits = {
  connect: 10_000,
  firstByte: 120_000,
  idle: 30_000,
  total: 180_000,
  bytes: 32 * 1024 * 1024,
  connectionsPerHost: 2,
  attempts: 4,
  backOff: 500,
  longestWait: LONGEST_WAIT_MS,
};

/** Whom a bank can ask about the requests. */
interface Contact {
  url?: string | undefined;
  email?: string | undefined;
}

export interface HttpClientOptions {
  /** Ends everything that is under way, and every wait. */
  signal?: AbortSignal;
  limits?: Partial<HttpClientLimits>;
  /** Where to send what is meant for an origin; how tests stand in for a bank. */
  route?: (origin: string) => string;
  /** Where an origin is reached, in place of what its name resolves to; certificates are checked for the name. */
  address?: (origin: string) => Address;
  /** Other roots and exceptions than the standard ones. */
  tls?: TlsTrust;
  /** Tells when responses came; the system's by default. */
  clock?: Clock;
  /** Who answers for the requests; the project's page by default. */
  contact?: Contact;
}

/** An HttpClient that speaks to the hosts themselves, at once; only what is paced is kept apart. */
export interface LiveHttpClient extends HttpClient {
  /**
   * The client that waits before each request until a set number of milliseconds have passed since the last one to its host, and asks
   * it for one thing at a time, whichever source that is for.
   */
  paced(pauseMs?: number): HttpClient;
  /** Closes the kept connections. */
  close(): Promise<void>;
}

/**
 * Opens the client that feeds use in earnest. Errors of the connection, 429 and 5xx are tried again with growing,
 * jittered waits, or as `Retry-After` says; any other status outside 2xx is an HttpClientError, and so is every
 * redirect: a moved page is for an operator to look at. What was asked for before is asked for conditionally.
 */
export function openHttpClient(given: HttpClientOptions = {}): LiveHttpClient {
  const { signal, route, address, tls, clock = systemClock, contact, ...options } = given;
  const limits: HttpClientLimits = { ...standardLimits, ...options.limits };
  const connections = openConnections({ limits, tls, route, address });
  const withRetries = createRetries(limits, pause);
  const pace = createPace(pause);
  const revalidation = createRevalidation();
  const userAgent = userAgentOf(contact);

  async function send(method: 'GET' | 'POST', url: string, how: RequestOptions = {}): Promise<HttpAnswer> {
    const request = toRequest(method, url, how, userAgent);
    return withRetries(() => sendOnce(request, how));
  }

  async function sendOnce(request: HttpRequest, how: RequestOptions): Promise<HttpAnswer> {
    const conditional = revalidation.conditional(request);
    const response = await sendRequest(conditional, {
      dispatcher: await connections.to(request.url),
      signal,
      timeLimitMs: limits.total,
      maxBytes: how.maxBytes ?? limits.bytes,
      accepts: (status) =>
        (status >= 200 && status < 300) ||
        (status === 304 && conditional !== request) ||
        (how.answers ?? []).includes(status),
      clock,
    });
    const answer = revalidation.resolve(request, response);
    return httpAnswer({ ...answer, url: request.url, receivedAt: clock() });
  }

  async function pause(milliseconds: number): Promise<void> {
    try {
      await sleep(milliseconds, undefined, { signal });
    } catch (cause) {
      const waiting = { method: 'GET', url: 'a wait between requests' } as const;
      throw new HttpClientError('aborted', waiting, 'stopped before it was over', { cause });
    }
  }

  return {
    get: (url, how) => send('GET', url, how),
    post: (url, how) => send('POST', url, how),
    paced: (pauseMs = PAUSE_MS) => {
      const paced = (method: 'GET' | 'POST') => (url: string, how?: RequestOptions) =>
        pace(hostOf(url), pauseMs, () => send(method, url, how));
      return { get: paced('GET'), post: paced('POST') };
    },
    close: () => connections.close(),
  };
}

/** Sites that let only browsers in look for the first word. */
function userAgentOf({ url, email }: Contact = {}): string {
  const version = softwareVersion.split('.').slice(0, 2).join('.');
  const contact = [url, email].filter((one) => one !== undefined).join('; ') || homepage;
  return `Mozilla/5.0 (compatible; Almanac/${version}; collects published exchange rates; +${contact})`;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

function toRequest(method: 'GET' | 'POST', url: string, how: RequestOptions, userAgent: string): HttpRequest {
  const { body, contentType } = bodyOf(how);
  return {
    method,
    url: addressOf(url, how.query),
    body,
    headers: {
      accept: '*/*',
      'user-agent': userAgent,
      ...(contentType && { 'content-type': contentType }),
      ...lowerCase(how.headers ?? {}),
    },
  };
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
