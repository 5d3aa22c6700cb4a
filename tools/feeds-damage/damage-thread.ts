import { parentPort, workerData } from 'node:worker_threads';
import { createLogger } from '../../core/process/logger.js';
import { loadFeed } from '../../worker/feeds/registry.js';
import { damageFeed } from './matrix.js';

/** A thread that reads the feed of each key it is sent from damaged recordings, and sends back the cells. */
const { from } = workerData as { from: string };
const log = createLogger({ LOG_LEVEL: 'fatal' }, 'feeds-damage', { to: 'stderr' });

parentPort?.on('message', async (key: string) => {
  const found = await damageFeed(await loadFeed(key), from, log);
  parentPort?.postMessage({ key, found });
});
