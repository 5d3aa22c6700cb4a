import { Router } from 'express';
import { z } from 'zod';
import type { AppContext } from '../context.js';
import { sendFresh } from '../http/bodies.js';
import { errorResponses } from '../http/error-responses.js';
import { HttpError } from '../http/errors.js';
import { PhrasesUnreachable, randomPhrase } from './random-phrase.js';

const UNREACHABLE = 'the database can not be reached';
const EMPTY = 'no phrase is stored';

const refusalAnswer = z.object({ success: z.literal(true), reason: z.string() }).meta({ id: 'Refusal' });

/** `GET /no`, from PostgreSQL. */
export function refusalRoutes({ database, document }: Pick<AppContext, 'database' | 'document'>): Router {
  document.registerPath({
    method: 'get',
    path: '/no',
    summary: 'A random way to say no',
    tags: ['Games'],
    responses: {
      200: {
        description: 'The phrase',
        content: {
          'application/json': {
            schema: refusalAnswer,
            example: { success: true, reason: 'My calendar saw your request and closed itself.' },
          },
        },
      },
      ...errorResponses({ 502: UNREACHABLE, 503: EMPTY }),
    },
  });
  const router = Router();
  router.get('/no', async (request, response) => {
    const reason = await randomPhrase(database).catch((cause: unknown) => {
      if (cause instanceof PhrasesUnreachable) throw new HttpError(502, UNREACHABLE, { cause });
      throw cause;
    });
    if (reason === undefined) throw new HttpError(503, EMPTY, { headers: { 'retry-after': '60' } });
    sendFresh(request, response, { success: true, reason });
  });
  return router;
}
