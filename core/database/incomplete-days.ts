import { addDays, type CalendarDate } from '../domain/dates.js';
import { arrayOf, sql } from './sql.js';
import type { Transaction } from './transactions.js';

export interface IncompleteDay {
  date: CalendarDate;
  currencies: number;
  usual: number;
}

/** Older days are backfilled history, and say nothing about the current state of the source. */
const JUDGED_DAYS = 30;

/** A day with less than this share of the usual number of currencies is incomplete. */
const INCOMPLETE_SHARE = 0.5;

const LOOKBACK_DAYS = 30;

/** With fewer earlier days, the usual number is unknown. */
const FEWEST_DAYS = 5;

/**
 * Judges the changed days of the last thirty, in the transaction of their rows. Returns the incomplete ones. The usual number
 * of currencies is the median of the thirty observation days before, which resists longer weekly lists and other incomplete
 * days. The limit is half because currencies retire one by one, while a truncated response loses most of them.
 */
export async function markIncompleteDays(
  transaction: Transaction,
  provider: string,
  changed: readonly CalendarDate[],
  today: CalendarDate,
): Promise<IncompleteDay[]> {
  const judged = changed.filter((date) => date > addDays(today, -JUDGED_DAYS));
  if (judged.length === 0) return [];
  const dates = sql`${arrayOf(judged)}::date[]`;
  return transaction.query(
    sql`with days as (
          select date, count(*)::int as currencies from rates where provider = ${provider}
          group by date order by date desc limit ${JUDGED_DAYS + 3 + LOOKBACK_DAYS}::int
        ), incomplete as (
          select date, currencies, usual from days cross join lateral (
            select count(*) as known, percentile_disc(0.5) within group (order by before.currencies) as usual
            from (
              select currencies from days as earlier where earlier.date < days.date
              order by earlier.date desc limit ${LOOKBACK_DAYS}::int
            ) as before
          ) as lookback
          where date = any(${dates}) and known >= ${FEWEST_DAYS} and currencies < usual * ${INCOMPLETE_SHARE}::float8
        ), complete as (
          delete from thin_days
          where provider = ${provider} and date = any(${dates}) and date not in (select date from incomplete)
        )
        insert into thin_days (provider, date, currencies, usual) select ${provider}, * from incomplete
        on conflict (provider, date) do update set currencies = excluded.currencies, usual = excluded.usual
        returning date::text, currencies, usual`,
  );
}
