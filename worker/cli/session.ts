import { readFile } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Logger } from 'pino';
import type { Clock } from '../../core/domain/dates.js';
import { type Config, readConfig } from '../../core/process/config.js';
import { createLogger, withQuietLog } from '../../core/process/logger.js';
import { elapsedText, openProgress, type Progress } from '../../core/process/progress.js';

/** The environment of a command line, from the process or from a test. */
export interface CliEnvironment {
  variables: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  stdin: Readable;
  /** Data only. */
  stdout: Writable & { isTTY?: boolean };
  /** Messages, logs and progress. */
  stderr: Writable & { isTTY?: boolean };
  stopping: AbortSignal;
}

export interface Session extends CliEnvironment {
  config: Config;
  log: Logger;
  progress: Progress;
  /** On the clock of `performance.now()`. */
  startedAt: number;
}

/** Runs a command after its arguments were validated. */
export type Run = (command: (session: Session) => Promise<void>) => Promise<void>;

/** Throws a ConfigurationError. Without LOG_LEVEL only warnings and errors are logged. */
export function openSession(environment: CliEnvironment): Session {
  const config = readConfig(withQuietLog(environment.variables));
  const log = createLogger(config, 'cli', { to: 'stderr' });
  const progress = openProgress(environment.stderr);
  return { ...environment, config, log, progress, startedAt: performance.now() };
}

/** Standard input for `-`. */
export function readInput({ stdin }: Pick<Session, 'stdin'>, file: string): Promise<string> {
  return file === '-' ? text(stdin) : readFile(file, 'utf8');
}

export function say(session: Pick<Session, 'stderr'>, message: string): void {
  session.stderr.write(`${message}\n`);
}

/** The last message of a command that may take long: what it has done, and in what time. */
export function sayDone(session: Session, what: string): void {
  session.progress.stop();
  say(session, `${what} in ${elapsedText(performance.now() - session.startedAt)}`);
}
