import express, { type Request, Router } from 'express';
import { z } from 'zod';
import { enqueueBlend, enqueueIngest } from '../../../core/queues/enqueue.js';
import type { AppContext } from '../../context.js';
import { sendFresh } from '../../http/bodies.js';
import { HttpError } from '../../http/errors.js';
import { readQuery } from '../../http/parameters.js';
import { withQueues } from '../queue-access.js';
import { board } from './board.js';
import { describeAdmin, runsQuery } from './describe.js';
import { requireOperator, requireToken } from './guard.js';
import { findJob, jobOfRun } from './jobs.js';
import { loginRoutes } from './login.js';
import { readRuns } from './runs.js';
import { openOperators } from './token.js';
import { providerKey, readWindow } from './window.js';

type AdminContext = Pick<AppContext, 'config' | 'clock' | 'log' | 'database' | 'document' | 'queues'>;

const none = z.object({});

/** Everything under `/admin`, for who has the token. Without a token configured there is nothing there. */
export function adminRoutes(context: AdminContext): Router {
  const router = Router();
  const { config, clock, log, database, document, queues } = context;
  if (config.ADMIN_TOKEN === undefined) return router;
  const operators = openOperators(config.ADMIN_TOKEN);
  describeAdmin(document);

  router.use(loginRoutes(operators, log));
  router.use('/admin/queues', requireOperator(operators), board(queues));
  router.use('/admin', requireToken(operators));
  const json = express.json({ limit: '4kb', strict: true });

  router.post('/admin/providers/:key/ingest', json, async (request: Request<{ key: string }>, response) => {
    readQuery(request, none);
    const provider = providerKey(request.params.key);
    const window = readWindow(request, clock);
    const id = await withQueues(queues, ({ ingest }) => enqueueIngest(ingest, { provider, ...window }));
    log.info({ provider, ...window, job: id }, 'an operator asked for an ingest');
    accepted(response, id);
    sendFresh(request, response, { success: true, job: { id, watch: watchAt(id) } });
  });

  router.post('/admin/blend/rebuild', async (request, response) => {
    readQuery(request, none);
    const id = await withQueues(queues, ({ blend }) => enqueueBlend(blend, null));
    log.info({ job: id }, 'an operator asked for everything to be blended again');
    accepted(response, id);
    sendFresh(request, response, { success: true, job: { id, watch: watchAt(id) } });
  });

  router.get('/admin/jobs/:id', async (request, response) => {
    readQuery(request, none);
    const { id } = request.params;
    const job =
      (await withQueues(queues, (opened) => findJob(opened, id))) ??
      (await jobOfRun(database, id).catch(databaseAway));
    if (!job) throw new HttpError(404, `no such job: ${id}`);
    sendFresh(request, response, { success: true, job });
  });

  router.get('/admin/providers/:key/runs', async (request, response) => {
    const { limit, before } = readQuery(request, runsQuery);
    const provider = providerKey(request.params.key);
    const runs = await readRuns(database, provider, { limit, before }).catch(databaseAway);
    const last = runs.length === limit ? runs.at(-1) : undefined;
    const next = last ? `/admin/providers/${provider}/runs?limit=${limit}&before=${last.id}` : null;
    sendFresh(request, response, { success: true, provider, runs, next });
  });
  return router;
}

function accepted(response: express.Response, id: string): void {
  response.statusCode = 202;
  response.setHeader('location', watchAt(id));
}

function watchAt(id: string): string {
  return `/admin/jobs/${encodeURIComponent(id)}`;
}

function databaseAway(cause: unknown): never {
  throw new HttpError(503, 'the database can not be reached', { cause, headers: { 'retry-after': '5' } });
}
