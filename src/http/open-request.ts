import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { commonHeaders } from './common-headers.js';
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
  response.setHeader('x-request-id', followRequest(request, response, watch));
  for (const [name, value] of commonHeaders) response.setHeader(name, value);
}

/**
 * Gives a request its id, which is returned, and has it logged and counted once it is over. What is asked every
 * few seconds by machines is logged at `debug`, all else at `info`. The route is given where no router finds it.
 */
export function followRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { log, count }: RequestWatch,
  route?: string,
): string {
  const started = performance.now();
  const id = acceptedId(request.headers['x-request-id']) ?? randomUUID();
  ids.set(request, id);
  const { method = '', url = '' } = request;
  response.once('close', () => {
    const ms = performance.now() - started;
    count?.(method, route ?? routeLabel(request), response.statusCode, ms / 1000);
    log[FREQUENT.test(url) ? 'debug' : 'info'](
      {
        id,
        method,
        url: loggedUrl(url),
        status: response.statusCode,
        ms: Math.round(ms * 1000) / 1000,
        // The client left before the answer was whole.
        ...(response.writableFinished ? undefined : { aborted: true }),
      },
      'request',
    );
  });
  return id;
}

/** Where people are and what they translate stays out of the log: queries are written for currency routes only. */
function loggedUrl(url: string): string {
  return (url.startsWith('/v2/') ? url : (url.split('?', 1)[0] ?? '')).slice(0, LONGEST_LOGGED);
}

/** The id of a request that was opened. */
export function requestId(request: IncomingMessage): string | undefined {
  return ids.get(request);
}

function acceptedId(given: string | string[] | undefined): string | undefined {
  return typeof given === 'string' && SANE_ID.test(given) ? given : undefined;
}
