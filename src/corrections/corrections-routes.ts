import { z } from 'zod';
import { readInPortions } from '../../core/concurrency/read-in-portions.js';
import type { ReadRevisions, Revision } from '../../core/database/revisions.js';
import type { ReadSuspects } from '../../core/database/suspects.js';
import type { Clock } from '../../core/domain/clock.js';
import { NOW } from '../../core/domain/surrogate-keys.js';
import { errorResponses } from '../http/error-responses.js';
import { originOf } from '../http/origin.js';
import { strictQuery } from '../http/query.js';
import { entityTag, moving } from '../http/representation.js';
import { defineRoute, type Route } from '../http/route.js';
import { storeUnavailable } from '../http/store-unavailable.js';
import { ATOM_TYPE, atomXml } from './atom.js';
import { correctionEntries, suspectEntry } from './entries.js';

interface Dependencies {
  readRevisions: ReadRevisions;
  readSuspects: ReadSuspects;
  clock: Clock;
}

const PATH = '/corrections.atom';
const MOST_REVISIONS = 1_000;
const MOST_SUSPECTS = 100;
const MOST_ENTRIES = 100;
/** Names the feed wherever it is served. */
const FEED_ID = 'urn:uuid:6a1f4c52-9a53-8c0e-8b7d-3f6c1d2e9b40';

/** `GET /corrections.atom`: the last corrections of sources, and rates that were held back, for feed readers. */
export function correctionsRoutes({ readRevisions, readSuspects, clock }: Dependencies): Route[] {
  return [
    defineRoute({
      method: 'get',
      path: PATH,
      limit: 'currency',
      query: strictQuery(z.object({})),
      description: {
        summary: 'Corrections and held-back rates as an Atom feed',
        description:
          'The last corrections of sources, one entry for all rates that were replaced together, and the last rates ' +
          'that were held back. `/v2/revisions` and `/v2/suspects` have all of them.',
        tags: ['Corrections'],
        responses: {
          200: {
            description: 'An Atom feed',
            content: { 'application/atom+xml': { schema: z.string(), example: '<feed>…</feed>' } },
          },
          ...errorResponses({ 503: 'the store can not be reached' }),
        },
      },
      handle(_query, context) {
        const { yieldNow } = context;
        const validity = { cacheControl: () => moving(clock), surrogateKeys: () => [NOW] };
        return {
          validity,
          cost: { rows: 0, rawDays: 0, wholeBytes: 2_048 * (MOST_REVISIONS + MOST_SUSPECTS) },
          async make() {
            const origin = originOf(context);
            const [revisions, suspects] = await Promise.all([
              readInPortions((most, after?: Revision) => readRevisions({ after }, most), {
                limit: MOST_REVISIONS,
                yieldNow,
              }),
              readSuspects({}, MOST_SUSPECTS),
            ]).catch(storeUnavailable);
            await yieldNow();
            const entries = [
              ...correctionEntries(revisions, revisions.length < MOST_REVISIONS, origin),
              ...suspects.map((suspect) => suspectEntry(suspect, origin)),
            ]
              .sort((one, other) => other.updated.getTime() - one.updated.getTime())
              .slice(0, MOST_ENTRIES);
            await yieldNow();
            const body = atomXml({
              id: FEED_ID,
              title: 'Almanac: corrections of exchange rates',
              subtitle: 'Rates that sources have corrected, and rates that are held back from the blend.',
              author: 'Almanac',
              self: origin + PATH,
              page: `${origin}/status`,
              entries,
            });
            return {
              validity: { ...validity, tag: entityTag(PATH, body) },
              content: { type: ATOM_TYPE, body: Buffer.from(body) },
            };
          },
        };
      },
    }),
  ];
}
