import type * as z from 'zod';
import { parameterError } from '../http/errors.js';
import { MOVING, negotiateFormat } from '../http/reply.js';
import { defineRoute, type QueryReader, type Route, type RouteDescription } from '../http/route.js';
import { errorResponses, UNKNOWN_PROVIDER } from '../openapi/responses.js';
import type { recordFilters } from '../parameters/currency-parameters.js';
import { fromAfterTo } from '../parameters/hints.js';
import { inEachFormat } from './record-formats.js';

type RecordsQuery = z.output<z.ZodObject<typeof recordFilters>>;

interface RecordList<Query extends RecordsQuery> {
  path: string;
  /** Gets the `filter`, the `limit` and the `format`. */
  maker: string;
  query: QueryReader<Query>;
  /** What the database selects by, besides the currencies. Throws an HttpError for a query that contradicts itself. */
  filterOf(query: Omit<Query, 'quotes' | 'limit'>): object;
  /** That a record takes until its response is sent. */
  recordBytes: number;
  /** Without the errors, which are the same for all lists. */
  description: RouteDescription;
}

/** The routes of a list of records that a maker reads from the database, in each format. */
export function recordRoutes<Query extends RecordsQuery>(list: RecordList<Query>): Route[] {
  const { path, maker, query, filterOf, recordBytes, description } = list;
  const errors = errorResponses({ 422: UNKNOWN_PROVIDER, 503: 'the store cannot be reached' });
  return inEachFormat(path, (at, chosen) =>
    defineRoute<Query>({
      path: at,
      limit: 'currency',
      query,
      description: { ...description, responses: { ...description.responses, ...errors } },
      handle({ quotes, limit, ...given }, { headers }) {
        const { from, to } = given;
        if (from !== undefined && to !== undefined && from > to)
          throw parameterError(422, 'from', fromAfterTo(from, to));
        const filter = { ...filterOf(given), currencies: quotes };
        const { format, vary } = negotiateFormat(headers.accept, chosen);
        return {
          maker,
          input: { filter, limit, format },
          snapshot: undefined,
          validity: { cacheControl: MOVING, vary },
          cost: { rows: 0, rawDays: 0, wholeBytes: recordBytes * limit },
        };
      },
    }),
  );
}
