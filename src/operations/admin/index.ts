import type { Logger } from 'pino';
import { z } from 'zod';
import type { Database } from '../../../core/database/database.js';
import type { Clock } from '../../../core/domain/clock.js';
import type { Config } from '../../../core/process/config.js';
import { enqueueBlend, enqueueIngest } from '../../../core/queues/enqueue.js';
import { HttpError } from '../../http/errors.js';
import type { Mount } from '../../http/express-adapter.js';
import { strictQuery } from '../../http/query.js';
import { type Reply, uncachedJson } from '../../http/reply.js';
import { defineRoute, type Route } from '../../http/route.js';
import { type QueueAccess, withQueues } from '../queue-access.js';
import { boardMount } from './board.js';
import {
  ingestDescription,
  jobDescription,
  rebuildDescription,
  runsDescription,
  setAsideDescription,
} from './describe.js';
import { requireToken } from './guard.js';
import { findJob, jobOfRun } from './jobs.js';
import { loginRoutes } from './login.js';
import { readRuns } from './runs.js';
import { listSetAside } from './set-aside.js';
import { openOperators } from './token.js';
import { providerKey, readWindow } from './window.js';

interface AdminDependencies {
  config: Pick<Config, 'ADMIN_TOKEN'>;
  clock: Clock;
  log: Logger;
  database: Database;
  queues?: QueueAccess | undefined;
}

/** What operators use: routes, and what is mounted beside them. */
export interface Admin {
  routes: Route[];
  mounts: Mount[];
}

const LARGEST_PAGE = 200;
const noQuery = strictQuery(z.object({}));

const runsQuery = strictQuery(
  z.object({
    limit: z
      .string()
      .refine((text) => /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= LARGEST_PAGE, {
        error: `limit must be a whole number from 1 to ${LARGEST_PAGE}`,
      })
      .default('50')
      .transform(Number)
      .meta({ type: 'integer', minimum: 1, maximum: LARGEST_PAGE }),
    before: z
      .string()
      .regex(/^\d{1,18}$/, { error: 'before must be the id of a run' })
      .optional()
      .meta({ description: 'Only runs older than this one' }),
  }),
);

/** Everything under `/admin`, for who has the token. Without a token configured there is nothing there. */
export function createAdmin(dependencies: AdminDependencies): Admin {
  const { config, log, queues } = dependencies;
  if (config.ADMIN_TOKEN === undefined) return { routes: [], mounts: [] };
  const operators = openOperators(config.ADMIN_TOKEN);
  const guard = requireToken(operators);
  return {
    routes: [
      ...loginRoutes(operators, log),
      ...jobRoutes(dependencies).map((route) => ({ ...route, guard })),
      ...runRoutes(dependencies).map((route) => ({ ...route, guard })),
    ],
    // Nobody without the token learns which paths there are.
    mounts: [boardMount(operators, queues), { path: '/admin', guard }],
  };
}

function jobRoutes({ clock, log, queues }: AdminDependencies): Route[] {
  return [
    defineRoute({
      method: 'post',
      path: '/admin/providers/:key/ingest',
      query: noQuery,
      body: 'json',
      description: ingestDescription,
      async handle(_query, context) {
        const provider = providerKey(context.params.key ?? '');
        const window = readWindow(context, clock);
        const id = await withQueues(queues, ({ ingest }) => enqueueIngest(ingest, { provider, ...window }));
        log.info({ provider, ...window, job: id }, 'an operator asked for an ingest');
        return acceptedReply(id);
      },
    }),
    defineRoute({
      method: 'post',
      path: '/admin/blend/rebuild',
      query: noQuery,
      description: rebuildDescription,
      async handle() {
        const id = await withQueues(queues, ({ blend }) => enqueueBlend(blend, null));
        log.info({ job: id }, 'an operator asked for everything to be blended again');
        return acceptedReply(id);
      },
    }),
  ];
}

function runRoutes({ database, queues }: AdminDependencies): Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/admin/jobs/:id',
      query: noQuery,
      description: jobDescription,
      async handle(_query, { params: { id = '' } }) {
        const job =
          (await withQueues(queues, (opened) => findJob(opened, id))) ??
          (await jobOfRun(database, id).catch(databaseUnavailable));
        if (!job) throw new HttpError(404, `no such job: ${id}`);
        return uncachedJson({ success: true, job });
      },
    }),
    defineRoute({
      method: 'get',
      path: '/admin/providers/:key/runs',
      query: runsQuery,
      description: runsDescription,
      async handle({ limit, before }, { params }) {
        const provider = providerKey(params.key ?? '');
        const runs = await readRuns(database, provider, { limit, before }).catch(databaseUnavailable);
        const last = runs.length === limit ? runs.at(-1) : undefined;
        const next = last ? `/admin/providers/${provider}/runs?limit=${limit}&before=${last.id}` : null;
        return uncachedJson({ success: true, provider, runs, next });
      },
    }),
    defineRoute({
      method: 'get',
      path: '/admin/providers/:key/set-aside',
      query: noQuery,
      description: setAsideDescription,
      async handle(_query, { params }) {
        const provider = providerKey(params.key ?? '');
        const windows = await listSetAside(database, provider).catch(databaseUnavailable);
        return uncachedJson({ success: true, provider, windows });
      },
    }),
  ];
}

function acceptedReply(id: string): Reply {
  const watch = `/admin/jobs/${encodeURIComponent(id)}`;
  return { ...uncachedJson({ success: true, job: { id, watch } }, 202), headers: ['location', watch] };
}

function databaseUnavailable(cause: unknown): never {
  throw new HttpError(503, 'the database can not be reached', { cause, headers: { 'retry-after': '5' } });
}
