import type { ReadRevisions, Revision } from '../../core/database/revisions.js';
import {
  CONTENT_TYPES,
  describeList,
  encodeRecords,
  type Format,
  formatFor,
  inEachFormat,
  varyOf,
} from '../formats/record-formats.js';
import { parameterError, storeUnavailable } from '../http/errors.js';
import type { Content } from '../http/reply.js';
import { entityTag, MOVING } from '../http/representation.js';
import { defineRoute, type Route, type RouteDescription } from '../http/route.js';
import { errorResponses, UNKNOWN_PROVIDER } from '../openapi/responses.js';
import { fromAfterTo } from '../parameters/hints.js';
import { strictQuery } from '../parameters/query.js';
import {
  exampleRevisions,
  type PublicRevision,
  REVISION_COLUMNS,
  revisionSchema,
  revisionsQuery,
  writeCursor,
} from './schemas.js';

const JOINED = { joined: ['providers', 'quotes'] };

export function revisionsRoutes(): Route[] {
  const revisions = (path: string, chosen?: Format) =>
    defineRoute({
      path,
      limit: 'currency',
      query: strictQuery(revisionsQuery, JOINED),
      description: describe(),
      handle({ quotes, limit, cursor, ...filter }, { headers }) {
        const { since, until, from, to } = filter;
        if (since !== undefined && until !== undefined && since > until)
          throw parameterError(422, 'since', 'since is after until: swap them');
        if (from !== undefined && to !== undefined && from > to)
          throw parameterError(422, 'from', fromAfterTo(from, to));
        const format = chosen ?? formatFor(headers.accept);
        return {
          maker: 'revisions',
          input: { filter: { ...filter, currencies: quotes, after: cursor }, limit, format },
          snapshot: undefined,
          validity: { cacheControl: MOVING, vary: varyOf(chosen) },
          // A revision takes two kilobytes until its response is sent.
          cost: { rows: 0, rawDays: 0, wholeBytes: 2_048 * limit },
        };
      },
    });
  return inEachFormat('/v2/revisions', revisions);
}

interface RevisionsInput {
  filter: Parameters<ReadRevisions>[0];
  limit: number;
  format: Format;
}

/** Throws an HttpError 503 if the database is unreachable. */
export async function makeRevisions(
  { filter, limit, format }: RevisionsInput,
  { readRevisions }: { readRevisions: ReadRevisions },
): Promise<Content> {
  const found = await readRevisions(filter, limit + 1).catch(storeUnavailable);
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  const headers = found.length > limit && last ? ['x-next-cursor', writeCursor(last)] : [];
  const body = encodeRecords(shown.map(presented), REVISION_COLUMNS, format);
  const tag = entityTag('revisions', format, body);
  return { type: CONTENT_TYPES[format], body: Buffer.from(body), headers, tag };
}

function presented(revision: Revision): PublicRevision {
  const { provider, date, base, quote, rate, was, sides, recordedAt, replacedAt, cause } = revision;
  const [recorded_at, replaced_at] = [recordedAt.toISOString(), replacedAt.toISOString()];
  const isOther = sides.buy !== sides.buy_was || sides.sell !== sides.sell_was;
  const replaced = { provider, date, base, quote, rate, was, recorded_at, replaced_at, cause };
  return isOther ? { ...replaced, ...sides } : replaced;
}

function describe(): RouteDescription {
  const content = describeList({
    schema: revisionSchema,
    example: exampleRevisions,
    columns: REVISION_COLUMNS,
  });
  return {
    summary: 'Changes of recorded rates, and their causes',
    description: [
      'Rates that changed after they were recorded, because the source corrected them or because Almanac now reads the source',
      'better: the old rate, the new rate and the time of the change. Newest first. To read the next page, send the',
      '`x-next-cursor` of the response as `cursor`.',
    ].join('\n'),
    tags: ['Corrections'],
    responses: {
      200: {
        description: 'Revisions',
        headers: {
          'x-next-cursor': {
            description: 'Cursor of the next page; absent on the last one',
            schema: { type: 'string' },
          },
        },
        content,
      },
      ...errorResponses({ 422: UNKNOWN_PROVIDER, 503: 'the store cannot be reached' }),
    },
  };
}
