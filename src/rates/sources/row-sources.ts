import { type Columns, lastRated, lastUpTo, rateAt } from '../../../core/columns/columns.js';
import type { YieldNow } from '../../../core/concurrency/event-loop.js';
import type { Blend } from '../../../core/domain/blend/blend.js';
import { PIVOT, WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { inForce, pegOf } from '../../../core/domain/pegs.js';
import { EACH_DAY, type Periods } from '../../../core/domain/periods.js';
import { qualityOf } from '../snapshot/quality.js';
import type { DatedRows, Row, RowSource } from '../snapshot/row.js';
import { type DateSelection, periodsFor } from '../snapshot/rows.js';
import { blendsOn, byKey, type DayBlends, type Share } from './day-blends.js';
import type { RawTable } from './raw-table.js';

/** The data from which the sources of rows are found. */
interface SourcesOptions {
  base: string;
  /** The columns that the rows were made from. */
  columns: Columns;
  /** Whether pegs are applied. */
  pegged: boolean;
}

/** The same, to be read day by day. */
interface ReadOptions extends SourcesOptions {
  /** The raw rows that were blended, from 28 days before the first row on. */
  table: RawTable;
  /** Shared blends of the days of the rows, and of those that either currency is carried from; computed if absent. */
  blends?: readonly DayBlends[];
  /** For how many days rows are filled forward, if they are. */
  carriedDays?: number | undefined;
  yieldNow: YieldNow;
}

/**
 * Finds the providers of rows among the blends by day. A rate is the blend as of the row's own date divided by that of
 * the base, so each provider's rate per dollar is divided by the same number. The dollar is the pivot and has no sources
 * of its own: its row is the inverse of the base's blend, and its sources are the inverse rates of that blend's providers.
 */
export function sourcesAmong(
  blendsByDay: ReadonlyMap<number, DayBlends>,
  options: SourcesOptions,
): (dated: DatedRows) => DatedRows {
  const { base, columns } = options;
  const baseColumn = columns.byQuote.get(base);
  const withOwnSources = (row: Row, day: number): Row => {
    const { quote, observed = day } = row;
    // A date without raw rows has no sources.
    if (!hasSources(row, observed, options)) return row;
    const [ofBase, ofQuote] = [base, quote].map((code) => partIndex(columns, code, observed));
    const blendsAt = (index = -1) => blendsByDay.get(columns.days[index] ?? Number.NaN);
    const divisor = baseColumn ? rateAt(baseColumn, ofBase ?? -1) : Number.NaN;
    const sources =
      quote === PIVOT
        ? blendsAt(ofBase)?.sharesOf(base)?.map(toInverse)
        : blendsAt(ofQuote)
            ?.sharesOf(quote)
            ?.map((share) => toSource(share, share.rate / divisor));
    return { ...row, sources };
  };
  return ({ day, rows }) => ({ day, rows: rows.map((row) => withOwnSources(row, day)) });
}

/** The index of the day of the rate that a currency has in the row of a day; -1 where it has none. */
function partIndex(columns: Columns, code: string, day: number): number {
  const column = columns.byQuote.get(code);
  return column ? lastRated(columns, column, lastUpTo(columns.days, day), day - WINDOW_DAYS) : -1;
}

/** Adds to each row its providers, as `sourcesAmong` does, while it computes the blends of the days. */
export async function* withSources(
  dates: readonly DatedRows[],
  options: ReadOptions,
): AsyncGenerator<DatedRows> {
  const { base, columns, table, carriedDays = 0, yieldNow } = options;
  if (!columns.byQuote.has(base) || dates.length === 0) return;
  const partDays = new Set(
    dates.flatMap(({ day, rows }) =>
      rows.flatMap(({ quote, observed = day }) =>
        [base, quote].map((code) => columns.days[partIndex(columns, code, observed)] ?? observed),
      ),
    ),
  );
  const isWanted = (day: number) => partDays.has(day);
  const first = Math.min(...partDays);
  const last = Math.max(...partDays);
  const blended =
    options.blends?.filter(({ day }) => isWanted(day)) ?? blendsOn(table, first, last, isWanted);
  const blendsByDay = new Map<number, DayBlends>();
  const withOwnSources = sourcesAmong(blendsByDay, options);
  let next = 0;
  function* upTo(end: number): Generator<DatedRows> {
    for (let dated = dates[next]; dated && dated.day < end; dated = dates[++next])
      yield withOwnSources(dated);
  }

  for (const blends of blended) {
    await yieldNow();
    if (!blends) continue;
    const { day } = blends;
    yield* upTo(day);
    for (const held of blendsByDay.keys())
      if (held < day - carriedDays - WINDOW_DAYS) blendsByDay.delete(held);
    blendsByDay.set(day, blends);
  }
  yield* upTo(Number.POSITIVE_INFINITY);
}

/** Each provider's rates, summed up over periods of days. */
export class PeriodShares {
  readonly #periods: Periods;
  readonly #sums = new Map<number, Map<string, Map<string, ShareSum>>>();

  constructor(periods: Periods) {
    this.#periods = periods;
  }

  /** Adds the raw rows from one day to another, both included. */
  async add(table: RawTable, { from, to }: { from: number; to: number }, yieldNow: YieldNow): Promise<void> {
    for (const dayBlends of blendsOn(table, from, to, () => true)) {
      await yieldNow();
      if (!dayBlends) continue;
      const { day, blends } = dayBlends;
      const first = this.#periods.firstDayOf(day);
      const byQuote = this.#sums.get(first) ?? new Map<string, Map<string, ShareSum>>();
      this.#sums.set(first, byQuote);
      for (const blend of blends.values()) addShares(byQuote, blend, day);
    }
  }

  /** Adds to each row of a period its providers: each one's mean over its own days in the period. */
  *sourcesOf(dates: Iterable<DatedRows>, options: SourcesOptions): Generator<DatedRows> {
    const { base, columns } = options;
    const baseColumn = columns.byQuote.get(base);
    for (const { day, rows } of dates) {
      const byQuote = this.#sums.get(day);
      const divisor = baseColumn ? rateAt(baseColumn, lastUpTo(columns.days, day)) : Number.NaN;
      yield {
        day,
        rows: rows.map((row) => {
          if (!hasSources(row, day, options, this.#periods)) return row;
          const sources =
            row.quote === PIVOT
              ? meanShares(byQuote?.get(base), day, (rate) => 1 / rate)
              : meanShares(byQuote?.get(row.quote), day, (rate) => rate / divisor);
          return { ...row, sources };
        }),
      };
    }
  }
}

/** What is asked of rows, as far as their quality depends on it. */
interface QualityRequest {
  base: string;
  providers: readonly string[] | undefined;
  expand: readonly string[];
  when: DateSelection;
}

/**
 * Adds to each row how sure it is: from its sources, or that it is a peg. Leaves rows as they are where that is not asked
 * for. `asOf` is the day up to which the newest rates were looked for.
 */
export function qualityFor(
  { base, providers, expand, when }: QualityRequest,
  asOf: number | undefined,
): (dated: DatedRows) => DatedRows {
  if (!expand.includes('quality')) return (dated) => dated;
  const day = when.form === 'date' ? when.day : asOf;
  const periods = periodsFor(when);
  return (dated) => ({
    day: dated.day,
    rows: dated.rows.map((row): Row => {
      const { quote, rate, sources, observed } = row;
      if (quote === base) return row;
      if (!providers && isPegged(quote === PIVOT ? base : quote, observed ?? dated.day, periods)) {
        return { ...row, quality: { peg: true } };
      }
      const age = observed === undefined ? Math.max(0, (day ?? dated.day) - dated.day) : dated.day - observed;
      return sources ? { ...row, quality: qualityOf(rate, sources, age) } : row;
    }),
  });
}

/** Sum of one provider's rates over a period. */
interface ShareSum {
  sum: number;
  count: number;
  excluded: number;
}

function addShares(byQuote: Map<string, Map<string, ShareSum>>, blend: Blend, day: number): void {
  for (const { provider, day: observed, rate } of blend.contributions) {
    // A carried rate is counted on its own day.
    if (observed !== day) continue;
    const shares = byQuote.get(blend.quote) ?? new Map<string, ShareSum>();
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
  shares: ReadonlyMap<string, ShareSum> | undefined,
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

function toSource({ key, day, excluded, suspect }: Share, rate: number): RowSource {
  return { key, day, rate, published: false, excluded, suspect };
}

function toInverse(share: Share): RowSource {
  return toSource(share, 1 / share.rate);
}

/** The base's own row has no sources, nor has a row from a peg. */
function hasSources(
  { quote }: Row,
  day: number,
  { base, pegged }: Pick<SourcesOptions, 'base' | 'pegged'>,
  periods = EACH_DAY,
): boolean {
  if (quote === base) return false;
  return !pegged || !isPegged(quote === PIVOT ? base : quote, day, periods);
}

/** Whether a currency has its peg on all days of the period that begins with the day. */
function isPegged(code: string, day: number, { lastDayOf }: Periods): boolean {
  const peg = pegOf(code);
  return peg !== undefined && inForce(peg)(day, lastDayOf(day));
}
