import { readFile } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Logger } from 'pino';
import type { Clock } from '../../core/domain/clock.js';
import { type Config, readConfig } from '../../core/process/config.js';
import { createLogger } from '../../core/process/logger.js';

/** The environment of a command line, from the process or from a test. */
export interface CliEnvironment {
  variables: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  stdin: Readable;
  /** Data only. */
  stdout: Writable;
  /** Messages, logs and progress. */
  stderr: Writable & { isTTY?: boolean };
  stopping: AbortSignal;
}

export interface Session extends CliEnvironment {
  config: Config;
  log: Logger;
}

/** Runs a command after its arguments were validated. */
export type Run = (command: (session: Session) => Promise<void>) => Promise<void>;

/** Throws a ConfigurationError. Without LOG_LEVEL only warnings and errors are logged. */
export function openSession(environment: CliEnvironment): Session {
  const { variables } = environment;
  const config = readConfig({ ...variables, LOG_LEVEL: variables.LOG_LEVEL?.trim() || 'warn' });
  return { ...environment, config, log: createLogger(config, 'cli', { to: 'stderr' }) };
}

/** Standard input for `-`. */
export function readInput({ stdin }: Pick<Session, 'stdin'>, file: string): Promise<string> {
  return file === '-' ? text(stdin) : readFile(file, 'utf8');
}

export function say(session: Pick<Session, 'stderr'>, message: string): void {
  session.stderr.write(`${message}\n`);
}
