import { z } from 'zod';
import { todayNumber } from '../../../core/domain/clock.js';
import { fromDayNumber } from '../../../core/domain/dates.js';
import { errorResponses } from '../../http/error-responses.js';
import { strictQuery } from '../../http/query.js';
import { json, type Reply } from '../../http/reply.js';
import { moving } from '../../http/representation.js';
import { defineRoute, type Route } from '../../http/route.js';
import { type Columns, carriedAt, rateAt } from '../snapshot/columns.js';
import { lookUpsOf } from './look-ups.js';
import { ratesTag } from './method.js';
import type { RatesDependencies } from './reply.js';
import { stopped } from './request.js';
import { ratesQuery } from './schemas.js';
import { replyOfSnapshot } from './with-snapshot.js';

const coverage = z
  .object({
    base: z.string(),
    quotes: z.array(z.string()).nullable(),
    providers: z.array(z.string()).nullable(),
    start_date: z.iso.date().nullable(),
    end_date: z.iso.date().nullable(),
  })
  .meta({ id: 'Coverage' });

const example = {
  base: 'CHF',
  quotes: ['SEK'],
  providers: null,
  start_date: '1977-01-07',
  end_date: '2026-03-20',
};

/** `GET /v2/coverage`. */
export function coverageRoutes({ snapshot: holder, raw, clock }: RatesDependencies): Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/v2/coverage',
      limit: 'currency',
      query: strictQuery(ratesQuery.pick({ base: true, quotes: true, providers: true }), {
        joined: ['quotes', 'providers'],
      }),
      cost: ({ providers = [] }) => ({
        rows: 1,
        rawDays: providers.length > 1 ? Number.POSITIVE_INFINITY : 0,
      }),
      description: {
        summary: 'Since when and until when there are rates',
        description:
          'The first and the last day on which `/v2/rates` with the same parameters has a row beside that of the base; null where it has none.',
        tags: ['Rates'],
        responses: {
          200: { description: 'The days', content: { 'application/json': { schema: coverage, example } } },
          ...errorResponses({ 422: 'invalid currency: ZZZ', 503: 'the first rates are being loaded' }),
        },
      },
      handle({ base = 'EUR', quotes, providers }, context) {
        const now = stopped(clock);
        const key = [base, quotes?.toSorted() ?? '*', providers?.toSorted() ?? '*'].join(' ');
        return replyOfSnapshot(holder, (snapshot) => {
          const { version: dataVersion } = snapshot;
          const validity = {
            tag: ratesTag('coverage', dataVersion, key, todayNumber(now)),
            cacheControl: () => moving(clock),
          };
          async function make(): Promise<Reply> {
            const days = { from: Number.NEGATIVE_INFINITY, to: undefined };
            const request = { snapshot, providers, days };
            const { columnsFor } = await lookUpsOf({ raw, clock: now }, request, context);
            const [start, end] = spanIn(columnsFor(base), base, quotes);
            const body = {
              base,
              quotes: quotes ?? null,
              providers: providers ?? null,
              start_date: start === undefined ? null : fromDayNumber(start),
              end_date: end === undefined ? null : fromDayNumber(end),
            };
            return { validity, dataVersion, content: json(body) };
          }
          return { validity, dataVersion, make };
        });
      },
    }),
  ];
}

/** The first and the last day on which a quote, other than the base, has a rate and the base a carried one. */
function spanIn(
  columns: Columns,
  base: string,
  quotes: readonly string[] = columns.quotes,
): [number | undefined, number | undefined] {
  const baseColumn = columns.byQuote.get(base);
  const wanted = quotes
    .filter((quote) => quote !== base || quotes.length === 1)
    .flatMap((quote) => columns.byQuote.get(quote) ?? []);
  const hasRow = (_day: number, dayIndex: number): boolean =>
    baseColumn !== undefined &&
    wanted.some((column) => !Number.isNaN(rateAt(column, dayIndex))) &&
    !Number.isNaN(carriedAt(columns, baseColumn, dayIndex));
  const { days } = columns;
  const first = days.findIndex(hasRow);
  return [days[first], days[days.findLastIndex(hasRow)]];
}
