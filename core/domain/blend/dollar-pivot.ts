import { type CarriedRows, isCarried, PIVOT, type Series, sortedSeries } from './carry-forward.js';

/** One provider's rate of a quote, in units per dollar, and its day. */
export interface Contribution {
  readonly provider: string;
  readonly day: number;
  rate: number;
  /** The number of pairs that `rate` is the mean of. */
  paths: number;
}

/**
 * Converts the rows carried to a day into units per dollar, by quote, sorted by provider. Pairs that no dollar row
 * of the same provider connects to the dollar are left out.
 */
export function inDollars(carried: CarriedRows, day: number): Map<string, Contribution[]> {
  const byQuote = new Map<string, Contribution[]>();
  for (const series of sortedSeries(carried)) {
    if (!isCarried(series, day)) continue;
    const { base, quote, rate, bridges } = series;
    if (base === PIVOT) {
      if (quote !== PIVOT) contribute(byQuote, quote, series, rate);
    } else if (!bridges) {
      contribute(byQuote, base, series, 1 / rate);
    } else if (isCarried(bridges.dollarQuote, day)) {
      contribute(byQuote, base, series, bridges.dollarQuote.rate / rate);
    } else if (isCarried(bridges.dollarBase, day)) {
      contribute(byQuote, quote, series, bridges.dollarBase.rate * rate);
    } else if (isCarried(bridges.baseDollar, day)) {
      contribute(byQuote, quote, series, rate / bridges.baseDollar.rate);
    }
  }
  return byQuote;
}

function contribute(byQuote: Map<string, Contribution[]>, quote: string, series: Series, rate: number): void {
  const { provider, day } = series;
  const contributions = byQuote.get(quote);
  if (!contributions) {
    byQuote.set(quote, [{ provider, day, rate, paths: 1 }]);
    return;
  }
  const same = reachedBefore(contributions, provider, day);
  if (same) {
    same.rate = (same.rate * same.paths + rate) / (same.paths + 1);
    same.paths++;
  } else {
    contributions.push({ provider, day, rate, paths: 1 });
  }
}

/** Series are sorted by provider, so an earlier contribution of this provider is the last one. */
function reachedBefore(
  contributions: readonly Contribution[],
  provider: string,
  day: number,
): Contribution | undefined {
  for (let index = contributions.length - 1; index >= 0; index--) {
    const contribution = contributions[index];
    if (contribution?.provider !== provider) return undefined;
    if (contribution.day === day) return contribution;
  }
  return undefined;
}
