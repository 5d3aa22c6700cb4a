import type { Readable, Writable } from 'node:stream';
import type { Logger } from 'pino';
import type { Clock } from '../../core/domain/clock.js';
import { type Config, readConfig } from '../../core/process/config.js';
import { createLogger } from '../../core/process/logger.js';

/** What lies around the command line: the process's own, or a test's. */
export interface Surroundings {
  variables: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  stdin: Readable;
  /** Carries data and nothing else. */
  stdout: Writable;
  /** Carries messages, logs and progress. */
  stderr: Writable & { isTTY?: boolean };
  /** Set once the command is to stop. */
  stopping: AbortSignal;
}

/** What a command works with. */
export interface Session extends Surroundings {
  config: Config;
  log: Logger;
}

/** Throws a ConfigurationError. Without LOG_LEVEL only warnings and errors are logged. */
export function openSession(surroundings: Surroundings): Session {
  const { variables } = surroundings;
  const config = readConfig({ ...variables, LOG_LEVEL: variables.LOG_LEVEL?.trim() || 'warn' });
  return { ...surroundings, config, log: createLogger(config, 'cli', { to: 'stderr' }) };
}

/** Writes one message for the operator. */
export function say(session: Pick<Session, 'stderr'>, message: string): void {
  session.stderr.write(`${message}\n`);
}
