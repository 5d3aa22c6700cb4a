import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { createSemaphore } from '../../../core/concurrency/semaphore.js';
import { type Clock, systemClock } from '../../../core/domain/dates.js';
import { HttpClientError } from '../../../core/http-client/http-client-error.js';
import { type ReceivedResponse, sendRequest } from '../../../core/http-client/send-request.js';
import { homepage, softwareVersion } from '../../../core/process/project-files.js';
import { clientOf, type HttpAnswer, type HttpClient, isAccepted } from './client.js';
import { type ConnectionOptions, openConnections } from './connections.js';
import type { FeedRequest } from './request.js';
import { httpAnswer } from './response.js';
import { LONGEST_WAIT_MS, type RetryLimits, withRetries } from './retries.js';

const PAUSE_MS = 500;

/** Times in milliseconds, sizes in bytes. */
const standardLimits = {
  connect: 10_000,
  firstByte: 120_000,
  idle: 30_000,
  /** One attempt from its start to the last byte. */
  total: 180_000,
  bytes: 32 * 1024 * 1024,
  connectionsPerHost: 2,
  attempts: 4,
  backOff: 500,
  longestWait: LONGEST_WAIT_MS,
} satisfies RetryLimits & Record<string, number>;

export interface HttpClientOptions extends Omit<ConnectionOptions, 'limits'> {
  /** Aborts all running requests and waits. */
  signal?: AbortSignal | undefined;
  limits?: Partial<typeof standardLimits> | undefined;
  /** The clock for the arrival of responses. Default: the system's. */
  clock?: Clock;
  /** The URL or e-mail address of who is responsible for the requests. Default: the project's page. */
  contact?: string | undefined;
}

/** An HttpClient that sends requests to the hosts themselves, without delay unless `paced`. */
export type LiveHttpClient = ReturnType<typeof openHttpClient>;

/**
 * Opens the client for live sources. Retries connection errors, 429 and 5xx. Any other status outside 2xx is an
 * HttpClientError, including redirects, as an operator should look at a moved page.
 */
export function openHttpClient(given: HttpClientOptions = {}) {
  const { signal, proxies, address, tls, clock = systemClock, contact, ...options } = given;
  const limits = { ...standardLimits, ...options.limits };
  const dispatcher = openConnections({ limits, proxies, tls, address });
  const pace = createPace(pause);
  const revalidate = createRevalidation();
  const userAgent = userAgentOf(contact);

  async function send(given: FeedRequest): Promise<HttpAnswer> {
    const headers = { accept: '*/*', 'user-agent': userAgent, ...given.headers };
    return withRetries(limits, pause, () => sendOnce({ ...given, headers }));
  }

  async function sendOnce(request: FeedRequest): Promise<HttpAnswer> {
    const answer = await revalidate(request, (conditional) =>
      sendRequest(conditional, {
        dispatcher,
        signal,
        timeLimitMs: limits.total,
        maxBytes: request.maxBytes ?? limits.bytes,
        accepts: (status) => isAccepted(status, request) || (status === 304 && conditional !== request),
        clock,
      }),
    );
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
    ...clientOf(send),
    /** Sends one request to a host at a time, each this many milliseconds after the previous one, across all sources. */
    paced: (pauseMs = PAUSE_MS): HttpClient =>
      clientOf((request) => pace(hostOf(request.url), pauseMs, () => send(request))),
    close: () => dispatcher.destroy(),
  };
}

/** Sites that only admit browsers check the first word. */
function userAgentOf(contact = homepage): string {
  const version = softwareVersion.split('.').slice(0, 2).join('.');
  return `Mozilla/5.0 (compatible; Almanac/${version}; collects published exchange rates; +${contact})`;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** Sends one request to a host at a time, each some milliseconds after the end of the previous one, across all sources. */
function createPace(wait: (milliseconds: number) => Promise<void>) {
  const turns = createSemaphore({ permits: Number.POSITIVE_INFINITY, permitsPerKey: 1 });
  const endedAt = new Map<string, number>();
  return <T>(host: string, pauseMs: number, send: () => Promise<T>): Promise<T> => {
    const sendInTurn = async () => {
      const left = (endedAt.get(host) ?? Number.NEGATIVE_INFINITY) + pauseMs - performance.now();
      if (left > 0) await wait(left);
      try {
        return await send();
      } finally {
        endedAt.set(host, performance.now());
      }
    };
    return turns.run(sendInTurn, { key: host });
  };
}

/** The maximum total bytes of stored bodies. Banks' files have up to 8 MB. */
const MOST_BYTES = 48 * 1024 * 1024;
const LARGEST_BODY = 16 * 1024 * 1024;

/** Stores responses with a validator (RFC 9110, 8.8) by request. Never responds without asking the source. */
function createRevalidation() {
  const kept = new LRUCache<string, ReceivedResponse>({
    maxSize: MOST_BYTES,
    maxEntrySize: LARGEST_BODY,
    sizeCalculation: ({ bytes }) => bytes.length + 1,
  });
  /** Sends a request, as a conditional one if the response is known. Returns the stored response for a 304. */
  return async (
    request: FeedRequest,
    send: (request: FeedRequest) => Promise<ReceivedResponse>,
  ): Promise<ReceivedResponse> => {
    const key = keyOf(request);
    const known = kept.get(key);
    const response = await send(
      known ? { ...request, headers: { ...request.headers, ...conditionsOf(known) } } : request,
    );
    if (response.status === 304 && known) return known;
    const isKept = request.method === 'GET' && response.status === 200;
    if (isKept && Object.keys(conditionsOf(response)).length > 0) kept.set(key, response);
    else kept.delete(key);
    return response;
  };
}

function conditionsOf({ headers }: ReceivedResponse): Record<string, string> {
  const [etag, modified] = [headers.get('etag'), headers.get('last-modified')];
  return { ...(etag && { 'if-none-match': etag }), ...(modified && { 'if-modified-since': modified }) };
}

function keyOf({ method, url, headers, body = '' }: FeedRequest): string {
  return JSON.stringify([method, url, Object.entries(headers).sort(), body]);
}
