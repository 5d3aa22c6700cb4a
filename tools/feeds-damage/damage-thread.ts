import { createLogger } from '../../core/process/logger.js';
import { loadFeed } from '../../worker/feeds/registry.js';
import { type Case, damageFeed } from './damage-feed.js';

const log = createLogger({ LOG_LEVEL: 'fatal' }, 'feeds-damage', { to: 'stderr' });

/** Reads a feed from damaged recordings, in a thread. */
export default async ({ key, from }: { key: string; from: string }): Promise<Case[]> =>
  damageFeed(await loadFeed(key), from, log);
