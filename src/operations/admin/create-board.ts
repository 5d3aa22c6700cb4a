import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type { IServerAdapter } from '@bull-board/api/typings/app';
import { ExpressAdapter } from '@bull-board/express';
import type { Queue } from 'bullmq';
import type { RequestHandler } from 'express';
import type { Queues } from '../../../core/queues/queues.js';

/** A read-only board. Its types only declare queues on Redis, hence the casts. */
export function createBoard(queues: Queues, path: string): RequestHandler {
  const serverAdapter = new ExpressAdapter();
  serverAdapter.setBasePath(path);
  createBullBoard({
    queues: [queues.ingest, queues.blend].map(
      (queue) => new BullMQAdapter(queue as unknown as Queue, { readOnlyMode: true }),
    ),
    serverAdapter: serverAdapter as unknown as IServerAdapter,
    options: {
      uiConfig: {
        boardTitle: 'Almanac',
        miscLinks: [
          { text: 'For operators', url: '/admin' },
          { text: 'Log out', url: '/admin/logout' },
        ],
      },
    },
  });
  return serverAdapter.getRouter();
}
