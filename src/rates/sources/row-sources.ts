import { type Columns, lastRated, lastUpTo, rateAt } from '../../../core/columns/columns.js';
import type { Blend } from '../../../core/domain/blend/blend.js';
import { PIVOT, WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { inForce, pegOf } from '../../../core/domain/pegs.js';
import { EACH_DAY, type Periods, periodsOf } from '../../../core/domain/periods.js';
import { qualityOf } from '../snapshot/quality.js';
import type { DatedRows, Row, RowSource } from '../snapshot/row.js';
import { type DateSelection, periodsFor } from '../snapshot/rows.js';
import type { DayBlends, Share } from './day-blends.js';
import { byKey, type Shares, SharesBuilder, unpackShares } from './shares.js';

type Range = Extract<DateSelection, { form: 'range' }>;

/** The data from which the sources of rows are found. */
interface SourcesOptions {
  base: string;
  /** The columns that the rows were made from. */
  columns: Columns;
  /** Whether pegs are applied. */
  pegged: boolean;
}

/** Adds to rows their sources. */
export type WithSources = (dated: DatedRows) => DatedRows;

/**
 * Finds the providers of rows in what blends are made of. A rate is the blend as of the row's own date divided by that of
 * the base, so each provider's rate per dollar is divided by the same number. The dollar is the pivot and has no sources
 * of its own: its row is the inverse of the base's blend, and its sources are the inverse rates of that blend's providers.
 */
export function sourcesAmong({ sharesOf }: Shares, options: SourcesOptions): WithSources {
  const { base, columns } = options;
  const baseColumn = columns.byQuote.get(base);
  const withOwnSources = (row: Row, day: number): Row => {
    const { quote, observed = day } = row;
    // A date without raw rows has no sources.
    if (!hasSources(row, observed, options)) return row;
    const [ofBase, ofQuote] = [base, quote].map((code) => partIndex(columns, code, observed));
    const sharesAt = (code: string, index = -1) => sharesOf(columns.days[index] ?? Number.NaN, code);
    const divisor = baseColumn ? rateAt(baseColumn, ofBase ?? -1) : Number.NaN;
    const sources =
      quote === PIVOT
        ? sharesAt(base, ofBase)?.map(toInverse)
        : sharesAt(quote, ofQuote)?.map((share) => toSource(share, share.rate / divisor));
    return { ...row, sources };
  };
  return ({ day, rows }) => ({ day, rows: rows.map((row) => withOwnSources(row, day)) });
}

/** The days whose blends rows are made of, for each row that of the base and that of the quote. */
export function daysBehind(dates: readonly DatedRows[], base: string, columns: Columns): Set<number> {
  const days = dates.flatMap(({ day, rows }) =>
    rows.flatMap(({ quote, observed = day }) =>
      [base, quote].map((code) => columns.days[partIndex(columns, code, observed)] ?? observed),
    ),
  );
  return new Set(days);
}

/** The index of the day of the rate that a currency has in the row of a day; -1 where it has none. */
function partIndex(columns: Columns, code: string, day: number): number {
  const column = columns.byQuote.get(code);
  return column ? lastRated(columns, column, lastUpTo(columns.days, day), day - WINDOW_DAYS) : -1;
}

/** Collects the blends of days, in which the sources of rows are found then. */
export interface SourceCollector {
  /** Whether the blends of a day count. */
  isWanted(day: number): boolean;
  add(blends: DayBlends): void;
  sourcesIn(options: SourcesOptions): WithSources;
}

/** For rows of days, of which the blends of some days are wanted, all where absent; or for the means of periods. */
export function collectSources(
  when: DateSelection,
  behind: ReadonlySet<number> | undefined,
): SourceCollector {
  if (when.form === 'range' && when.period !== 'day') return new PeriodShares(when);
  const shares = new SharesBuilder();
  return {
    isWanted: (day) => behind?.has(day) ?? true,
    add: (blends) => shares.add(blends),
    sourcesIn: (options) => sourcesAmong(unpackShares(shares.finish()), options),
  };
}

/** Each provider's rates, summed up over the whole periods that a range touches. */
class PeriodShares implements SourceCollector {
  readonly #periods: Periods;
  readonly #first: number;
  readonly #last: number;
  readonly #sums = new Map<number, Map<string, Map<string, ShareSum>>>();

  constructor(range: Range) {
    this.#periods = periodsOf(range.period, range);
    this.#first = this.#periods.firstDayOf(range.from);
    this.#last = this.#periods.lastDayOf(range.to);
  }

  isWanted(day: number): boolean {
    return day >= this.#first && day <= this.#last;
  }

  add({ day, blends }: DayBlends): void {
    if (!this.isWanted(day)) return;
    const first = this.#periods.firstDayOf(day);
    const byQuote = this.#sums.get(first) ?? new Map<string, Map<string, ShareSum>>();
    this.#sums.set(first, byQuote);
    for (const blend of blends.values()) addShares(byQuote, blend, day);
  }

  /** Adds to each row of a period its providers: each one's mean over its own days in the period. */
  sourcesIn(options: SourcesOptions): WithSources {
    const { base, columns } = options;
    const baseColumn = columns.byQuote.get(base);
    return ({ day, rows }) => {
      const byQuote = this.#sums.get(day);
      const divisor = baseColumn ? rateAt(baseColumn, lastUpTo(columns.days, day)) : Number.NaN;
      const withMeans = (row: Row): Row => {
        if (!hasSources(row, day, options, this.#periods)) return row;
        const sources =
          row.quote === PIVOT
            ? meanShares(byQuote?.get(base), day, (rate) => 1 / rate)
            : meanShares(byQuote?.get(row.quote), day, (rate) => rate / divisor);
        return { ...row, sources };
      };
      return { day, rows: rows.map(withMeans) };
    };
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
