import { noteReadingPlan } from '../../core/database/reading-plan.js';
import type { Config } from '../../core/process/config.js';
import { logAsWarning } from '../../core/process/connection-errors.js';
import { placeholderCredentials } from '../feeds/credentials.js';
import type { Feed } from '../feeds/feed.js';
import { type PlanDeps, sourcesOf } from './catch-up.js';

type ReadingPlanDeps = Omit<PlanDeps, 'queues'> & { config: Config };

const MINUTE_MS = 60_000;

/** Reports in the database which sources this worker reads by schedule, now and every minute, for the API. */
export async function keepReadingPlan(deps: ReadingPlanDeps) {
  const { config, clock, database, log } = deps;
  const sources = config.SCHEDULE ? sourcesOf(deps).map(({ provider }) => provider.key) : [];
  const logFailure = logAsWarning(log, 'the reading plan could not be stored');
  const note = () => noteReadingPlan(database, sources, clock()).catch(logFailure);
  await note();
  const timer = setInterval(note, MINUTE_MS).unref();
  return { close: () => clearInterval(timer) };
}

/** The configured credentials. Recordings need none. */
export function credentialsIn(
  config: Config,
  feeds: ReadonlyMap<string, Feed>,
): Readonly<Record<string, unknown>> {
  if (config.FEEDS_FROM === undefined) return config;
  return Object.assign({}, ...[...feeds.values()].map(placeholderCredentials));
}
