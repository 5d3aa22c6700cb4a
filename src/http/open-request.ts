import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { corsHeaders, securityHeaders } from './common-headers.js';
import { type HeaderList, setHeaders } from './header-list.js';
import { routeLabel } from './route-label.js';

/** Wants to know of every request once it is over. */
export interface RequestWatch {
  note(answered: Answered): void;
}

/** How a request was answered. */
export interface Answered {
  id: string;
  method: string;
  url: string;
  /** The template of its route. */
  route: string;
  status: number;
  /** From its arrival to the end of its answer. */
  ms: number;
  /** False where the client left before the answer was whole. */
  isWhole: boolean;
}

/** Counts a request, with the template of its route and how long it took. */
export type CountRequest = (method: string, route: string, status: number, seconds: number) => void;

const ids = new WeakMap<IncomingMessage, string>();
const LONGEST_LOGGED = 2_000;
const SANE_ID = /^[\w.:/+=@-]{1,128}$/;
const FREQUENT = /^\/(health|metrics)\b/;

/**
 * Logs every request in a line, and counts it. What is asked every few seconds by machines is logged at `debug`, all
 * else at `info`. Answers go out first: what there is to say of them is said at the end of the turn of the event loop,
 * all in a row, which also takes a busy process half the time.
 */
export function watchRequests(log: Logger, count?: CountRequest): RequestWatch {
  // Looking for secrets in these lines takes longer than writing them, and there are none.
  const lines = log.child({}, { redact: [] });
  let answers: Answered[] = [];
  const sayAll = () => {
    const gathered = answers;
    answers = [];
    for (const answered of gathered) {
      const { id, method, url, route, status, ms, isWhole } = answered;
      count?.(method, route, status, ms / 1000);
      const line = { id, method, url: loggedUrl(url), status, ms: Math.round(ms * 1000) / 1000 };
      lines[FREQUENT.test(url) ? 'debug' : 'info'](isWhole ? line : { ...line, aborted: true }, 'request');
    }
  };
  return {
    note(answered) {
      if (answers.length === 0) setImmediate(sayAll);
      answers.push(answered);
    },
  };
}

/** What every request gets, whoever answers it: the headers that all answers share, and what followRequest does. */
export function openRequest(request: IncomingMessage, response: ServerResponse, watch: RequestWatch): void {
  setHeaders(response, followRequest(request, response, watch));
  setHeaders(response, [...corsHeaders, ...securityHeaders]);
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
    watch.note({
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

/** Where people are and what they translate stays out of the log: queries are written for currency routes only. */
function loggedUrl(url: string): string {
  return (url.startsWith('/v2/') ? url : (url.split('?', 1)[0] ?? '')).slice(0, LONGEST_LOGGED);
}

/** The id of a request that was opened. */
export function requestId(request: IncomingMessage): string | undefined {
  return ids.get(request);
}
