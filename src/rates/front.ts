import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../core/clock.js';
import { moving } from '../http/cache-control.js';
import { isHeld } from '../http/conditional.js';
import { type Limit, setLimitHeaders } from '../http/limits.js';
import { giveId, noteAnswer, openRequest, type RequestWatch } from '../http/open-request.js';
import type { Handler } from '../server.js';
import { epochOf, type HotBodies, type HotBody } from './hot-bodies.js';
import type { SnapshotHolder } from './snapshot-holder.js';

/** Answers a request for rates, or throws what is to be told to the client. */
export type RatesHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

interface FrontOptions {
  hot: HotBodies;
  snapshot: Pick<SnapshotHolder, 'current'>;
  clock: Clock;
  watch: RequestWatch;
  /** The limit of currency routes, where there is one. */
  limit?: Limit | undefined;
  /** Handlers by their path. */
  byPath: ReadonlyMap<string, RatesHandler>;
  /** Told of every answer that was at hand. */
  countHot(): void;
  answerError(thrown: unknown, request: IncomingMessage, response: ServerResponse): void;
}

/**
 * Stands in front of the application for what is asked most. A request whose finished answer is at hand is answered
 * in one call, another one for rates by its handler; no framework wakes up for either. All others go on, and so
 * does whatever isn't written plainly, such as a path in capitals: the application knows the same handlers.
 */
export function answerRatesFirst(options: FrontOptions, next: Handler): Handler {
  const { hot, snapshot, clock, limit, byPath } = options;
  return (request, response) => {
    if (request.method !== 'GET') return next(request, response);
    const started = performance.now();
    const current = snapshot.current();
    const found = current && hot.find(request, epochOf(current.version, clock));
    if (found) {
      if (!limit) return sendHot(options, request, response, { found, started });
      limit(request).then(
        (limits) => sendHot(options, request, response, { found, started, limits }),
        // The application comes to the same end, and says so.
        () => next(request, response),
      );
      return;
    }
    const path = pathOf(request.url ?? '');
    const handler = byPath.get(path);
    if (!handler) return next(request, response);
    openRequest(request, response, options.watch, path);
    answer(options, request, response, handler).catch((thrown: unknown) =>
      options.answerError(thrown, request, response),
    );
  };
}

async function answer(
  { limit }: FrontOptions,
  request: IncomingMessage,
  response: ServerResponse,
  handler: RatesHandler,
): Promise<void> {
  if (limit) setLimitHeaders(response, await limit(request));
  await handler(request, response);
}

interface Sending {
  found: HotBody;
  started: number;
  limits?: readonly string[];
}

function sendHot(
  { clock, watch, countHot }: FrontOptions,
  request: IncomingMessage,
  response: ServerResponse,
  { found, started, limits = [] }: Sending,
): void {
  const { tag, headers, body, moves, route } = found;
  const id = giveId(request);
  const all = [...headers, 'x-request-id', id, ...limits];
  if (moves) all.push('cache-control', moving(clock));
  if (isHeld(request.headers['if-none-match'], tag)) {
    response.writeHead(304, withoutContent(all));
    response.end();
  } else {
    response.writeHead(200, all);
    response.end(body);
  }
  countHot();
  noteAnswer(watch, {
    id,
    method: 'GET',
    url: request.url ?? '',
    route,
    status: response.statusCode,
    ms: performance.now() - started,
    isWhole: true,
  });
}

function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

/** A 304 says nothing of a body that it doesn't have. */
function withoutContent(headers: readonly string[]): string[] {
  const kept: string[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] ?? '';
    if (!name.startsWith('content-')) kept.push(name, headers[index + 1] ?? '');
  }
  return kept;
}
