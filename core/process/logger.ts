import { isatty } from 'node:tty';
import pino from 'pino';
import type { Config } from './config.js';
import { openLogDestination } from './log-destination.js';

const [STDOUT, STDERR] = [1, 2];
const pretty = isatty(STDOUT) || isatty(STDERR) ? (await import('pino-pretty')).default : undefined;

/** Paths that are never logged, in any object. */
const SECRETS = [
  'authorization',
  'cookie',
  'headers.authorization',
  'headers.cookie',
  'req.headers.authorization',
  'req.headers.cookie',
  '*.ADMIN_TOKEN',
  '*.DATABASE_URL',
  '*.REDIS_URL',
];

/** The variables of a program that somebody watches: only warnings and errors are logged, unless they set LOG_LEVEL. */
export function withQuietLog<T extends Readonly<Record<string, string | undefined>>>(variables: T): T {
  const isSet = variables.LOG_LEVEL?.trim() || variables.LOG_LEVEL_FILE?.trim();
  return isSet ? variables : { ...variables, LOG_LEVEL: 'warn' };
}

/**
 * Coloured on a terminal, else JSON. Writes within milliseconds and at exit, so that the last line is not lost. Use `stderr` for
 * a program that outputs its result.
 */
export function createLogger(
  config: Pick<Config, 'LOG_LEVEL'>,
  name: string,
  { to = 'stdout' }: { to?: 'stdout' | 'stderr' } = {},
): pino.Logger {
  const settings: pino.LoggerOptions = {
    name,
    level: config.LOG_LEVEL,
    redact: { paths: SECRETS, censor: '[redacted]' },
    timestamp: pino.stdTimeFunctions.isoTime,
    base: {},
  };
  const [stream, fd] = to === 'stderr' ? [process.stderr, STDERR] : [process.stdout, STDOUT];
  // Opening the stream keeps writes to a full pipe from blocking. In a thread it is not the descriptor of the process.
  if ((stream.isTTY || isatty(fd)) && pretty)
    return pino(settings, pretty({ destination: fd, sync: true, ignore: 'pid,hostname', singleLine: true }));
  const tellDropped = (lines: number) =>
    log.warn({ lines }, 'log lines were dropped, because nothing read them');
  const log: pino.Logger = pino(settings, openLogDestination(fd, tellDropped));
  return log;
}
