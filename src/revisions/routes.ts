import { readInPortions } from '../../core/concurrency/read-in-portions.js';
import type { ReadRevisions, Revision } from '../../core/database/revisions.js';
import type { Clock } from '../../core/domain/clock.js';
import { NOW } from '../../core/domain/surrogate-keys.js';
import { fromAfterTo } from '../http/date-hints.js';
import { errorResponses } from '../http/error-responses.js';
import { parameterError } from '../http/errors.js';
import { describeList, inEachFormat } from '../http/list-formats.js';
import { strictQuery } from '../http/query.js';
import { CONTENT_TYPES, encodeManyRecords, type Format, formatFor, varyOf } from '../http/record-formats.js';
import type { Reply } from '../http/reply.js';
import { entityTag, moving } from '../http/representation.js';
import { defineRoute, type Route, type RouteDescription } from '../http/route.js';
import { storeUnavailable } from '../http/store-unavailable.js';
import { writeCursor } from './cursor.js';
import { exampleRevisions } from './examples.js';
import { type PublicRevision, REVISION_COLUMNS, revisionSchema, revisionsQuery } from './schemas.js';

interface RevisionsDependencies {
  readRevisions: ReadRevisions;
  clock: Clock;
}

const JOINED = { joined: ['providers', 'quotes'] };

/** `GET /v2/revisions`, with an extension for each format. */
export function revisionsRoutes({ readRevisions, clock }: RevisionsDependencies): Route[] {
  const revisions = (path: string, chosen?: Format) =>
    defineRoute({
      method: 'get',
      path,
      limit: 'currency',
      query: strictQuery(revisionsQuery, JOINED),
      description: describe(chosen),
      handle({ quotes, limit, cursor, ...filter }, { headers, yieldNow }) {
        const { since, until, from, to } = filter;
        if (since !== undefined && until !== undefined && since > until)
          throw parameterError(422, 'since', 'since is after until: swap them');
        if (from !== undefined && to !== undefined && from > to)
          throw parameterError(422, 'from', fromAfterTo(from, to));
        const format = chosen ?? formatFor(headers.accept);
        const read = (most: number, after: Pick<Revision, 'id' | 'replacedAt'> | undefined = cursor) =>
          readRevisions({ ...filter, currencies: quotes, after }, most);
        const validity = {
          cacheControl: () => moving(clock),
          vary: varyOf(chosen),
          surrogateKeys: () => [NOW],
        };
        async function make(): Promise<Reply> {
          // One more than is shown tells whether there are more.
          const found = await readInPortions(read, { limit: limit + 1, yieldNow }).catch(storeUnavailable);
          const shown = found.slice(0, limit);
          const last = shown.at(-1);
          const next = found.length > limit && last ? ['x-next-cursor', writeCursor(last)] : [];
          const { body, hash } = await encodeManyRecords(presented(shown), REVISION_COLUMNS, {
            format,
            yieldNow,
          });
          return {
            validity: { ...validity, tag: entityTag('revisions', format, hash) },
            content: { type: CONTENT_TYPES[format], body, headers: next },
          };
        }
        // A revision takes two kilobytes until its response is sent.
        return { validity, cost: { rows: 0, rawDays: 0, wholeBytes: 2_048 * limit }, make };
      },
    });
  return inEachFormat('/v2/revisions', revisions);
}

function* presented(revisions: readonly Revision[]): Generator<PublicRevision> {
  for (const { provider, date, base, quote, rate, was, recordedAt, replacedAt, cause } of revisions) {
    const [recorded_at, replaced_at] = [recordedAt.toISOString(), replacedAt.toISOString()];
    yield { provider, date, base, quote, rate, was, recorded_at, replaced_at, cause };
  }
}

function describe(format?: Format): RouteDescription {
  const { summary, content } = describeList(
    {
      summary: 'Corrected rates, and why',
      record: 'a revision',
      schema: revisionSchema,
      example: exampleRevisions,
      columns: REVISION_COLUMNS,
    },
    format,
  );
  return {
    summary,
    description: [
      'Rates that sources restated after they were recorded, and rates that are read better since: what was recorded, what',
      'replaced it, and when. Newest first. Read more than `limit` page by page: the',
      '`x-next-cursor` of a response is the `cursor` of the next request.',
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
      ...errorResponses({ 422: 'invalid provider: ZZZ', 503: 'the store can not be reached' }),
    },
  };
}
