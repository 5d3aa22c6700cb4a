import { Router } from 'express';
import { z } from 'zod';
import type { AppContext } from '../context.js';
import { sendFresh } from '../http/bodies.js';
import type { Probes } from './probes.js';

const part = z.enum(['up', 'down']);
const reach = z.enum(['up', 'down', 'unused']);
const live = z.object({ status: z.literal('up') });
const ready = z.object({
  status: z.enum(['ready', 'degraded', 'down']).meta({
    description: 'degraded: a server is away, yet rates are answered from memory',
  }),
  snapshot: part,
  database: reach,
  redis: reach.meta({ description: 'unused: there is none, and nothing needs it' }),
  queue: reach,
});

/** `GET /health/live` and `GET /health/ready`. */
export function healthRoutes(
  context: Pick<AppContext, 'snapshot' | 'catalogue' | 'document'>,
  probes: Probes,
): Router {
  const { snapshot, catalogue, document } = context;
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
            example: { status: 'ready', snapshot: 'up', database: 'up', redis: 'unused', queue: 'up' },
          },
        },
      },
      503: {
        description: 'Not yet',
        content: {
          'application/json': {
            schema: ready,
            example: { status: 'down', snapshot: 'down', database: 'down', redis: 'unused', queue: 'down' },
          },
        },
      },
    },
  });
  router.get('/health/ready', async (request, response) => {
    const loaded = snapshot.current() !== undefined && catalogue.current() !== undefined;
    const [database, redis, queue] = await Promise.all([probes.database(), probes.redis(), probes.queue()]);
    const away = [database, redis, queue].includes('down');
    response.statusCode = loaded ? 200 : 503;
    sendFresh(request, response, {
      status: !loaded ? 'down' : away ? 'degraded' : 'ready',
      snapshot: loaded ? 'up' : 'down',
      database,
      redis,
      queue,
    });
  });

  return router;
}
