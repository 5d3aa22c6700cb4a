import type { Logger } from 'pino';
import type { Clock } from '../core/domain/clock.js';
import type { Config } from '../core/process/config.js';
import type { App } from './app.js';

/** What a program has before it knows where its rates come from. */
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

/** What an API serves, from wherever it comes. */
export interface Served {
  service: Service;
  snapshot: { current(): { days: { days: Int32Array } } | undefined; ready(): Promise<void> };
  /** Resolves when rates are there, or it is known that they have to wait. Rejects where they never will be. */
  listens: Promise<unknown>;
  /** Rejects where the program can't do its work as it is set up. */
  isUsable: Promise<unknown>;
  /** Called once nothing is served any more. */
  close(): Promise<void>;
}
