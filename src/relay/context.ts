import type { Logger } from 'pino';
import type { Clock } from '../../core/domain/clock.js';
import type { Config } from '../../core/process/config.js';
import type { Cache } from '../cache/cache.js';
import type { UpstreamObserver } from './upstream.js';

/** What a route that relays needs of the application. */
export interface RelayingContext {
  config: Config;
  clock: Clock;
  log: Logger;
  /** Where relayed responses are kept. */
  cache: Pick<Cache, 'get' | 'set'>;
  upstreamObserver?: UpstreamObserver;
}
