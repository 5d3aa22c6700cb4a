import * as z from 'zod';
import { databaseUnavailable, HttpError } from '../http/errors.js';
import { hashedJson } from '../http/reply.js';
import { defineRoute, type Route } from '../http/route.js';
import { errorResponses, jsonResponse } from '../openapi/responses.js';
import { strictQuery } from '../parameters/query.js';

const publication = z
  .object({
    url: z.string().nullable().meta({ description: 'Where its files are; null if unknown' }),
    origin: z.string().meta({ description: 'The name of the publication' }),
    keys: z.array(z.string()).readonly().meta({
      description:
        'The public keys that sign it, in the form of `PUBLICATION_KEY` and `verify-publication --key`',
    }),
  })
  .meta({ id: 'Publication' });

/** Undefined if there is no publication. Throws errors of the database. */
export type FindPublication = () => Promise<z.output<typeof publication> | undefined>;

const NOTHING = 'nothing is published here';
const MOVING = 'public, max-age=60';

export function publicationRoutes({ findPublication }: { findPublication: FindPublication }): Route[] {
  return [
    defineRoute({
      path: '/v2/publication',
      limit: 'currency',
      query: strictQuery(z.object({})),
      description: {
        summary: 'Where the rates are published as files',
        tags: ['Sources'],
        responses: {
          200: jsonResponse('The publication', publication, {
            url: 'https://rates.example.org/almanac',
            origin: 'rates.example.org/almanac',
            keys: ['rates.example.org/almanac+4d905bc1+AddamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea'],
          }),
          ...errorResponses({ 404: NOTHING, 503: 'the store cannot be reached' }),
        },
      },
      async handle() {
        const found = await findPublication().catch(databaseUnavailable);
        if (!found) throw new HttpError(404, NOTHING);
        const { url, origin, keys } = found;
        return hashedJson('publication', { url, origin, keys }, MOVING);
      },
    }),
  ];
}
