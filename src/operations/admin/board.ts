import type { RequestHandler } from 'express';
import type { Database } from '../../../core/database/database.js';
import { forgetPendingJobs } from '../../../core/database/operators.js';
import type { Queues } from '../../../core/queues/queues.js';
import { databaseUnavailable, HttpError } from '../../http/errors.js';
import type { Exchange } from '../../http/exchange.js';
import type { Mount } from '../../http/express-adapter.js';
import { isRead } from '../../http/route.js';
import { type QueueAccess, withQueues } from '../queue-access.js';
import type { Audit } from './audit.js';
import type { PageOperator } from './guard.js';

const PATH = '/admin/queues';

/** Allows the board's own scripts and styles, and a worker that it creates itself. */
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

/** Requests that remove jobs. Removed jobs must not be added again as if the queue had lost them. */
const REMOVAL = /^\/api\/queues\/(\w+)\/(?:([^/]+)\/clean(?:\?|$)|clean\/|empty|obliterate)/;

interface BoardOptions {
  /** Identifies the operator. Throws if there is none. */
  identify(exchange: Exchange): Promise<PageOperator>;
  audit: Audit;
  database: Database;
  queues: QueueAccess | undefined;
  /** Whether any operators are configured. */
  isUsed: boolean;
  /** Whether jobs and queues may be changed. */
  writes: boolean;
}

/** Bull Board, which shows the jobs, and can change them if `writes` is set. */
export function boardMount({
  identify,
  audit,
  database,
  queues: access,
  isUsed,
  writes,
}: BoardOptions): Mount {
  const boards = new WeakMap<Queues, RequestHandler>();
  const load = () => import('./create-board.js');
  // Loaded at the start: later the process may have no free file descriptor to open it.
  const loading = isUsed ? load() : undefined;
  return {
    path: PATH,
    securityPolicy: PAGE_POLICY,
    async guard(exchange) {
      const operator = await identify(exchange);
      if ('reply' in operator) return operator.reply;
      const { method = '', url = '' } = exchange.request;
      if (isRead(method)) return undefined;
      if (!writes) throw new HttpError(403, 'jobs can only be looked at here: set ADMIN_BOARD_WRITES=on');
      const { client, headers } = exchange;
      await audit
        .record({ client, headers, ...operator }, 'board', { method, path: `${PATH}${url}` })
        .catch(databaseUnavailable);
      const [, queue, job] = REMOVAL.exec(url) ?? [];
      if (queue === 'ingest' || queue === 'blend')
        await forgetPendingJobs(database, job === undefined ? { queue } : { id: job }).catch(
          databaseUnavailable,
        );
      return undefined;
    },
    async application() {
      const { createBoard } = await (loading ?? load());
      const queues = await withQueues(access, async (opened) => opened);
      const board = boards.get(queues) ?? createBoard(queues, writes);
      boards.set(queues, board);
      return board;
    },
  };
}
