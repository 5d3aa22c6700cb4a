import type { Logger } from 'pino';
import type { Clock } from '../core/domain/dates.js';
import type { Config } from '../core/process/config.js';
import type { App } from './app.js';
import type { Snapshot } from './rates/snapshot/snapshot.js';

export interface Program {
  config: Config;
  clock: Clock;
  log: Logger;
  isDraining: () => boolean;
}

export interface Service extends App {
  close(): Promise<void>;
}

export interface Served {
  service: Service;
  snapshot: { current(): Pick<Snapshot, 'days' | 'loadedFrom'> | undefined; ready(): Promise<void> };
  /** Resolves when rates are available, or must wait. Rejects if they will never be available. */
  ready: Promise<unknown>;
  /** Rejects if the program can't work as configured. */
  startupCheck: Promise<unknown>;
  /** Called once nothing is served any more. */
  close(): Promise<void>;
}
