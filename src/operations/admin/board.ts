import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type { IServerAdapter } from '@bull-board/api/typings/app';
import { ExpressAdapter } from '@bull-board/express';
import type { Queue } from 'bullmq';
import type { RequestHandler } from 'express';
import type { Queues } from '../../../core/queues/queues.js';
import type { Mount } from '../../http/express-adapter.js';
import { type QueueAccess, withQueues } from '../queue-access.js';
import { requireOperator } from './guard.js';
import type { Operators } from './token.js';

const PATH = '/admin/queues';

/** Its own scripts and styles, a worker that it makes itself, and nothing from elsewhere. */
const PAGE_POLICY = [
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

/** Bull Board, to look at the jobs and to try them again. */
export function boardMount(operators: Operators, access: QueueAccess | undefined): Mount {
  const boards = new WeakMap<Queues, RequestHandler>();
  return {
    path: PATH,
    securityPolicy: PAGE_POLICY,
    guard: requireOperator(operators),
    async application() {
      const queues = await withQueues(access, async (opened) => opened);
      const board = boards.get(queues) ?? createBoard(queues);
      boards.set(queues, board);
      return board;
    },
  };
}

// Its types know of queues on Redis only, and of looser checks; it runs on both kinds.
function createBoard(queues: Queues): RequestHandler {
  const serverAdapter = new ExpressAdapter();
  serverAdapter.setBasePath(PATH);
  createBullBoard({
    queues: [queues.ingest, queues.blend].map((queue) => new BullMQAdapter(queue as unknown as Queue)),
    serverAdapter: serverAdapter as unknown as IServerAdapter,
    options: { uiConfig: { boardTitle: 'Almanac' } },
  });
  return serverAdapter.getRouter();
}
