import { Router } from 'express';
import { z } from 'zod';
import type { Database } from '../../core/database.js';
import type { AppContext } from '../context.js';
import { sendFresh } from '../http/bodies.js';

const DATABASE_TIMEOUT_MS = 1_000;

const part = z.enum(['up', 'down']);
const live = z.object({ status: z.literal('up') });
const ready = z.object({
  status: z.enum(['ready', 'degraded', 'down']).meta({
    description: 'degraded: something is away, yet rates are answered from memory',
  }),
  snapshot: part,
  database: part,
});

/** `GET /health/live` and `GET /health/ready`. */
export function healthRoutes(
  context: Pick<AppContext, 'snapshot' | 'catalogue' | 'database' | 'document'>,
): Router {
  const { snapshot, catalogue, database, document } = context;
  const router = Router();

  document.registerPath({
    method: 'get',
    path: '/health/live',
    summary: 'Whether the process answers',
    tags: ['Operations'],
    responses: {
      200: {
        description: 'It does',
        content: { 'application/json': { schema: live, example: { status: 'up' } } },
      },
    },
  });
  router.get('/health/live', (request, response) => {
    sendFresh(request, response, { status: 'up' });
  });

  document.registerPath({
    method: 'get',
    path: '/health/ready',
    summary: 'Whether rates are answered',
    tags: ['Operations'],
    responses: {
      200: {
        description: 'They are',
        content: {
          'application/json': {
            schema: ready,
            example: { status: 'ready', snapshot: 'up', database: 'up' },
          },
        },
      },
      503: {
        description: 'Not yet',
        content: {
          'application/json': {
            schema: ready,
            example: { status: 'down', snapshot: 'down', database: 'down' },
          },
        },
      },
    },
  });
  router.get('/health/ready', async (request, response) => {
    const loaded = snapshot.current() !== undefined && catalogue.current() !== undefined;
    const reachable = await isReachable(database);
    response.statusCode = loaded ? 200 : 503;
    sendFresh(request, response, {
      status: !loaded ? 'down' : reachable ? 'ready' : 'degraded',
      snapshot: loaded ? 'up' : 'down',
      database: reachable ? 'up' : 'down',
    });
  });

  return router;
}

/** Whether the database answers within a second; what it says otherwise is no news to whoever asks for health. */
async function isReachable({ pool }: Database): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, DATABASE_TIMEOUT_MS, false);
  });
  const asked = pool.query('select 1').then(
    () => true,
    () => false,
  );
  const reachable = await Promise.race([asked, tooLate]);
  clearTimeout(timer);
  return reachable;
}
