import type { Logger } from 'pino';
import { sendFresh } from './http/bodies.js';
import { sendError } from './http/error-handler.js';
import { HttpError } from './http/errors.js';
import { openRequest, watchRequests } from './http/open-request.js';
import type { Handler } from './server.js';

/** Answers while the database is being reached and migrated: alive, and nothing else yet. */
export function startingHandler(log: Logger): Handler {
  const watch = watchRequests(log);
  return (request, response) => {
    openRequest(request, response, watch);
    if (request.url === '/health/live') return sendFresh(request, response, { status: 'up' });
    sendError(
      request,
      response,
      new HttpError(503, 'the service is starting', { headers: { 'retry-after': '2' } }),
    );
  };
}
