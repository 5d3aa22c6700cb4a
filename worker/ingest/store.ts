import type pg from 'pg';
import { WINDOW_DAYS } from '../../core/domain/blend/carry-forward.js';
import { addDays, type CalendarDate, later } from '../../core/domain/dates.js';
import { roundForStorage } from '../../core/domain/rounding.js';
import { appendVersion, lockData } from '../blend/data-version.js';
import { type OnProgress, recompute } from '../blend/recompute.js';
import type { Window } from '../blend/replace.js';
import type { RateRow } from '../feeds/feed.js';
import { type Coverage, cover, extendCoverage } from './coverage.js';
import { knowProviders, type MergeResult, mergeRates } from './merge.js';

export interface StoredRates extends MergeResult {
  rowsUnchanged: number;
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
  await knowProviders(client, [provider]);
  const coverage: Coverage = new Map();
  const stored: StoredRates = { rowsNew: 0, rowsCorrected: 0, rowsUnchanged: 0, changedDates: [] };
  const changed = new Set<CalendarDate>();
  const distinct = firstOfEachKey(rows);
  for (let start = 0; start < distinct.length; start += BATCH) {
    const batch = distinct.slice(start, start + BATCH);
    const merged = await mergeRates(
      client,
      'select $1::varchar, * from unnest($2::date[], $3::varchar[], $4::varchar[], $5::float8[])',
      [
        provider,
        batch.map(({ date }) => date),
        batch.map(({ base }) => base),
        batch.map(({ quote }) => quote),
        batch.map(({ rate }) => roundForStorage(rate)),
      ],
    );
    stored.rowsNew += merged.rowsNew;
    stored.rowsCorrected += merged.rowsCorrected;
    stored.rowsUnchanged += batch.length - merged.rowsNew - merged.rowsCorrected;
    for (const date of merged.changedDates) changed.add(date);
    for (const row of batch) cover(coverage, provider, row);
  }
  stored.changedDates = [...changed].sort();
  if (stored.rowsNew > 0) await extendCoverage(client, coverage);
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
  return { ...stored, version: await blendChanged(client, stored.changedDates, provider) };
}

/**
 * Blends every day that rows of these dates, given in ascending order, can change, and appends the data version,
 * inside the transaction that stored them. Undefined where there are no dates.
 */
export async function blendChanged(
  client: pg.PoolClient,
  dates: readonly CalendarDate[],
  provider: string | undefined,
  onProgress?: OnProgress,
): Promise<bigint | undefined> {
  const first = dates[0];
  const last = dates.at(-1);
  if (first === undefined || last === undefined) return undefined;
  // Rows that blends don't show, such as an outlier's, are still served where their provider is asked for.
  const changed = { from: first, to: last };
  for (const window of affectedWindows(dates)) {
    const blended = await recompute(client, window, onProgress);
    if (blended) changed.to = later(changed.to, blended.to);
  }
  return appendVersion(client, changed, provider);
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
