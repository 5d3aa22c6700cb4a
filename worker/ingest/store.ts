import type pg from 'pg';
import { WINDOW_DAYS } from '../../core/blend/carry-forward.js';
import { addDays, type CalendarDate, earlier, later } from '../../core/dates.js';
import { atRest } from '../../core/numbers.js';
import { appendVersion, lockData } from '../blend/data-version.js';
import { recompute } from '../blend/recompute.js';
import type { Window } from '../blend/replace.js';
import type { RateRow } from '../feeds/feed.js';
import { extendCoverage } from './coverage.js';

export interface StoredRates {
  rowsNew: number;
  rowsCorrected: number;
  rowsUnchanged: number;
  /** Dates with new or corrected rows, ascending. */
  changedDates: CalendarDate[];
}

/** Rows handed to the server at a time: some ten megabytes of text. */
const BATCH = 50_000;

/**
 * Stores valid rows of one provider inside the caller's transaction: new ones are added, different ones replace
 * what is stored, which moves to the revisions, and equal ones are left alone. Rates keep twelve digits; of two
 * rows with one (date, base, quote) the first counts. Other writers wait until the transaction ends.
 */
export async function storeRates(
  client: pg.PoolClient,
  provider: string,
  rows: readonly RateRow[],
): Promise<StoredRates> {
  await lockData(client);
  await client.query('insert into providers (key) values ($1) on conflict (key) do nothing', [provider]);
  const stored: StoredRates = { rowsNew: 0, rowsCorrected: 0, rowsUnchanged: 0, changedDates: [] };
  const changed = new Set<CalendarDate>();
  const distinct = firstOfEachKey(rows);
  for (let start = 0; start < distinct.length; start += BATCH) {
    const batch = distinct.slice(start, start + BATCH);
    const { added, corrected, dates } = await storeBatch(client, provider, batch);
    stored.rowsNew += added;
    stored.rowsCorrected += corrected;
    stored.rowsUnchanged += batch.length - added - corrected;
    for (const date of dates) changed.add(date);
  }
  stored.changedDates = [...changed].sort();
  if (stored.rowsNew > 0) await extendCoverage(client, provider, distinct);
  return stored;
}

/**
 * Stores rows and blends every day that they can change, inside the caller's transaction: all of it becomes
 * visible at once. Returns the data version as well, undefined where every row was known already.
 */
export async function storeAndBlend(
  client: pg.PoolClient,
  provider: string,
  rows: readonly RateRow[],
): Promise<StoredRates & { version: bigint | undefined }> {
  const stored = await storeRates(client, provider, rows);
  const first = stored.changedDates[0];
  const last = stored.changedDates.at(-1);
  if (first === undefined || last === undefined) return { ...stored, version: undefined };
  const changed = { from: first, to: last };
  for (const window of affectedWindows(stored.changedDates)) {
    const blended = await recompute(client, window);
    if (blended) changed.to = later(changed.to, blended.to);
  }
  // Rows that blends don't show, such as an outlier's, are still served where their provider is asked for.
  const version = await appendVersion(client, changed, provider);
  return { ...stored, version };
}

/**
 * The days whose blends can change with rows of these dates, given in ascending order: each date and the 14 days
 * after it. Windows whose raw rows overlap are one.
 */
export function affectedWindows(dates: readonly CalendarDate[]): Window[] {
  const windows: Window[] = [];
  for (const date of dates) {
    const to = addDays(date, WINDOW_DAYS);
    const last = windows.at(-1);
    if (last && date <= addDays(last.to, WINDOW_DAYS)) last.to = to;
    else windows.push({ from: date, to });
  }
  return windows;
}

function firstOfEachKey(rows: readonly RateRow[]): RateRow[] {
  const firsts = new Map<string, RateRow>();
  for (const row of rows) {
    const key = `${row.date}${row.base}${row.quote}`;
    if (!firsts.has(key)) firsts.set(key, row);
  }
  return [...firsts.values()];
}

async function storeBatch(
  client: pg.PoolClient,
  provider: string,
  rows: readonly RateRow[],
): Promise<{ added: number; corrected: number; dates: CalendarDate[] }> {
  // Every part sees the table as it was before: the revisions get the old rates.
  const { rows: results } = await client.query<{ date: CalendarDate; added: number; corrected: number }>(
    `with
       given as materialized (
         select date, base, quote, rate
         from unnest($2::date[], $3::varchar[], $4::varchar[], $5::float8[]) as given (date, base, quote, rate)
       ),
       known as materialized (
         select given.*, stored.rate as old_rate, stored.recorded_at
         from given join rates as stored
           on stored.provider = $1 and stored.date = given.date
           and stored.base = given.base and stored.quote = given.quote
         where stored.date between $6::date and $7::date
       ),
       revised as (
         insert into rate_revisions (provider, date, base, quote, rate, recorded_at)
         select $1, date, base, quote, old_rate, recorded_at from known where rate <> old_rate
       ),
       corrected as (
         update rates as stored set rate = known.rate, recorded_at = now()
         from known
         where known.rate <> known.old_rate and stored.provider = $1 and stored.date = known.date
           and stored.base = known.base and stored.quote = known.quote
         returning stored.date
       ),
       added as (
         insert into rates (provider, date, base, quote, rate)
         select $1, date, base, quote, rate from given
         where not exists (
           select from known
           where known.date = given.date and known.base = given.base and known.quote = given.quote
         )
         returning date
       )
     select date, count(*) filter (where is_new)::int as added, count(*) filter (where not is_new)::int as corrected
     from (select date, true from added union all select date, false from corrected) as changed (date, is_new)
     group by date`,
    [
      provider,
      rows.map(({ date }) => date),
      rows.map(({ base }) => base),
      rows.map(({ quote }) => quote),
      rows.map(({ rate }) => atRest(rate)),
      rows.reduce((first, { date }) => earlier(first, date), rows[0]?.date ?? ''),
      rows.reduce((last, { date }) => later(last, date), ''),
    ],
  );
  return {
    added: results.reduce((sum, { added }) => sum + added, 0),
    corrected: results.reduce((sum, { corrected }) => sum + corrected, 0),
    dates: results.map(({ date }) => date),
  };
}
