import type { Logger } from 'pino';
import type { Exchange } from '../http/exchange.js';

/** `route` is the template of the path. */
export type CountRequest = (method: string, route: string, status: number, seconds: number) => void;

const SLOW_MS = 100;
const LONGEST_URL = 2_000;
const FREQUENT = /^\/(health|metrics|admin\/live)\b/;

/**
 * Logs exchanges with a 5xx or longer than 100 ms at `info`, all others, health checks, scrapes and event streams at `debug`.
 * The duration ends when the operating system took the response, or the client disconnected.
 */
export function createAccessLog(log: Logger, count?: CountRequest): (exchange: Exchange) => void {
  // These lines contain no secrets, and redaction would take longer than writing them.
  const lines = log.child({}, { redact: [] });
  const logsAll = log.isLevelEnabled('debug');
  return (exchange) => {
    const { request, response, route, durationMs } = exchange;
    const { statusCode } = response;
    count?.(request.method ?? '', route, statusCode, durationMs / 1000);
    const isNotable = statusCode >= 500 || durationMs > SLOW_MS;
    if (isNotable || logsAll) write(lines, exchange, isNotable);
  };
}

function write(
  lines: Logger,
  { id, request, response, route, outcome, durationMs }: Exchange,
  isNotable: boolean,
): void {
  const { method, url = '' } = request;
  const ms = Math.round(durationMs * 1000) / 1000;
  const aborted = outcome === 'aborted' && { aborted: true };
  const line = { id, method, url: loggedUrl(url, route), status: response.statusCode, ms, ...aborted };
  lines[isNotable && !FREQUENT.test(url) ? 'info' : 'debug'](line, 'request');
}

/** Queries are logged for currency routes only: elsewhere they reveal locations of people and texts to translate. */
function loggedUrl(url: string, route: string): string {
  return (route.startsWith('/v2/') ? url : (url.split('?', 1)[0] ?? '')).slice(0, LONGEST_URL);
}
