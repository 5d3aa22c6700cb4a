import { readInPortions } from '../../core/concurrency/read-in-portions.js';
import type { ListedSuspect, ReadSuspects } from '../../core/database/suspects.js';
import type { Clock } from '../../core/domain/clock.js';
import { NOW } from '../../core/domain/surrogate-keys.js';
import { describeSuspect, exampleSuspect, type PublicSuspect, suspectSchema } from '../catalogue/suspect.js';
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
import { SUSPECT_COLUMNS, suspectRecords } from './encode.js';
import { suspectsQuery } from './schemas.js';

interface SuspectsDependencies {
  readSuspects: ReadSuspects;
  clock: Clock;
}

const JOINED = { joined: ['providers', 'quotes', 'status'] };

/** `GET /v2/suspects`, with an extension for each format. */
export function suspectsRoutes({ readSuspects, clock }: SuspectsDependencies): Route[] {
  const suspects = (path: string, chosen?: Format) =>
    defineRoute({
      method: 'get',
      path,
      limit: 'currency',
      query: strictQuery(suspectsQuery, JOINED),
      description: describe(chosen),
      handle({ quotes, status, limit, ...filter }, { headers, yieldNow }) {
        const { from, to } = filter;
        if (from !== undefined && to !== undefined && from > to)
          throw parameterError(422, 'from', fromAfterTo(from, to));
        const format = chosen ?? formatFor(headers.accept);
        const wanted = { ...filter, currencies: quotes, statuses: status };
        const validity = {
          cacheControl: () => moving(clock),
          vary: varyOf(chosen),
          surrogateKeys: () => [NOW],
        };
        async function make(): Promise<Reply> {
          const found = await readInPortions(
            (most, after?: ListedSuspect) => readSuspects({ ...wanted, before: after?.id }, most),
            { limit, yieldNow },
          ).catch(storeUnavailable);
          const records = suspectRecords(described(found), format);
          const { body, hash } = await encodeManyRecords(records, SUSPECT_COLUMNS, { format, yieldNow });
          return {
            validity: { ...validity, tag: entityTag('suspects', format, hash) },
            content: { type: CONTENT_TYPES[format], body },
          };
        }
        // A suspect takes four kilobytes until its response is sent.
        return { validity, cost: { rows: 0, rawDays: 0, wholeBytes: 4_096 * limit }, make };
      },
    });
  return inEachFormat('/v2/suspects', suspects);
}

/** One at a time: of ten thousand each takes its turn. */
function* described(found: readonly ListedSuspect[]): Generator<PublicSuspect> {
  for (const listed of found) yield describeSuspect(listed);
}

function describe(format?: Format): RouteDescription {
  const { summary, content } = describeList(
    {
      summary: 'Suspect rates, and what became of them',
      record: 'a suspect',
      schema: suspectSchema,
      example: [exampleSuspect],
      csvExample: suspectRecords([exampleSuspect], 'csv'),
      columns: SUSPECT_COLUMNS,
    },
    format,
  );
  return {
    summary,
    description:
      'A rate that is far from its own last one, and with which no other source agrees, is suspect. It is served for its ' +
      'provider, marked, but held back from the blend until another source, or its next rates, agree, or an operator ' +
      'accepts it; then all days from its first on are blended with it. Sorted by detection, newest first.',
    tags: ['Held-back rates'],
    responses: {
      200: {
        description: 'Suspect rates',
        content,
      },
      ...errorResponses({ 422: 'invalid provider: ZZZ', 503: 'the store can not be reached' }),
    },
  };
}
