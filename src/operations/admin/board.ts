import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type { IServerAdapter } from '@bull-board/api/typings/app';
import { ExpressAdapter } from '@bull-board/express';
import type { Queue } from 'bullmq';
import type { RequestHandler } from 'express';
import type { Queues } from '../../../core/queues/queues.js';
import { labelRoute } from '../../http/route-label.js';
import { type QueueAccess, withQueues } from '../queue-access.js';

const PATH = '/admin/queues';

/** Its own scripts and styles, a worker that it makes itself, and nothing from elsewhere. */
const CONTENT_SECURITY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self' blob:",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Bull Board, to look at the jobs and to try them again. To be mounted at `/admin/queues`. */
export function board(access: QueueAccess | undefined): RequestHandler {
  const made = new WeakMap<Queues, RequestHandler>();
  return async (request, response, next) => {
    labelRoute(request, `${PATH}/*`);
    const queues = await withQueues(access, async (opened) => opened);
    let handler = made.get(queues);
    if (!handler) {
      handler = boardOver(queues);
      made.set(queues, handler);
    }
    response.setHeader('content-security-policy', CONTENT_SECURITY);
    return handler(request, response, next);
  };
}

// Its types know of queues on Redis only, and of looser checks; it runs on both kinds.
function boardOver(queues: Queues): RequestHandler {
  const serverAdapter = new ExpressAdapter();
  serverAdapter.setBasePath(PATH);
  createBullBoard({
    queues: [queues.ingest, queues.blend].map((queue) => new BullMQAdapter(queue as unknown as Queue)),
    serverAdapter: serverAdapter as unknown as IServerAdapter,
    options: { uiConfig: { boardTitle: 'Almanac' } },
  });
  return serverAdapter.getRouter();
}
