import pino from 'pino';
import { placeholderCredentials } from '../../../worker/feeds/credentials.js';
import type { Feed } from '../../../worker/feeds/feed.js';
import { openHttpClient } from '../../../worker/feeds/http/live-client.js';
import { readRates } from '../../../worker/feeds/read.js';
import { httpStub, type StubRequest } from '../../support/http-stub.js';

export { makePdf, makeXls, makeXlsx, soapAnswer } from './support-files.js';

/** A request as the bank's stand-in saw it. */
export interface SeenRequest extends StubRequest {
  /** The bank's host, as in the feed. */
  host: string;
  /** The body read as a form. */
  form: URLSearchParams;
}

/** A body, or more of an answer, or what to answer to this request. */
export type Answer = string | Uint8Array | Whole | ((request: SeenRequest) => Answer);
interface Whole {
  status?: number;
  headers?: Record<string, string | string[]>;
  body?: string | Uint8Array;
}

/**
 * What the bank answers, by `METHOD /path` or `METHOD host/path` (without the query). A list answers the first,
 * second, … request to that place; its last element stays. Anything else is answered 404.
 */
export type Answers = Readonly<Record<string, Answer | readonly Answer[]>>;

type RowTuple = [date: string, base: string, quote: string, rate: number];

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
export async function readFeed(feed: Feed, days: string, answers: Answers, options: ReadOptions = {}) {
  const [from = '', to = ''] = days.split('..');
  const today = options.today ?? to;
  const bank = await standIn(answers);
  const wire = openHttpClient({
    address: () => new URL(bank.origin),
    limits: { attempts: 1 },
  });
  try {
    const credentials = options.credentials ?? placeholderCredentials(feed);
    const context = { http: wire, today, credentials, log: pino({ level: 'silent' }) };
    const read = await readRates(feed, { from, to: to === '' ? undefined : to }, context);
    const { rows, dropped } = read;
    const { malformed } = read.skipped;
    return {
      /** Trimmed and validated, in the feed's order. */
      rows: rows.map(({ date, base, quote, rate }): RowTuple => [date, base, quote, rate]),
      /** `2026-05-22 USD/BIF 2975.4 3005.3`: the buying and the selling price, `-` for none. */
      sides: rows.map(
        ({ date, base, quote, buy = '-', sell = '-' }) => `${date} ${base}/${quote} ${buy} ${sell}`,
      ),
      /** How many rows validation dropped, by reason, and how many records were malformed. */
      dropped: { ...dropped, ...(malformed !== undefined && { malformed }) } as Record<string, number>,
      /** How many records gave no rate, by reason. */
      skipped: read.skipped,
      /** The documented reasons for responses without rates. */
      noData: Object.keys(read.noData),
      /** Documents that could not be read: `FROM..TO reason`. */
      unread: read.unread.map(({ from, to, reason }) => `${from}..${to} ${reason}`),
      requests: bank.requests,
    };
  } finally {
    await wire.close();
    await bank.close();
  }
}

const NO_ANSWER: Answer = { status: 404, body: 'the stand-in has no answer for this' };

export type FeedReading = Awaited<ReturnType<typeof readFeed>>;

/** A server that answers for any host. */
export async function standIn(answers: Answers) {
  const requests: SeenRequest[] = [];
  const asked = new Map<string, number>();
  const stub = await httpStub({
    '*': (request, response) => {
      const { method, headers, body } = request;
      const [host, path] = [headers.host ?? '', decodeURIComponent(request.path)];
      const seen: SeenRequest = { ...request, host, path, form: new URLSearchParams(body) };
      requests.push(seen);
      const place = [`${method} ${path}`, `${method} ${host}${path}`].find((key) => key in answers) ?? '';
      const count = asked.get(place) ?? 0;
      asked.set(place, count + 1);
      const turns = [answers[place] ?? NO_ANSWER].flat();
      const answer = settle(turns[count] ?? turns.at(-1) ?? NO_ANSWER, seen);
      response.writeHead(answer.status ?? 200, answer.headers).end(answer.body);
    },
  });
  return { origin: stub.url, requests, close: stub.close };
}

function settle(answer: Answer, request: SeenRequest): Whole {
  if (typeof answer === 'function') return settle(answer(request), request);
  return typeof answer === 'string' || answer instanceof Uint8Array ? { body: answer } : answer;
}
