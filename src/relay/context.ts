import type { Logger } from 'pino';
import type { Config } from '../../core/process/config.js';
import type { Cache } from '../cache/cache.js';
import type { UpstreamContext } from './upstream.js';

/** The parts of the application that a relaying route needs. */
export interface RelayingContext extends UpstreamContext {
  config: Config;
  log: Logger;
  /** The cache of relayed responses. */
  cache: Pick<Cache, 'get' | 'set'>;
}
