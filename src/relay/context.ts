import type { Logger } from 'pino';
import type { Clock } from '../../core/domain/clock.js';
import type { Config } from '../../core/process/config.js';
import type { Cache } from '../cache/cache.js';
import type { UpstreamObserver } from './upstream.js';

/** The parts of the application that a relaying route needs. */
export interface RelayingContext {
  config: Config;
  clock: Clock;
  log: Logger;
  /** The cache of relayed responses. */
  cache: Pick<Cache, 'get' | 'set'>;
  upstreamObserver?: UpstreamObserver;
}
