import type { Logger } from 'pino';
import { createEventLoop } from '../core/concurrency/event-loop.js';
import type { Handler } from './http/dispatcher.js';
import { HttpError } from './http/errors.js';
import { createRequestLog, openExchanges } from './http/exchange.js';
import { uncachedJson } from './http/reply.js';
import { createWriter } from './http/writer.js';

/** Responds while the database is being reached and migrated: the process is alive, and nothing else yet. */
export function createStartingHandler(log: Logger): Handler {
  const openExchange = openExchanges({
    onEnd: createRequestLog(log),
    eventLoop: createEventLoop(),
    clientOf: ({ socket }) => socket.remoteAddress ?? '',
  });
  const writer = createWriter(log);
  return (request, response) =>
    openExchange(request, response, (exchange) => {
      if (request.url === '/health/live') void writer.send(exchange, uncachedJson({ status: 'up' }));
      else writer.sendError(exchange, starting());
    });
}

function starting(): HttpError {
  return new HttpError(503, 'the service is starting', { headers: { 'retry-after': '2' } });
}
