import type { Logger } from 'pino';
import type { Clock } from '../core/domain/clock.js';
import type { Config } from '../core/process/config.js';
import type { App } from './app.js';

/** The parts of a program that don't depend on the source of its rates. */
export interface Program {
  config: Config;
  clock: Clock;
  log: Logger;
  isDraining: () => boolean;
}

/** The application, started once the program has its data. */
export interface Service extends App {
  close(): Promise<void>;
}

/** The application and its data, from any source. */
export interface Served {
  service: Service;
  snapshot: { current(): { days: { days: Int32Array } } | undefined; ready(): Promise<void> };
  /** Resolves when rates are available, or it is known that they must wait. Rejects if they will never be available. */
  ready: Promise<unknown>;
  /** Rejects if the program can't work as configured. */
  startupCheck: Promise<unknown>;
  /** Called once nothing is served any more. */
  close(): Promise<void>;
}
