import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Clock, todayNumber } from '../../core/domain/clock.js';
import { corsHeaders, securityHeaders } from '../http/common-headers.js';
import { type HeaderList, setHeaders } from '../http/header-list.js';
import type { Limit } from '../http/limits.js';
import { followRequest, giveId, type RequestWatch } from '../http/open-request.js';
import type { HotAnswer, HotAnswers } from '../http/response-cache.js';
import { sendWhole } from '../http/whole-answer.js';
import type { Handler } from '../server.js';
import type { SnapshotHolder } from './snapshot/snapshot-holder.js';

/** Answers a request for rates with the headers that are its own, or throws what is to be told to the client. */
export type RatesHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  own: HeaderList,
) => Promise<void>;

interface FrontOptions {
  hot: HotAnswers;
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
    const version = snapshot.current()?.version;
    const found =
      version === undefined ? undefined : hot.find(request, { version, today: todayNumber(clock) });
    if (found) {
      if (!limit) return sendHot(options, request, response, { found, started, limits: [] });
      limit(request).then(
        (limits) => sendHot(options, request, response, { found, started, limits }),
        // The application comes to the same end, and says so.
        () => next(request, response),
      );
      return;
    }
    const path = pathOf(request.url ?? '');
    const handler = byPath.get(path);
    if (handler) void answer(options, request, response, { path, handler });
    else next(request, response);
  };
}

async function answer(
  { watch, limit, answerError }: FrontOptions,
  request: IncomingMessage,
  response: ServerResponse,
  { path, handler }: { path: string; handler: RatesHandler },
): Promise<void> {
  const own = followRequest(request, response, watch, path);
  try {
    await handler(request, response, limit ? [...own, ...(await limit(request))] : own);
  } catch (thrown) {
    setHeaders(response, [...own, ...corsHeaders, ...securityHeaders]);
    answerError(thrown, request, response);
  }
}

interface Sending {
  found: HotAnswer;
  started: number;
  limits: HeaderList;
}

function sendHot(
  { watch, countHot }: FrontOptions,
  request: IncomingMessage,
  response: ServerResponse,
  { found, started, limits }: Sending,
): void {
  const id = giveId(request);
  sendWhole(request, response, found, ['x-request-id', id, ...limits]);
  countHot();
  watch.note({
    id,
    method: 'GET',
    url: request.url ?? '',
    route: found.route,
    status: response.statusCode,
    ms: performance.now() - started,
    isWhole: true,
  });
}

function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}
