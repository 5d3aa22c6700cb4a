import { columnsOf } from '../columns/columns.js';
import { digestOf } from '../columns/digest.js';
import { blendedPeriods } from '../columns/means.js';
import type { CalendarDate, DateRange } from '../domain/dates.js';
import { readBlendedSeries } from './bulk/read-series.js';
import { newestVersion } from './data-versions.js';
import type { Database } from './database.js';
import { arrayOf, type Sql, sql } from './sql.js';
import { inOneView, type Transaction } from './transactions.js';

export async function hasRates(transaction: Transaction): Promise<boolean> {
  const rows = await transaction.query(sql`select true as found from rates limit 1`);
  return rows.length > 0;
}

/** First and last day with rates of any of the providers, up to a day. `knownAt`: see `ratesAt`. */
export async function spanOfRates(
  transaction: Transaction,
  providers: readonly string[],
  upTo: CalendarDate,
  knownAt?: number,
): Promise<DateRange | undefined> {
  // The first and last day of each provider are at the ends of its range in the primary key.
  const [span] = await transaction.query<DateRange>(
    sql`select min(span.first)::text as "from", max(span.newest)::text as "to"
        from unnest(${arrayOf(providers)}::text[]) as key,
        lateral (select min(date) as first, max(date) as newest
                 from ${ratesAt(knownAt)} as rates
                 where provider = key and date <= ${upTo}::date) as span
        having min(span.first) is not null`,
  );
  return span;
}

/**
 * The table of rates, as the view sees it, or as it was known at an instant, in milliseconds since 1970. A
 * transaction records all of its rates at one instant, later than those of earlier transactions, so the
 * instant of a data version identifies exactly its rates.
 */
export function ratesAt(knownAt: number | undefined): Sql {
  if (knownAt === undefined) return sql`rates`;
  const instant = new Date(knownAt);
  return sql`(
    select provider, date, base, quote, rate, buy, sell, recorded_at, run from rates where recorded_at <= ${instant}
    union all
    select provider, date, base, quote, rate, buy, sell, recorded_at, run from rate_revisions
    where recorded_at <= ${instant} and replaced_at > ${instant}
  )`;
}

/** The digests at the newest data version (0 if none), in one view. */
export async function digestBlends(database: Database) {
  return inOneView(database, async (view) => {
    const version = (await newestVersion(view))?.version ?? 0n;
    return { version, periods: await readDigests(view) };
  });
}

/** The digests of the blended days, and of the means of weeks and months. */
export async function readDigests(transaction: Transaction) {
  const digests = digestOf(blendedPeriods(columnsOf(await readBlendedSeries(transaction))));
  return (['day', 'week', 'month'] as const).map((period) => ({ period, ...digests[period] }));
}
