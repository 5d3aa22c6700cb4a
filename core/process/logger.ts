import pino from 'pino';
import pretty from 'pino-pretty';
import type { Config } from './config.js';

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
 * Written within some milliseconds and at the exit, so that the last line before it is never lost.
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
  if (!stream.isTTY) return pino(settings, buffered(pino.destination({ dest: stream.fd, sync: true })));
  return pino(settings, pretty({ destination: stream.fd, sync: true, ignore: 'pid,hostname' }));
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

const LONGEST_WAIT_MS = 5;

/** Writes lines together: a busy API logs some hundred in this time, and a write for each costs as much as a request. */
function buffered(destination: pino.DestinationStream): pino.DestinationStream {
  let lines = '';
  const flush = () => {
    const written = lines;
    lines = '';
    if (written !== '') destination.write(written);
  };
  process.once('exit', flush);
  return {
    write(line) {
      if (lines === '') setTimeout(flush, LONGEST_WAIT_MS);
      lines += line;
    },
  };
}
