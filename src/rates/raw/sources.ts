import type { YieldNow } from '../../../core/concurrency/event-loop.js';
import type { Blend } from '../../../core/domain/blend/blend.js';
import { PIVOT, WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { dayNumber } from '../../../core/domain/dates.js';
import { pegOf } from '../../../core/domain/pegs.js';
import { firstDayOf, lastDayOf, type Period } from '../../../core/domain/periods.js';
import { type Columns, lastRated, lastUpTo, rateAt } from '../snapshot/columns.js';
import type { DatedRows, Row, RowSource } from '../snapshot/rows.js';
import { blendsOn, type DayBlends } from './day-blends.js';
import type { RawTable } from './raw-table.js';

/** The data from which the sources of rows are found. */
export interface SourcesOptions {
  base: string;
  /** The columns that the rows were made from. */
  columns: Columns;
  /** Whether pegs are applied. */
  pegged: boolean;
  /** The raw rows that were blended, from 28 days before the first row on. */
  table: RawTable;
  /**
   * Shared blends of all days of the rows and of the days that the base is carried from; computed from the raw rows if
   * absent.
   */
  blends?: readonly DayBlends[];
  yieldNow: YieldNow;
}

/**
 * Adds to each row its providers. A rate is the blend as of the row's date divided by that of the base, so each
 * provider's rate per dollar is divided by the same number. The dollar is the pivot and has no sources of its own: its
 * row is the inverse of the base's blend, and its sources are the inverse rates of that blend's providers.
 */
export async function* withSources(
  dates: readonly DatedRows[],
  options: SourcesOptions,
): AsyncGenerator<DatedRows> {
  const { columns, table, yieldNow } = options;
  const baseColumn = columns.byQuote.get(options.base);
  if (!baseColumn) return;
  const from = dates[0]?.day ?? 0;
  const to = dates.at(-1)?.day ?? 0;
  const requestedDays = new Set(dates.map(({ day }) => day));
  let next = 0;
  const indexOf = (day: number) =>
    lastRated(columns, baseColumn, lastUpTo(columns.days, day), day - WINDOW_DAYS);
  const dayAt = (index: number) => columns.days[index] ?? Number.NaN;
  const baseDays = new Set(dates.map(({ day }) => dayAt(indexOf(day))));
  const baseBlends = new Map<number, Blend | undefined>();
  const isWanted = (day: number) => requestedDays.has(day) || baseDays.has(day);
  const blended =
    options.blends?.filter(({ day }) => isWanted(day)) ?? blendsOn(table, from - WINDOW_DAYS, to, isWanted);
  for (const { day, blends } of blended) {
    const baseBlend = blends.get(options.base);
    if (baseDays.has(day)) baseBlends.set(day, baseBlend);
    // A date without raw rows has no sources, and is passed on unchanged.
    for (let dated = dates[next]; dated && dated.day < day; dated = dates[++next]) yield dated;
    const dated = dates[next];
    if (dated?.day === day) {
      next++;
      const index = indexOf(day);
      const baseDay = dayAt(index);
      const divisor = rateAt(baseColumn, index);
      yield {
        day,
        rows: dated.rows.map((row) => {
          if (!hasSources(row, day, options)) return row;
          const sources =
            row.quote === PIVOT
              ? shares(baseBlends.get(baseDay), (rate) => 1 / rate)
              : shares(blends.get(row.quote), (rate) => rate / divisor);
          return { ...row, sources };
        }),
      };
    }
    await yieldNow();
  }
  yield* dates.slice(next);
}

/** As withSources for the rows of weeks or months: each provider's mean over its own days in the period. */
export async function* withPeriodSources(
  dates: readonly DatedRows[],
  period: Exclude<Period, 'day'>,
  options: SourcesOptions,
): AsyncGenerator<DatedRows> {
  const { columns, table, yieldNow } = options;
  const baseColumn = columns.byQuote.get(options.base);
  if (!baseColumn) return;
  const from = dates[0]?.day ?? 0;
  const to = lastDayOf(period, dates.at(-1)?.day ?? 0);
  const sums = new Map<number, Map<string, Map<string, Share>>>();
  for (const { day, blends } of blendsOn(table, from, to, () => true)) {
    const first = firstDayOf(period, day);
    const byQuote = sums.get(first) ?? new Map<string, Map<string, Share>>();
    sums.set(first, byQuote);
    for (const blend of blends.values()) addShares(byQuote, blend, day);
    await yieldNow();
  }
  for (const { day, rows } of dates) {
    const byQuote = sums.get(day);
    const divisor = rateAt(baseColumn, lastUpTo(columns.days, day));
    yield {
      day,
      rows: rows.map((row) => {
        if (!hasSources(row, day, options)) return row;
        const sources =
          row.quote === PIVOT
            ? meanShares(byQuote?.get(options.base), day, (rate) => 1 / rate)
            : meanShares(byQuote?.get(row.quote), day, (rate) => rate / divisor);
        return { ...row, sources };
      }),
    };
  }
}

/** Sum of one provider's rates over a period. */
interface Share {
  sum: number;
  count: number;
  excluded: number;
}

function addShares(byQuote: Map<string, Map<string, Share>>, blend: Blend, day: number): void {
  for (const { provider, day: observed, rate } of blend.contributions) {
    // A carried rate is counted on its own day.
    if (observed !== day) continue;
    const shares = byQuote.get(blend.quote) ?? new Map<string, Share>();
    byQuote.set(blend.quote, shares);
    const share = shares.get(provider) ?? { sum: 0, count: 0, excluded: 0 };
    shares.set(provider, share);
    share.sum += rate;
    share.count++;
    if (blend.excluded.has(provider)) share.excluded++;
  }
}

/** A provider is excluded in a period if it was on all of its days. */
function meanShares(
  shares: ReadonlyMap<string, Share> | undefined,
  day: number,
  rebase: (rate: number) => number,
): RowSource[] | undefined {
  if (!shares) return undefined;
  return [...shares]
    .map(([key, { sum, count, excluded }]) => ({
      key,
      day,
      rate: rebase(sum / count),
      published: false,
      excluded: excluded === count,
    }))
    .sort(byKey);
}

function shares(blend: Blend | undefined, rebase: (rate: number) => number): RowSource[] | undefined {
  return blend?.contributions
    .map(({ provider, day, rate }) => ({
      key: provider,
      day,
      rate: rebase(rate),
      published: false,
      excluded: blend.excluded.has(provider),
    }))
    .sort(byKey);
}

/** The base's own row has no sources, nor has a row from a peg. */
function hasSources({ quote }: Row, day: number, { base, pegged }: SourcesOptions): boolean {
  if (quote === base) return false;
  return !pegged || !isPegged(quote === PIVOT ? base : quote, day);
}

function isPegged(code: string, day: number): boolean {
  const peg = pegOf(code);
  return peg !== undefined && day >= dayNumber(peg.since);
}

function byKey(one: RowSource, other: RowSource): number {
  if (one.key !== other.key) return one.key < other.key ? -1 : 1;
  return one.day - other.day;
}
