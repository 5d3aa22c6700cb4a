import type pg from 'pg';
import type { CalendarDate } from '../../core/domain/dates.js';

export interface MergeResult {
  rowsNew: number;
  rowsCorrected: number;
  /** Dates with new or corrected rows, ascending. */
  changedDates: CalendarDate[];
}

/** Makes sure that the providers have a row of their own, which what they cover refers to. */
export async function knowProviders(client: pg.PoolClient, keys: readonly string[]): Promise<void> {
  await client.query('insert into providers (key) select unnest($1::text[]) on conflict (key) do nothing', [
    keys,
  ]);
}

/**
 * Merges the rows that a query yields as (provider, date, base, quote, rate), each key once, into the stored
 * rates: adds new ones, replaces different ones and keeps what they were as revisions. The caller holds the lock.
 */
export async function mergeRates(
  client: pg.PoolClient,
  query: string,
  parameters: readonly unknown[] = [],
): Promise<MergeResult> {
  // Every part sees the table as it was before: the revisions get the old rates.
  const { rows } = await client.query<{ date: CalendarDate; added: number; corrected: number }>(
    `with
       given (provider, date, base, quote, rate) as materialized (${query}),
       known as materialized (
         select given.*, stored.rate as old_rate, stored.recorded_at
         from given join rates as stored
           on stored.provider = given.provider and stored.date = given.date
           and stored.base = given.base and stored.quote = given.quote
       ),
       revised as (
         insert into rate_revisions (provider, date, base, quote, rate, recorded_at)
         select provider, date, base, quote, old_rate, recorded_at from known where rate <> old_rate
       ),
       corrected as (
         update rates as stored set rate = known.rate, recorded_at = now()
         from known
         where known.rate <> known.old_rate
           and stored.provider = known.provider and stored.date = known.date
           and stored.base = known.base and stored.quote = known.quote
         returning stored.date
       ),
       added as (
         insert into rates (provider, date, base, quote, rate)
         select * from given
         where not exists (
           select from known
           where known.provider = given.provider and known.date = given.date
             and known.base = given.base and known.quote = given.quote
         )
         returning date
       )
     select date, count(*) filter (where new)::int as added, count(*) filter (where not new)::int as corrected
     from (select date, true from added union all select date, false from corrected) as changed (date, new)
     group by date order by date`,
    [...parameters],
  );
  return {
    rowsNew: rows.reduce((sum, { added }) => sum + added, 0),
    rowsCorrected: rows.reduce((sum, { corrected }) => sum + corrected, 0),
    changedDates: rows.map(({ date }) => date),
  };
}
