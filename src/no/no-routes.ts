import * as z from 'zod';
import { within } from '../../core/concurrency/within.js';
import type { Database } from '../../core/database/database.js';
import { drawPhrase } from '../../core/database/refusal-phrases.js';
import { readDataFile } from '../../core/process/project-files.js';
import { HttpError } from '../http/errors.js';
import { uncachedJson } from '../http/reply.js';
import { defineRoute, type Route } from '../http/route.js';
import { errorResponses, jsonResponse } from '../openapi/responses.js';

const EMPTY = 'no phrase is stored';

const reason = z.string().meta({ example: 'My calendar saw your request and closed itself.' });
const refusalReply = z.object({ success: z.literal(true), reason }).meta({ id: 'Refusal' });

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
          200: jsonResponse('The phrase', refusalReply),
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

const LONGEST_MS = 2_000;
const UNREACHABLE = 'the database cannot be reached';

/** All with equal probability. Throws an HttpError 502 within two seconds if the database does not respond. */
export async function randomPhrase(database: Database): Promise<string | undefined> {
  const drawing = drawPhrase(database, LONGEST_MS).then((phrase) => ({ phrase }));
  // Opening a connection has a timeout of its own, which is longer than a client should wait.
  const drawn = await within(LONGEST_MS, drawing, undefined).catch((cause: unknown) => {
    throw new HttpError(502, UNREACHABLE, { cause });
  });
  if (!drawn) throw new HttpError(502, UNREACHABLE, { cause: new Error('no answer in time') });
  return drawn.phrase;
}

const phraseList = z.array(z.string().min(1)).min(1);

/** In a database the phrases belong to the operator, who may edit and delete them. */
export function readPhrases(): string[] {
  return readDataFile('phrases.json', phraseList);
}
