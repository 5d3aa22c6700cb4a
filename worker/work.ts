import { systemClock } from '../core/domain/dates.js';
import { waitForQueues } from '../core/queues/queues.js';
import type { CustomSource } from '../core/sources/custom-sources.js';
import { openReadingThreads } from './feeds/reading-threads.js';
import { loadFeeds } from './feeds/registry.js';
import type { WorkerHealth } from './health.js';
import { startPublishLoop } from './jobs/publishing.js';
import { credentialsIn, keepReadingPlan } from './jobs/reading-plan.js';
import { type JobsDeps, startJobs } from './jobs/start-jobs.js';

interface WorkOptions extends Pick<JobsDeps, 'config' | 'database' | 'announcements' | 'store' | 'log'> {
  customSources: readonly CustomSource[];
  health: WorkerHealth;
  stopping: AbortSignal;
}

/** Loads the feeds, opens the queues, processes jobs and plans them. */
export async function startWork(options: WorkOptions): Promise<{ close(): Promise<void> }> {
  const { config, customSources, store, health, log, stopping } = options;
  const feeds = await loadFeeds();
  const deps = { ...options, clock: systemClock, feeds, variables: credentialsIn(config, feeds) };
  const readingPlan = await keepReadingPlan(deps);
  const queues = await waitForQueues(store, log, stopping);
  const threads = openReadingThreads({ customSources, logLevel: config.LOG_LEVEL });
  const jobs = await startJobs({ ...deps, queues, read: threads.read });
  const publishing = await startPublishLoop(deps);
  health.working(queues);
  if (customSources.length > 0)
    log.info({ providers: customSources.map(({ key }) => key) }, 'custom sources');
  log.info({ feeds: feeds.size, schedule: config.SCHEDULE ? 'on' : 'off' }, 'worker is running');
  return {
    async close() {
      readingPlan.close();
      await publishing.close();
      await jobs.close();
      await threads.close();
      await queues.close();
    },
  };
}
