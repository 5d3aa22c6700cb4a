import pino from 'pino';
import type { Config } from './config.js';
import { openLogDestination } from './log-destination.js';

/** Read in only where somebody looks at a terminal. */
const pretty =
  process.stdout.isTTY || process.stderr.isTTY ? (await import('pino-pretty')).default : undefined;

interface LoggerOptions {
  /** Where the lines go: standard output, or standard error for a program whose output is its result. */
  to?: 'stdout' | 'stderr';
}

/** What must never stand in a log, wherever an object that holds it is logged. */
const SECRETS = [
  'authorization',
  'cookie',
  'headers.authorization',
  'headers.cookie',
  'req.headers.authorization',
  'req.headers.cookie',
  '*.ADMIN_TOKEN',
  '*.ADMIN_TOKEN_PREVIOUS',
  '*.DATABASE_URL',
  '*.REDIS_URL',
  '*.REDIS_CACHE_URL',
];

/**
 * The log of one program, named by `name`: coloured lines on a terminal, one JSON object a line elsewhere.
 * Written within some milliseconds and at the exit, so that the last line before it is not lost.
 */
export function createLogger(
  config: Pick<Config, 'LOG_LEVEL'>,
  name: string,
  options: LoggerOptions = {},
): pino.Logger {
  const stream = options.to === 'stderr' ? process.stderr : process.stdout;
  const settings: pino.LoggerOptions = {
    name,
    level: config.LOG_LEVEL,
    redact: { paths: SECRETS, censor: '[redacted]' },
    timestamp: lineTime(),
    base: {},
  };
  // In a thread a stream has no descriptor of its own.
  const fd = options.to === 'stderr' ? 2 : 1;
  if (stream.isTTY && pretty)
    return pino(settings, pretty({ destination: fd, sync: true, ignore: 'pid,hostname' }));
  const tellDropped = (lines: number) =>
    log.warn({ lines }, 'log lines were dropped, because nothing read them');
  const log: pino.Logger = pino(settings, openLogDestination(fd, tellDropped));
  return log;
}

/** The time of a line, as an ISO 8601 text; lines come many in a millisecond, and most share it. */
function lineTime(): () => string {
  let instant = Number.NaN;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== instant) text = `,"time":"${new Date(now).toISOString()}"`;
    instant = now;
    return text;
  };
}
