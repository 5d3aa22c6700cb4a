import { z } from 'zod';
import type { ReadRevisions } from '../../core/database/revisions.js';
import type { ReadSuspects } from '../../core/database/suspects.js';
import type { Content } from '../http/reply.js';
import { entityTag, MOVING } from '../http/representation.js';
import { defineRoute, originOf, type Route } from '../http/route.js';
import { storeUnavailable } from '../http/store-unavailable.js';
import { errorResponses } from '../openapi/responses.js';
import { strictQuery } from '../parameters/query.js';
import { ATOM_TYPE, atomXml } from './atom.js';
import { correctionEntries, suspectEntry } from './entries.js';

const PATH = '/corrections.atom';
const MOST_REVISIONS = 1_000;
const MOST_SUSPECTS = 100;
const MOST_ENTRIES = 100;
/** Identifies the feed on every host. */
const FEED_ID = 'urn:uuid:6a1f4c52-9a53-8c0e-8b7d-3f6c1d2e9b40';

/** `GET /corrections.atom`: the latest corrections of sources, and rates that were held back, for feed readers. */
export function correctionsRoutes(): Route[] {
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
      handle: (_query, context) => ({
        maker: 'corrections',
        input: { origin: originOf(context) },
        snapshot: undefined,
        validity: { cacheControl: MOVING },
        cost: { rows: 0, rawDays: 0, wholeBytes: 2_048 * (MOST_REVISIONS + MOST_SUSPECTS) },
      }),
    }),
  ];
}

interface CorrectionsContext {
  readRevisions: ReadRevisions;
  readSuspects: ReadSuspects;
}

/** Makes the feed. Throws an HttpError 503 if the database is unreachable. */
export async function makeCorrections(
  { origin }: { origin: string },
  { readRevisions, readSuspects }: CorrectionsContext,
): Promise<Content> {
  const [revisions, suspects] = await Promise.all([
    readRevisions({}, MOST_REVISIONS),
    readSuspects({}, MOST_SUSPECTS),
  ]).catch(storeUnavailable);
  const entries = [
    ...correctionEntries(revisions, revisions.length < MOST_REVISIONS, origin),
    ...suspects.map((suspect) => suspectEntry(suspect, origin)),
  ]
    .sort((one, other) => other.updated.getTime() - one.updated.getTime())
    .slice(0, MOST_ENTRIES);
  const body = atomXml({
    id: FEED_ID,
    title: 'Almanac: corrections of exchange rates',
    subtitle: 'Rates that sources have corrected, and rates that are held back from the blend.',
    author: 'Almanac',
    self: origin + PATH,
    page: `${origin}/status`,
    entries,
  });
  return { type: ATOM_TYPE, body: Buffer.from(body), tag: entityTag(PATH, body) };
}
