import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type { IServerAdapter } from '@bull-board/api/typings/app';
import { ExpressAdapter } from '@bull-board/express';
import type { Queue } from 'bullmq';
import type { RequestHandler } from 'express';
import type { Queues } from '../../../core/queues/queues.js';
import { HttpError } from '../../http/errors.js';
import type { Exchange } from '../../http/exchange.js';
import type { Mount } from '../../http/express-adapter.js';
import { type QueueAccess, withQueues } from '../queue-access.js';
import type { Audit } from './audit.js';
import { databaseUnavailable } from './database-unavailable.js';
import { isRead, type PageOperator } from './guard.js';

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

interface BoardOptions {
  /** Tells who asks, or throws. */
  identify(exchange: Exchange): Promise<PageOperator>;
  audit: Audit;
  queues: QueueAccess | undefined;
  /** Whether jobs and queues may be changed, and not only looked at. */
  writes: boolean;
}

/** Bull Board, to look at the jobs and, where that is allowed, to change them. */
export function boardMount({ identify, audit, queues: access, writes }: BoardOptions): Mount {
  const boards = new WeakMap<Queues, RequestHandler>();
  return {
    path: PATH,
    securityPolicy: PAGE_POLICY,
    async guard(exchange) {
      const operator = await identify(exchange);
      if ('reply' in operator) return operator.reply;
      const { method = '', url = '' } = exchange.request;
      if (isRead(method)) return undefined;
      if (!writes) throw new HttpError(403, 'jobs can only be looked at here: set ADMIN_BOARD_WRITES=on');
      const { client } = exchange;
      await audit
        .record({ client, ...operator }, 'board', { method, path: `${PATH}${url}` })
        .catch(databaseUnavailable);
      return undefined;
    },
    async application() {
      const queues = await withQueues(access, async (opened) => opened);
      const board = boards.get(queues) ?? createBoard(queues, writes);
      boards.set(queues, board);
      return board;
    },
  };
}

// Its types know of queues on Redis only, and of looser checks; it runs on both kinds.
function createBoard(queues: Queues, writes: boolean): RequestHandler {
  const serverAdapter = new ExpressAdapter();
  serverAdapter.setBasePath(PATH);
  createBullBoard({
    queues: [queues.ingest, queues.blend].map(
      (queue) => new BullMQAdapter(queue as unknown as Queue, { readOnlyMode: !writes }),
    ),
    serverAdapter: serverAdapter as unknown as IServerAdapter,
    options: { uiConfig: { boardTitle: 'Almanac', miscLinks: [{ text: 'Log out', url: '/admin/logout' }] } },
  });
  return serverAdapter.getRouter();
}
