import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { commonHeaders } from './common-headers.js';
import { type HeaderList, setHeaders } from './header-list.js';
import { routeLabel } from './route-label.js';

/** Who wants to know of every request once it is over. */
export interface RequestWatch {
  /** Writes one line a request. It is given nothing that could hold a secret. */
  log: Logger;
  /** Counts it, with the template of its route and how long it took. */
  count?(method: string, route: string, status: number, seconds: number): void;
}

const ids = new WeakMap<IncomingMessage, string>();
const LONGEST_LOGGED = 2_000;
const SANE_ID = /^[\w.:/+=@-]{1,128}$/;
const FREQUENT = /^\/(health|metrics)\b/;

/** A log for lines of requests. Looking for secrets in them takes longer than writing them, and there are none. */
export function requestLog(log: Logger): Logger {
  return log.child({}, { redact: [] });
}

/** What every request gets, whoever answers it: the headers that all answers share, and what followRequest does. */
export function openRequest(request: IncomingMessage, response: ServerResponse, watch: RequestWatch): void {
  setHeaders(response, followRequest(request, response, watch));
  setHeaders(response, commonHeaders);
}

/**
 * Gives a request its id, and has it logged and counted once it is over. The route is given where no router finds it.
 * Returns the headers of the answer that are this request's own.
 */
export function followRequest(
  request: IncomingMessage,
  response: ServerResponse,
  watch: RequestWatch,
  route?: string,
): HeaderList {
  const started = performance.now();
  const id = giveId(request);
  ids.set(request, id);
  const { method = '', url = '' } = request;
  response.once('close', () => {
    noteAnswer(watch, {
      id,
      method,
      url,
      route: route ?? routeLabel(request),
      status: response.statusCode,
      ms: performance.now() - started,
      isWhole: response.writableFinished,
    });
  });
  return ['x-request-id', id];
}

/** The id of a new request: the client's own where it is a sane one. */
export function giveId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && SANE_ID.test(given) ? given : randomUUID();
}

/** How a request was answered. */
export interface Answered {
  id: string;
  method: string;
  url: string;
  route: string;
  status: number;
  /** From its arrival to the end of its answer. */
  ms: number;
  /** False where the client left before the answer was whole. */
  isWhole: boolean;
}

/**
 * Logs and counts a request that is over. What is asked every few seconds by machines is logged at `debug`, all else
 * at `info`.
 */
export function noteAnswer({ log, count }: RequestWatch, answered: Answered): void {
  const { id, method, url, route, status, ms, isWhole } = answered;
  count?.(method, route, status, ms / 1000);
  const line = { id, method, url: loggedUrl(url), status, ms: Math.round(ms * 1000) / 1000 };
  log[FREQUENT.test(url) ? 'debug' : 'info'](isWhole ? line : { ...line, aborted: true }, 'request');
}

/** Where people are and what they translate stays out of the log: queries are written for currency routes only. */
function loggedUrl(url: string): string {
  return (url.startsWith('/v2/') ? url : (url.split('?', 1)[0] ?? '')).slice(0, LONGEST_LOGGED);
}

/** The id of a request that was opened. */
export function requestId(request: IncomingMessage): string | undefined {
  return ids.get(request);
}
