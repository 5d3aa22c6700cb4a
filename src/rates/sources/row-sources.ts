import { type Columns, rateAt } from '../../../core/columns/columns.js';
import { PIVOT, WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { inForce, pegOf } from '../../../core/domain/pegs.js';
import { type DayWindow, LAST_DAY, type Periods, periodsOf } from '../../../core/domain/periods.js';
import { carriedIndex } from '../snapshot/pair.js';
import { qualityOf } from '../snapshot/quality.js';
import type { DatedRows, Row, RowSource } from '../snapshot/row.js';
import { type DateSelection, periodsFor } from '../snapshot/rows.js';
import type { DayBlends, Share } from './day-blends.js';
import { byKey, type Shares, SharesPacker, unpackShares } from './shares.js';

type Range = Extract<DateSelection, { form: 'range' }>;

const ALL_DAYS: DayWindow = { from: Number.NEGATIVE_INFINITY, to: LAST_DAY };

/** The data in which the sources of rows are found. */
interface SourcesOptions {
  base: string;
  /** The columns from which the rows were made. */
  columns: Columns;
  /** Whether pegs are applied. */
  pegged: boolean;
  when: DateSelection;
}

/** Finds the shares of a blend, or of the mean of a period: see Shares. */
type SharesOf = Pick<Shares, 'sharesOf'>;

/**
 * Creates the function that adds the providers to rows from the shares of blends. A rate is the blend as of the row's own
 * date divided by that of the base, so each provider's rate per dollar is divided by the same number. The dollar is the
 * pivot and has no sources of its own: its row is the inverse of the base's blend, and its sources are the inverse rates of
 * that blend's providers.
 */
export function sourcesAmong(shares: SharesOf, options: SourcesOptions): (dated: DatedRows) => DatedRows {
  const { base, columns, when } = options;
  const baseColumn = columns.byQuote.get(base);
  const carriedDays = isGrouped(when) ? 0 : WINDOW_DAYS;
  const withOwnSources = (row: Row, day: number): Row => {
    const { quote, observed = day } = row;
    // A date without raw rows has no sources.
    if (!hasSources(row, observed, options)) return row;
    const indexOf = (code: string) => carriedIndex(columns, code, observed, carriedDays);
    const sharesAt = (code: string) => shares.sharesOf(columns.days[indexOf(code)] ?? Number.NaN, code);
    const divisor = baseColumn ? rateAt(baseColumn, indexOf(base)) : Number.NaN;
    const sources =
      quote === PIVOT
        ? sharesAt(base)?.map(toInverse)
        : sharesAt(quote)?.map((share) => toSource(share, share.rate / divisor));
    return { ...row, sources };
  };
  return ({ day, rows }) => ({ day, rows: rows.map((row) => withOwnSources(row, day)) });
}

/** The days whose blends contribute to rows: for each row that of the base and that of the quote. */
export function daysBehind(dates: readonly DatedRows[], base: string, columns: Columns): Set<number> {
  const days = dates.flatMap(({ day, rows }) =>
    rows.flatMap(({ quote, observed = day }) =>
      [base, quote].map((code) => columns.days[carriedIndex(columns, code, observed)] ?? observed),
    ),
  );
  return new Set(days);
}

/** Collects the blends of days, for the sources of rows. */
export interface ShareCollector {
  /** All days whose blends may count. */
  readonly window: DayWindow;
  /** Whether the blends of a day count. */
  isWanted(day: number): boolean;
  add(blends: DayBlends): void;
  /** Returns the shares of all blends added. */
  finish(): SharesOf;
}

/**
 * Creates the collector for rows of days, which needs the blends of the given days, by default of all; or for the means of
 * periods.
 */
export function collectShares(when: DateSelection, behind: ReadonlySet<number> | undefined): ShareCollector {
  if (isGrouped(when)) return new PeriodShares(when);
  const packer = new SharesPacker();
  return {
    window: behind ? { from: Math.min(...behind), to: Math.max(...behind) } : ALL_DAYS,
    isWanted: (day) => behind?.has(day) ?? true,
    add: (blends) => packer.add(blends),
    finish: () => unpackShares(packer.finish()),
  };
}

function isGrouped(when: DateSelection): when is Range {
  return when.form === 'range' && when.period !== 'day';
}

/** Each provider's rates, summed up over the whole periods that a range overlaps. */
class PeriodShares implements ShareCollector {
  readonly window: DayWindow;
  readonly #periods: Periods;
  /** By the first day of the period and the quote, the sums of each provider. */
  readonly #sums = new Map<string, Map<string, ShareSum>>();

  constructor(range: Range) {
    this.#periods = periodsOf(range.period, range);
    this.window = { from: this.#periods.firstDayOf(range.from), to: this.#periods.lastDayOf(range.to) };
  }

  isWanted(day: number): boolean {
    return day >= this.window.from && day <= this.window.to;
  }

  add({ day, blends }: DayBlends): void {
    if (!this.isWanted(day)) return;
    const first = this.#periods.firstDayOf(day);
    for (const { quote, contributions, excluded } of blends.values()) {
      const name = `${first} ${quote}`;
      const sums = this.#sums.get(name) ?? new Map<string, ShareSum>();
      for (const { provider, day: observed, rate } of contributions) {
        // A carried rate only counts on its own day.
        if (observed !== day) continue;
        this.#sums.set(name, sums);
        const sum = sums.get(provider) ?? { sum: 0, count: 0, excluded: 0 };
        sums.set(provider, sum);
        sum.sum += rate;
        sum.count++;
        if (excluded.has(provider)) sum.excluded++;
      }
    }
  }

  /** Returns each provider's mean over its own days in a period. It is excluded if it was excluded on all of them. */
  finish(): SharesOf {
    return {
      sharesOf: (day, quote) => {
        const sums = this.#sums.get(`${day} ${quote}`);
        const shares = [...(sums ?? [])].map(([key, { sum, count, excluded }]) => {
          return { key, day, rate: sum / count, excluded: excluded === count, suspect: undefined };
        });
        return sums && shares.sort(byKey);
      },
    };
  }
}

/** The sum of one provider's rates over a period. */
interface ShareSum {
  sum: number;
  count: number;
  excluded: number;
}

/** The parts of a request on which the quality of its rows depends. */
interface QualityRequest {
  base: string;
  providers: readonly string[] | undefined;
  expand: readonly string[];
  when: DateSelection;
}

/**
 * Creates the function that adds the quality to each row: from its sources, or that it is a peg. It leaves rows unchanged if
 * the request does not expand it. `asOf` is the day up to which the newest rates were searched.
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
      if (!providers && isFromPeg(base, quote, observed ?? dated.day, periods))
        return { ...row, quality: { peg: true } };
      const age = observed === undefined ? Math.max(0, (day ?? dated.day) - dated.day) : dated.day - observed;
      return sources ? { ...row, quality: qualityOf(rate, sources, age) } : row;
    }),
  });
}

function toSource({ key, day, excluded, suspect }: Share, rate: number): RowSource {
  return { key, day, rate, published: false, excluded, suspect };
}

function toInverse(share: Share): RowSource {
  return toSource(share, 1 / share.rate);
}

/** The base's own row has no sources, nor does a row from a peg. */
function hasSources({ quote }: Row, day: number, { base, pegged, when }: SourcesOptions): boolean {
  return quote !== base && !(pegged && isFromPeg(base, quote, day, periodsFor(when)));
}

/** Whether the rate of a pair follows from a peg on all days of the period that begins with the day. */
function isFromPeg(base: string, quote: string, day: number, { lastDayOf }: Periods): boolean {
  const peg = pegOf(quote === PIVOT ? base : quote);
  return peg !== undefined && inForce(peg)(day, lastDayOf(day));
}
