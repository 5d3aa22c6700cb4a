import { setTimeout as delay } from 'node:timers/promises';
import { newestVersionNumber } from '../../core/database/data-versions.js';
import { noteEnd, takeRequest } from '../../core/database/worker-tasks.js';
import { MILLISECONDS_PER_DAY } from '../../core/domain/dates.js';
import type { Config } from '../../core/process/config.js';
import { reasonOf } from '../../core/process/connection-errors.js';
import { publish } from '../publish/publish.js';
import { publishSettings } from '../publish/settings.js';
import type { PlanDeps } from './catch-up.js';

interface PublishingDeps extends Pick<PlanDeps, 'database' | 'clock' | 'log'> {
  config: Config;
  /** How often to check for a new data version, in milliseconds. */
  pollMs?: number;
}

const POLL_MS = 5_000;
/** Each publication writes some megabytes, and adds a permanent record to the log. */
const EVERY_MS = 600_000;
const RETRY_MS = 60_000;

/**
 * Publishes into PUBLISH_DIR after each data version, at most once in ten minutes, once a day if nothing is new, and when
 * an operator requests it. Does nothing without PUBLISH_DIR. Any number of workers may do so concurrently. Throws a
 * ConfigurationError.
 */
export async function startPublishLoop({ config, database, clock, log, pollMs = POLL_MS }: PublishingDeps) {
  if (config.PUBLISH_DIR === undefined) return { close: async () => {} };
  const closing = new AbortController();
  const stopping = closing.signal;
  const settings = {
    ...(await publishSettings(config)),
    ...{ folder: config.PUBLISH_DIR, stopping, log },
  };
  let seen = 0n;
  // Milliseconds since 1970: don't publish before `notBefore`, and sign again after `dueAt`.
  let [notBefore, dueAt] = [0, 0];
  const publishIfDue = async (now: Date) => {
    const isRequested = await takeRequest(database, 'publish', now);
    if (!isRequested && now.getTime() < notBefore) return;
    const newest = await newestVersionNumber(database);
    if (!isRequested && newest === seen && now.getTime() < dueAt) return;
    const everyMs = isRequested ? 0 : EVERY_MS;
    const { state, record, size, files, bytes } = await publish(database, { ...settings, everyMs, now });
    const last = record ? Date.parse(record.instant) : now.getTime();
    notBefore = last + EVERY_MS;
    dueAt = last + MILLISECONDS_PER_DAY;
    // Another worker has published within that time, perhaps an older version.
    if (state === 'too early') return;
    seen = newest;
    await noteEnd(database, 'publish', { now, outcome: { state, records: size, files, bytes } });
  };
  const publishUntilStopped = async () => {
    while (!stopping.aborted) {
      const now = clock();
      await publishIfDue(now).catch(async (error: unknown) => {
        notBefore = now.getTime() + RETRY_MS;
        if (stopping.aborted) return;
        const reason = reasonOf(error);
        log.error({ reason }, 'publishing failed');
        // The error may be that of the database.
        await noteEnd(database, 'publish', { now, error: reason }).catch(() => undefined);
      });
      await delay(pollMs, undefined, { signal: stopping }).catch(() => undefined); // The worker is stopping.
    }
  };
  const work = publishUntilStopped();
  return {
    async close() {
      closing.abort();
      await work;
    },
  };
}
