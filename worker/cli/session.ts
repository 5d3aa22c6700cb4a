import type { Readable, Writable } from 'node:stream';
import type { Logger } from 'pino';
import type { Clock } from '../../core/domain/clock.js';
import { type Config, readConfig } from '../../core/process/config.js';
import { createLogger } from '../../core/process/logger.js';

/** The environment of a command line: that of the process, or of a test. */
export interface CliEnvironment {
  variables: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  stdin: Readable;
  /** For data only. */
  stdout: Writable;
  /** For messages, logs and progress. */
  stderr: Writable & { isTTY?: boolean };
  /** Aborted when the command should stop. */
  stopping: AbortSignal;
}

/** The environment of a command, with its configuration and log. */
export interface Session extends CliEnvironment {
  config: Config;
  log: Logger;
}

/** Throws a ConfigurationError. Without LOG_LEVEL only warnings and errors are logged. */
export function openSession(environment: CliEnvironment): Session {
  const { variables } = environment;
  const config = readConfig({ ...variables, LOG_LEVEL: variables.LOG_LEVEL?.trim() || 'warn' });
  return { ...environment, config, log: createLogger(config, 'cli', { to: 'stderr' }) };
}

/** Writes one message for the operator. */
export function say(session: Pick<Session, 'stderr'>, message: string): void {
  session.stderr.write(`${message}\n`);
}
