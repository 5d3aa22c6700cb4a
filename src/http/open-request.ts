import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { commonHeaders } from './common-headers.js';

const ids = new WeakMap<IncomingMessage, string>();
const LONGEST_LOGGED = 2_000;
const SANE_ID = /^[\w.:/+=@-]{1,128}$/;

/** What every request gets, whoever answers it: the headers that all answers share, and what followRequest does. */
export function openRequest(request: IncomingMessage, response: ServerResponse, log: Logger): void {
  response.setHeader('x-request-id', followRequest(request, response, log));
  for (const [name, value] of commonHeaders) response.setHeader(name, value);
}

/**
 * Gives a request its id, which is returned, and writes one line in the log once it is over. Health checks and
 * answers that went well are logged at `debug` and `info`.
 */
export function followRequest(request: IncomingMessage, response: ServerResponse, log: Logger): string {
  const started = performance.now();
  const id = acceptedId(request.headers['x-request-id']) ?? randomUUID();
  ids.set(request, id);
  const { method, url } = request;
  response.once('close', () => {
    const level = url?.startsWith('/health') ? 'debug' : 'info';
    log[level](
      {
        id,
        method,
        url: loggedUrl(url ?? ''),
        status: response.statusCode,
        ms: Math.round((performance.now() - started) * 1000) / 1000,
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
