import type { RequestHandler } from 'express';
import { HttpError } from '../../http/errors.js';
import { isRead } from '../../http/exchange.js';
import type { Mount } from '../../http/express-adapter.js';
import { withQueues } from '../queue-access.js';
import type { Operators } from './operators.js';

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

/** Bull Board, read-only: only the routes for operators change jobs, as they record who did it. */
export function boardMount({ identify, queues: access }: Pick<Operators, 'identify' | 'queues'>): Mount {
  let board: RequestHandler | undefined;
  return {
    path: PATH,
    securityPolicy: PAGE_POLICY,
    async guard(exchange) {
      const operator = await identify(exchange, exchange.request.method);
      if ('reply' in operator) return operator.reply;
      if (!isRead(exchange.request.method)) throw new HttpError(403, 'jobs are read-only here');
      return undefined;
    },
    async application() {
      const { createBoard } = await import('./create-board.js');
      const queues = await withQueues(access, async (opened) => opened);
      board ??= createBoard(queues, PATH);
      return board;
    },
  };
}
