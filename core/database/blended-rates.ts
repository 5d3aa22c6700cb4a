import type { DollarRate } from '../domain/blend/apply-pegs.js';
import { type DateRange, type StoredPeriod, wholePeriods } from '../domain/periods.js';
import { pegTable } from './peg-table.js';
import { arrayOf, literally, type Sql, sql } from './sql.js';
import type { Transaction } from './transactions.js';

export const BLENDED_TABLES = {
  day: 'blended_days',
  week: 'blended_weeks',
  month: 'blended_months',
} as const satisfies Record<StoredPeriod, string>;

/** Replaces the blends of a window of days. Returns the first and the last day that changed, if any did. */
export async function replaceBlendedDays(
  transaction: Transaction,
  window: DateRange,
  blends: readonly DollarRate[],
): Promise<DateRange | undefined> {
  return replaceWindow(
    transaction,
    'day',
    window,
    sql`select * from unnest(
          ${arrayOf(blends.map(({ date }) => date))}::date[],
          ${arrayOf(blends.map(({ quote }) => quote))}::varchar[],
          ${arrayOf(blends.map(({ rate }) => rate))}::float8[])`,
  );
}

export function readBlendedDays(transaction: Transaction, { from, to }: DateRange): Promise<DollarRate[]> {
  return transaction.query(
    sql`select date::text, quote, rate from blended_days where date between ${from}::date and ${to}::date`,
  );
}

/**
 * Recomputes the weeks and months that contain any of the days. Sums in the order of the days, as the last
 * digit depends on it. If a period lies entirely within a peg, its mean is the peg times the mean of the
 * anchor. `core/columns/means.ts` follows the same rule.
 */
export async function recomputeMeans(transaction: Transaction, days: DateRange): Promise<void> {
  // If PostgreSQL's statistics are from when there were no days, it would search all means for each anchor, for hours.
  await transaction.execute(sql`set local enable_nestloop = off`);
  for (const period of ['week', 'month'] as const) {
    const whole = wholePeriods(period, days);
    // PostgreSQL's weeks are ISO weeks. A timestamp without time zone makes the result independent of the session's time
    // zone.
    const first = sql`date_trunc(${literally(`'${period}'`)}, date::timestamp)::date`;
    const length = literally(`interval '1 ${period}'`);
    await replaceWindow(
      transaction,
      period,
      whole,
      sql`with means (date, quote, rate) as (
            select ${first}, quote, avg(rate order by date)
            from blended_days where date between ${whole.from}::date and ${whole.to}::date group by 1, 2
          )
          select own.date, own.quote, coalesce(peg.rate * anchor.rate, own.rate)
          from means as own
          left join ${pegTable}
            on peg.quote = own.quote and own.date >= peg.since and own.date + ${length} <= peg.until
          left join means as anchor on anchor.date = own.date and anchor.quote = peg.base`,
    );
  }
  await transaction.execute(sql`set local enable_nestloop to default`);
}

/** First and last day with a rate or a blend; undefined in an empty database. */
export async function wholeHistory(transaction: Transaction): Promise<DateRange | undefined> {
  const [span] = await transaction.query<DateRange>(
    sql`select min(first)::text as "from", max(last)::text as "to"
        from (
          select min(date) as first, max(date) as last from rates
          union all select min(date), max(date) from blended_days
        ) as spans having min(first) is not null`,
  );
  return span;
}

/** Raises `work_mem` until the transaction ends. Otherwise PostgreSQL spills aggregates of long histories to disk. */
export async function allowLargeAggregates(transaction: Transaction): Promise<void> {
  await transaction.execute(sql`set local work_mem = '256MB'`);
}

/**
 * Makes a window equal to a query of (date, quote, rate). Leaves equal rows untouched. Returns the dates that
 * changed.
 */
async function replaceWindow(
  transaction: Transaction,
  period: StoredPeriod,
  { from, to }: DateRange,
  fresh: Sql,
): Promise<DateRange | undefined> {
  const table = literally(BLENDED_TABLES[period]);
  const [changed] = await transaction.query<DateRange>(
    sql`with
       fresh (date, quote, rate) as materialized (${fresh}),
       stored as materialized (
         select date, quote, rate from ${table} where date between ${from}::date and ${to}::date
       ),
       gone as (
         delete from ${table} as row using (
           select date, quote from stored except select date, quote from fresh
         ) as missing
         where row.date between ${from}::date and ${to}::date
           and row.date = missing.date and row.quote = missing.quote
         returning row.date
       ),
       written as (
         insert into ${table} as row (date, quote, rate)
         select date, quote, rate from fresh except select date, quote, rate from stored
         on conflict (date, quote) do update set rate = excluded.rate
         returning row.date
       )
     select min(date)::text as "from", max(date)::text as "to"
     from (select date from gone union all select date from written) as changed
     having min(date) is not null`,
  );
  return changed;
}
