import type pg from 'pg';
import type { CalendarDate } from '../../core/domain/dates.js';

/** Days, both ends included. */
export interface Window {
  from: CalendarDate;
  to: CalendarDate;
}

type BlendedTable = 'blended_days' | 'blended_weeks' | 'blended_months';

/**
 * Makes the rows of a window of a blended table equal to what a query yields as (date, quote, rate): deletes what
 * is gone, writes what differs, leaves the rest untouched. The query's own parameters come after $1 and $2, the
 * window. Returns the first and the last date that changed, undefined where none did.
 */
export async function replaceWindow(
  client: pg.PoolClient,
  table: BlendedTable,
  window: Window,
  query: string,
  parameters: readonly unknown[] = [],
): Promise<Window | undefined> {
  const { rows } = await client.query<{ from: CalendarDate | null; to: CalendarDate | null }>(
    `with
       fresh (date, quote, rate) as materialized (${query}),
       stored as materialized (select date, quote, rate from ${table} where date between $1::date and $2::date),
       gone as (
         delete from ${table} as row using (
           select date, quote from stored except select date, quote from fresh
         ) as missing
         where row.date between $1::date and $2::date
           and row.date = missing.date and row.quote = missing.quote
         returning row.date
       ),
       written as (
         insert into ${table} as row (date, quote, rate)
         select date, quote, rate from fresh except select date, quote, rate from stored
         on conflict (date, quote) do update set rate = excluded.rate
         returning row.date
       )
     select min(date) as "from", max(date) as "to"
     from (select date from gone union all select date from written) as changed`,
    [window.from, window.to, ...parameters],
  );
  const from = rows[0]?.from;
  const to = rows[0]?.to;
  return from && to ? { from, to } : undefined;
}
