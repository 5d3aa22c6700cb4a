import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { commonHeaders } from './common-headers.js';

const ids = new WeakMap<IncomingMessage, string>();
const LONGEST_LOGGED = 2_000;
const SANE_ID = /^[\w.:/+=@-]{1,128}$/;

/**
 * What every request gets, whoever answers it: an id, the headers that all answers share, and one line in the
 * log once it is over. Health checks and answers that went well are logged at `debug` and `info`.
 */
export function openRequest(request: IncomingMessage, response: ServerResponse, log: Logger): void {
  const started = performance.now();
  const id = acceptedId(request.headers['x-request-id']) ?? randomUUID();
  ids.set(request, id);
  response.setHeader('x-request-id', id);
  for (const [name, value] of commonHeaders) response.setHeader(name, value);
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
