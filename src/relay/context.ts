import type { Logger } from 'pino';
import type { Config } from '../../core/process/config.js';
import type { Cache } from '../cache/cache.js';
import type { UpstreamContext } from './upstream.js';

export interface RelayingContext extends UpstreamContext {
  config: Config;
  log: Logger;
  cache: Pick<Cache, 'get' | 'set'>;
}
