import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rootCertificates } from 'node:tls';
import pino from 'pino';
import { placeholderCredentials } from '../../../worker/feeds/credentials.js';
import type { Feed } from '../../../worker/feeds/feed.js';
import { openHttpClient } from '../../../worker/feeds/http/live-client.js';
import { readRates } from '../../../worker/feeds/read.js';
import { caseCounts } from '../../../worker/feeds/tally.js';
import { validate } from '../../../worker/feeds/validate.js';

export { makePdf, makeXls, makeXlsx, soapAnswer } from './support-files.js';

/** A request as the bank's stand-in saw it. */
export interface SeenRequest {
  method: string;
  /** The bank's host, as in the feed. */
  host: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
  /** The body read as a form. */
  form: URLSearchParams;
}

/** A body, or more of an answer, or what to answer to this request. */
export type Answer =
  | string
  | Uint8Array
  | { status?: number; headers?: Record<string, string | string[]>; body?: string | Uint8Array }
  | ((request: SeenRequest) => Answer);

/**
 * What the bank answers, by `METHOD /path` or `METHOD host/path` (without the query). A list answers the first,
 * second, … request to that place; its last element stays. Anything else is answered 404.
 */
export type Answers = Readonly<Record<string, Answer | readonly Answer[]>>;

type RowTuple = [date: string, base: string, quote: string, rate: number];

export interface FeedReading {
  /** `[date, base, quote, rate]`, trimmed and validated, in the feed's order. */
  rows: RowTuple[];
  /** How many rows validation dropped, by reason, and how many records were malformed. */
  dropped: Record<string, number>;
  /** How many records gave no rate, by reason. */
  skipped: Record<string, number>;
  /** The documented reasons for responses without rates. */
  noData: string[];
  /** Documents that could not be read: `FROM..TO reason`. */
  unread: string[];
  requests: SeenRequest[];
}

/** What a firewall or a maintenance page looks like: status 200, HTML. */
export const blockedPage: Answer = {
  headers: { 'content-type': 'text/html' },
  body: '<!DOCTYPE html><html><head><title>Access denied</title></head><body><h1>Request blocked</h1></body></html>',
};

export interface ReadOptions {
  today?: string;
  credentials?: Record<string, string>;
}

/**
 * Reads a feed over real HTTP from a server that stands in for all its hosts. `days` is `FROM..TO`, or `FROM..`
 * for an open window. Today is TO unless another day is given. Pauses are not waited for.
 */
export async function readFeed(
  feed: Feed,
  days: string,
  answers: Answers,
  options: ReadOptions = {},
): Promise<FeedReading> {
  const [from = '', to = ''] = days.split('..');
  const today = options.today ?? to;
  const bank = await standIn(answers);
  const wire = openHttpClient({
    route: () => bank.origin,
    limits: { attempts: 1 },
    // The stand-in speaks plain HTTP: no host's missing certificate is to be fetched.
    tls: { roots: rootCertificates, exceptions: new Map() },
  });
  try {
    const read = await readRates(
      feed,
      { from, to: to === '' ? undefined : to },
      {
        http: wire,
        today,
        credentials: options.credentials ?? placeholderCredentials(feed),
        log: pino({ level: 'silent' }),
      },
    );
    const { rows, dropped } = validate(read.rows, { today, provider: feed.key });
    const malformed = read.skipped.malformed?.count;
    return {
      rows: rows.map(({ date, base, quote, rate }) => [date, base, quote, rate]),
      dropped: { ...dropped, ...(malformed !== undefined && { malformed }) },
      skipped: caseCounts(read.skipped),
      noData: Object.keys(read.noData),
      unread: read.unread.map(({ from, to, reason }) => `${from}..${to} ${reason}`),
      requests: bank.requests,
    };
  } finally {
    await wire.close();
    await bank.close();
  }
}

/** A server that answers for any host. */
export async function standIn(
  answers: Answers,
): Promise<{ origin: string; requests: SeenRequest[]; close(): Promise<void> }> {
  const requests: SeenRequest[] = [];
  const asked = new Map<string, number>();
  const server: Server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://stand-in');
      const body = Buffer.concat(pieces).toString();
      const seen: SeenRequest = {
        method: request.method ?? '',
        host: request.headers.host ?? '',
        path: decodeURIComponent(url.pathname),
        query: url.searchParams,
        headers: request.headers,
        body,
        form: new URLSearchParams(body),
      };
      requests.push(seen);
      const place = [`${seen.method} ${seen.path}`, `${seen.method} ${seen.host}${seen.path}`].find(
        (key) => key in answers,
      );
      const count = asked.get(place ?? '') ?? 0;
      asked.set(place ?? '', count + 1);
      const {
        status,
        headers,
        body: content,
      } = settle(place === undefined ? undefined : answers[place], count, seen);
      response.writeHead(status, headers);
      response.end(content);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function settle(
  answer: Answer | readonly Answer[] | undefined,
  count: number,
  request: SeenRequest,
): { status: number; headers: Record<string, string | string[]>; body: string | Uint8Array } {
  if (answer === undefined) return { status: 404, headers: {}, body: 'the stand-in has no answer for this' };
  if (isList(answer)) return settle(answer[Math.min(count, answer.length - 1)], count, request);
  if (typeof answer === 'function') return settle(answer(request), count, request);
  if (typeof answer === 'string' || answer instanceof Uint8Array)
    return { status: 200, headers: {}, body: answer };
  return { status: answer.status ?? 200, headers: answer.headers ?? {}, body: answer.body ?? '' };
}

function isList(answer: Answer | readonly Answer[]): answer is readonly Answer[] {
  return Array.isArray(answer);
}
