import type { Logger } from 'pino';
import type { Exchange } from './exchange.js';

/** Counts a request, with the template of its route and its duration in seconds. */
export type CountRequest = (method: string, route: string, status: number, seconds: number) => void;

const LONGEST_URL = 2_000;
const FREQUENT = /^\/(health|metrics)\b/;

/**
 * Logs and counts exchanges that are over. The duration is the time from the arrival of the request until its response
 * was handed to the system, or the client left. Probes and scrapes, which come every few seconds, are logged at
 * `debug`, all else at `info`. Lines are written together at the end of the turn of the event loop: between requests
 * they cost twice as much.
 */
export function createRequestLog(log: Logger, count?: CountRequest): (exchange: Exchange) => void {
  // These lines hold no secrets, and looking for them takes longer than writing the lines.
  const lines = log.child({}, { redact: [] });
  let ended: { exchange: Exchange; ms: number }[] = [];

  const write = ({ exchange, ms }: { exchange: Exchange; ms: number }) => {
    const { id, request, response, route, outcome } = exchange;
    const { method = '', url = '' } = request;
    const status = response.statusCode;
    count?.(method, route, status, ms / 1000);
    const line = { id, method, url: loggedUrl(url, route), status, ms: Math.round(ms * 1000) / 1000 };
    lines[FREQUENT.test(url) ? 'debug' : 'info'](
      outcome === 'aborted' ? { ...line, aborted: true } : line,
      'request',
    );
  };
  const writeAll = () => {
    const batch = ended;
    ended = [];
    for (const one of batch) write(one);
  };
  return (exchange) => {
    if (ended.length === 0) setImmediate(writeAll);
    ended.push({ exchange, ms: performance.now() - exchange.startedAt });
  };
}

/** Queries are logged for currency routes only: elsewhere they tell where people are and what they translate. */
function loggedUrl(url: string, route: string): string {
  return (route.startsWith('/v2/') ? url : (url.split('?', 1)[0] ?? '')).slice(0, LONGEST_URL);
}
