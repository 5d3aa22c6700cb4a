import { replacementOf } from '../revisions.js';
import { and, arrayOf, filterOfDays, literally, rowConditions, type Sql, sql } from '../sql.js';
import { WAS_HELD } from '../suspects.js';
import { shownCondition } from './blended-rows.js';

// The queries have the columns of their tables (core/publication/tables.ts), in the same order. As COPY is read without nulls,
// a missing text is empty, and a missing price NaN.

const priceOf = (column: 'buy' | 'sell') => `coalesce(${column}, 'NaN')`;
const SIDES = literally(`${priceOf('buy')}, ${priceOf('sell')}`);

/** Sorted by base, quote and date. Both bounds are day numbers. */
export function observationsOf({ provider, from, to }: { provider: string; from: number; to: number }): Sql {
  const among = and(rowConditions({ providers: [provider], ...filterOfDays({ from, to }) }));
  return sql`
    select provider, date, base, quote, rate, recorded_at, coalesce(status::text, ''), ${SIDES}
    from rates left join (
      select date, base, quote, rate, status from suspects
      where status <> 'corrected' and ${WAS_HELD} ${among}
    ) as suspect using (date, base, quote, rate)
    where ${shownCondition()} ${among} order by base, quote, date`;
}

/** The rates that were replaced in a UTC year, by replacement instant, provider, date, base and quote. */
export function revisionsIn({ year, except }: { year: number; except: readonly string[] }): Sql {
  const [from, before] = [new Date(Date.UTC(year, 0)), new Date(Date.UTC(year + 1, 0))];
  return sql`
    select provider, date, base, quote, ${replacementOf('rate')}, rate, recorded_at, replaced_at,
      coalesce(cause::text, ''), ${replacementOf(priceOf('buy'))}, ${replacementOf(priceOf('sell'))}, ${SIDES}
    from rate_revisions as revision
    where replaced_at >= ${from} and replaced_at < ${before} and ${shownCondition()}
      and provider <> all(${arrayOf(except)}::varchar[])
    order by replaced_at, provider, date, base, quote, recorded_at`;
}
