import { type Columns, lastUpTo, rateAt } from '../../../core/columns/columns.js';
import { PIVOT, WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { type DayWindow, EACH_DAY, LAST_DAY, type Periods, periodsOf } from '../../../core/domain/dates.js';
import { inForce, pegOf } from '../../../core/domain/pegs.js';
import type { Side } from '../../../core/domain/sides.js';
import { carriedIndex, pairOf, pairRateAt } from '../snapshot/pair.js';
import { type DatedRows, type Quality, type Row, type RowSource, shownRate } from '../snapshot/row.js';
import type { DateSelection, Range, RowsRequest } from '../snapshot/rows.js';
import type { DayBlends, Share } from './day-blends.js';
import type { ProviderRates } from './provider-rates.js';
import { byKey, SharesBuilder, sharesOf } from './shares.js';

const SPREAD_DIGITS = 4;
const ALL_DAYS: DayWindow = { from: Number.NEGATIVE_INFINITY, to: LAST_DAY };

/** Finds the shares of the blend of a quote on a day (day number); undefined without a blend. */
type SharesOf = (day: number, quote: string) => readonly Share[] | undefined;

/** Finds the sources of a row, whose rate is of a day; undefined if they are unknown. */
type SourcesOf = (row: Row, day: number) => readonly RowSource[] | undefined;

/** Adds sources and requested quality, but not to the base or a peg. The newest rates were searched up to `newest`. */
export function withSources(
  sourcesOf: SourcesOf,
  { base, providers, expand, when }: RowsRequest & { expand: readonly string[] },
  newest: number | undefined,
): (dated: DatedRows) => DatedRows {
  const asked = when.form === 'date' ? when.day : newest;
  const hasQuality = expand.includes('quality');
  const periods = when.form === 'range' ? periodsOf(when.period, when) : EACH_DAY;
  const sourced = (row: Row, day: number): Row => {
    const { quote, rate, observed } = row;
    if (quote === base) return row;
    if (!providers && isFromPeg(base, quote, observed ?? day, periods))
      return hasQuality ? { quality: { peg: true }, ...row } : row;
    const sources = sourcesOf(row, observed ?? day);
    if (!sources || !hasQuality) return { sources, ...row };
    const age = observed === undefined ? Math.max(0, (asked ?? day) - day) : day - observed;
    return { sources, quality: qualityOf(rate, sources, age), ...row };
  };
  return ({ day, rows }) => ({ day, rows: rows.map((row) => sourced(row, day)) });
}

function isFromPeg(base: string, quote: string, day: number, { lastDayOf }: Periods): boolean {
  const peg = pegOf(quote === PIVOT ? base : quote);
  return peg !== undefined && inForce(peg)(day, lastDayOf(day));
}

/** Computes the quality of a rate from its sources; `age` is in days. */
export function qualityOf(rate: number, sources: readonly RowSource[], age: number): Quality {
  const known = sources.filter(({ suspect }) => !suspect);
  const counted = known.filter(({ excluded }) => !excluded).map((source) => source.rate);
  const spread = counted.length === 0 ? 0 : (Math.max(...counted) - Math.min(...counted)) / rate;
  return {
    sources: known.length,
    excluded: known.length - counted.length,
    spread: Number(spread.toPrecision(SPREAD_DIGITS)),
    age_days: age,
    suspects: sources.length - known.length,
  };
}

export function ownSource(key: string): SourcesOf {
  return ({ rate, published, suspect }, day) => [{ key, day, rate, published, excluded: false, suspect }];
}

/** Adds the sides that a provider publishes on the day of each rate. */
export function withSides(
  sides: Readonly<Record<Side, ProviderRates>>,
  { base, precision }: { base: string; precision: 'display' | 'full' },
): (dated: DatedRows) => DatedRows {
  const shownIn = (rates: ProviderRates) => {
    const columns = rates.columnsFor(base);
    const own = rates.ownFor(base);
    const pairs = new Map(columns.quotes.map((quote) => [quote, pairOf(columns, { base, quote, own })]));
    return ({ quote, observed }: Row, day: number): number | null => {
      const pair = quote === base ? undefined : pairs.get(quote);
      const index = lastUpTo(columns.days, observed ?? day);
      const rate = pair && columns.days[index] === (observed ?? day) ? pairRateAt(pair, index) : Number.NaN;
      if (Number.isNaN(rate)) return null;
      return shownRate({ rate, published: pair?.own?.isExactOn(index) === true }, precision);
    };
  };
  const [buy, sell] = [shownIn(sides.buy), shownIn(sides.sell)];
  return ({ day, rows }) => ({
    day,
    rows: rows.map((row) => ({ sides: { buy: buy(row, day), sell: sell(row, day) }, ...row })),
  });
}

/** Divides each share by the base's blend as of the row's date. `columns` are those of the rows. */
// The dollar is the pivot: its row is the inverse of the base's blend, and its sources are the inverse rates of that.
export function blendSources(
  find: SharesOf,
  columns: Columns,
  { base, when }: Pick<RowsRequest, 'base' | 'when'>,
): SourcesOf {
  const baseColumn = columns.byQuote.get(base);
  const carriedDays = isGrouped(when) ? 0 : WINDOW_DAYS;
  const indexOf = (code: string, day: number) => carriedIndex(columns, code, day, carriedDays);
  const sharesAt = (code: string, day: number) => find(columns.days[indexOf(code, day)] ?? Number.NaN, code);
  return ({ quote }, day) => {
    if (quote === PIVOT) return sharesAt(base, day)?.map((share) => toSource(share, 1 / share.rate));
    const divisor = baseColumn ? rateAt(baseColumn, indexOf(base, day)) : Number.NaN;
    return sharesAt(quote, day)?.map((share) => toSource(share, share.rate / divisor));
  };
}

// Copying a share with `...` takes several times as long.
function toSource({ key, day, excluded, suspect }: Share, rate: number): RowSource {
  return { key, day, rate, published: false, excluded, suspect };
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

export type ShareCollector = ReturnType<typeof collectPeriodShares>;

/** Collects for rows of days, from the blends of the given days, by default of all; or for means of periods. */
export function collectShares(when: DateSelection, behind?: ReadonlySet<number>): ShareCollector {
  if (isGrouped(when)) return collectPeriodShares(when);
  const builder = new SharesBuilder();
  return {
    window: behind ? { from: Math.min(...behind), to: Math.max(...behind) } : ALL_DAYS,
    isWanted: (day) => behind?.has(day) ?? true,
    add: (blends) => builder.add(blends),
    finish() {
      const shares = builder.finish();
      return (day, quote) => sharesOf(shares, day, quote);
    },
  };
}

function isGrouped(when: DateSelection): when is Range {
  return when.form === 'range' && when.period !== 'day';
}

interface ShareSum {
  sum: number;
  count: number;
  excluded: number;
}

/** Collects each provider's mean over its own days in a period, excluded if it was excluded on all of them. */
function collectPeriodShares(range: Range) {
  const { firstDayOf, lastDayOf } = periodsOf(range.period, range);
  const window = { from: firstDayOf(range.from), to: lastDayOf(range.to) };
  const isWanted = (day: number) => day >= window.from && day <= window.to;
  const sums = new Map<string, Map<string, ShareSum>>();
  return {
    window,
    isWanted,
    add({ day, blends }: DayBlends): void {
      if (!isWanted(day)) return;
      const first = firstDayOf(day);
      for (const { quote, contributions, excluded } of blends.values()) {
        // A carried rate only counts on its own day.
        const own = contributions.filter((one) => one.day === day);
        if (own.length === 0) continue;
        const name = `${first} ${quote}`;
        const ofQuote = sums.get(name) ?? new Map<string, ShareSum>();
        sums.set(name, ofQuote);
        for (const { provider, rate } of own) {
          const known = ofQuote.get(provider) ?? { sum: 0, count: 0, excluded: 0 };
          ofQuote.set(provider, known);
          known.sum += rate;
          known.count++;
          if (excluded.has(provider)) known.excluded++;
        }
      }
    },
    finish: (): SharesOf => (day, quote) => {
      const ofQuote = sums.get(`${day} ${quote}`);
      const shares = [...(ofQuote ?? [])].map(([key, { sum, count, excluded }]) => {
        return { key, day, rate: sum / count, excluded: excluded === count };
      });
      return ofQuote && shares.sort(byKey);
    },
  };
}
