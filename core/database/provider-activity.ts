import type { CalendarDate } from '../domain/dates.js';
import type { Database } from './database.js';
import { SHIPPED } from './shipped-rates.js';
import { sql } from './sql.js';
import { rowsOf } from './transactions.js';

export interface ProviderActivity {
  /** The observation dates that have rates, ascending. */
  days: CalendarDate[];
  incompleteDays: CalendarDate[];
  /** The number of rates of any date that are held back from the blend as suspect. */
  heldSuspects: number;
  /** The distance of its rates from the blended rates of the same day; null if there is nothing to compare. */
  deviation: Deviation | null;
  /** The first day of the history that has been requested without a gap; null before the first response. */
  backfilledTo: CalendarDate | null;
  /** The last day of the rates that shipped; null if none did. */
  shippedTo: CalendarDate | null;
  /** The start of the first failed run since the last success, of those still kept; null if there is none. */
  failingSince: Date | null;
}

/** Relative distances: half of the rates are within `median` of the blend, and nine of ten within `most`. */
interface Deviation {
  median: number;
  most: number;
}

/** The activity of all providers since a day, by key. Reads every rate since then: a few hundred thousand for 90 days. */
export async function readProviderActivity(
  database: Database,
  since: CalendarDate,
): Promise<Map<string, ProviderActivity>> {
  const query = sql`
    with recent as (
      select provider, date, base, quote, rate from rates where date >= ${since}::date
    ),
    observed as (
      select provider, array_agg(date::text order by date) as days
      from (select distinct provider, date from recent) as dates group by provider
    ),
    compared as (
      select recent.provider, abs(recent.rate * coalesce(base.rate, 1) / coalesce(quote.rate, 1) - 1) as deviation
      from recent
        left join blended_days as base on base.date = recent.date and base.quote = recent.base
        left join blended_days as quote on quote.date = recent.date and quote.quote = recent.quote
      where (base.rate is not null or recent.base = 'USD') and (quote.rate is not null or recent.quote = 'USD')
    ),
    deviations as (
      select provider, percentile_cont(array[0.5, 0.9]) within group (order by deviation) as shares
      from compared group by provider
    )
    select key, backfilled_to::text as "backfilledTo", coalesce(days, '{}') as days,
      case when shares is not null then json_build_object('median', shares[1], 'most', shares[2]) end as deviation,
      array(select date::text from thin_days where provider = key and date >= ${since}::date order by 1)
        as "incompleteDays",
      (select count(*)::int from suspects where provider = key and status = 'held') as "heldSuspects",
      (select max(window_to)::text from ingest_runs where provider = key and reason = ${SHIPPED}) as "shippedTo",
      (select min(started_at) from ingest_runs
        where provider = key and outcome = 'failed' and started_at > coalesce(last_success_at, '-infinity'))
        as "failingSince"
    from providers
      left join observed on observed.provider = key
      left join deviations on deviations.provider = key`;
  const rows = await rowsOf<ProviderActivity & { key: string }>(database, query);
  return new Map(rows.map(({ key, ...activity }) => [key, activity]));
}
