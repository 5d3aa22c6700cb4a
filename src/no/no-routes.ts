import * as z from 'zod';
import { HttpError } from '../http/errors.js';
import { uncachedJson } from '../http/reply.js';
import { defineRoute, type Route } from '../http/route.js';
import { errorResponses, jsonResponse } from '../openapi/responses.js';
import { UNREACHABLE } from './random-phrase.js';

const EMPTY = 'no phrase is stored';

const refusalReply = z.object({ success: z.literal(true), reason: z.string() }).meta({ id: 'Refusal' });

/** Undefined if there is no phrase. Throws an HttpError 502. */
export type DrawPhrase = () => Promise<string | undefined>;

export function noRoutes({ drawPhrase }: { drawPhrase: DrawPhrase }): Route[] {
  return [
    defineRoute({
      path: '/no',
      limit: 'utility',
      description: {
        summary: 'A random way to say no',
        tags: ['Games'],
        responses: {
          200: jsonResponse('The phrase', refusalReply, {
            success: true,
            reason: 'My calendar saw your request and closed itself.',
          }),
          ...errorResponses({ 502: UNREACHABLE, 503: EMPTY }),
        },
      },
      async handle() {
        const reason = await drawPhrase();
        if (reason === undefined) throw new HttpError(503, EMPTY, { headers: { 'retry-after': '60' } });
        return uncachedJson({ success: true, reason });
      },
    }),
  ];
}
