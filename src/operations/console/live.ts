import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../../core/database/database.js';
import { readLatestChange } from '../../../core/database/latest-change.js';
import { databaseUnavailable } from '../../http/errors.js';
import { type ByteStream, NO_STORE } from '../../http/reply.js';
import { defineRoute, type Route } from '../../http/route.js';
import { type QueueAccess, withQueues } from '../queue-access.js';
import { sharedFor } from '../shared-for.js';
import type { ConsoleDependencies } from './errand.js';

const INTERVAL_MS = 1_000;
/** Then the browser connects again, and has to be logged in still. */
const LONGEST_MS = 600_000;
/** At least this often, comments keep proxies from closing a silent connection. */
const SILENT_MS = 15_000;

/** Server-sent events: one whenever runs, suspects, acts of operators or jobs have changed, so that pages update. */
export function liveRoute(dependencies: ConsoleDependencies): Route {
  const { identify, database, queues, isDraining = () => false } = dependencies;
  // By all viewers.
  const look = sharedFor(INTERVAL_MS, () => markOf(database, queues));
  return defineRoute({
    path: '/admin/live',
    async handle(_query, context) {
      const operator = await identify(context, 'GET');
      if ('reply' in operator) return operator.reply;
      const body = events(look, isDraining, context.signal);
      return { validity: NO_STORE, content: { type: 'text/event-stream', body } };
    },
  });
}

async function* events(
  look: () => Promise<string>,
  isDraining: () => boolean,
  signal: AbortSignal,
): ByteStream {
  let last: string | undefined;
  for (let ms = 0; ms < LONGEST_MS && !isDraining() && !signal.aborted; ms += INTERVAL_MS) {
    const mark = await look();
    if (mark !== last) yield Buffer.from('event: changed\ndata:\n\n');
    else if (ms % SILENT_MS === 0) yield Buffer.from(':\n\n');
    last = mark;
    await delay(INTERVAL_MS, undefined, { signal }).catch(() => undefined); // The client has left.
  }
}

/** Changes with everything that pages show live. */
async function markOf(database: Database, queues: QueueAccess | undefined): Promise<string> {
  const stored = await readLatestChange(database).catch(databaseUnavailable);
  const jobs = await withQueues(queues, async ({ ingest, blend }) => {
    const active = [...(await ingest.getActive()), ...(await blend.getActive())];
    const counts = [await ingest.getJobCounts(), await blend.getJobCounts()];
    return [counts, active.map(({ id, progress }) => [id, progress])];
  }).catch(() => 'unreachable'); // Shown by the pages themselves.
  return JSON.stringify([stored, jobs]);
}
