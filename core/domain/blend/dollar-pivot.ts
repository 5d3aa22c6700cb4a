import {
  type CarriedRows,
  isCarried,
  PIVOT,
  type Series,
  seriesNaming,
  sortedSeries,
} from './carry-forward.js';

/** In units per dollar. */
export interface Contribution {
  readonly provider: string;
  readonly day: number;
  rate: number;
  /** The number of pairs averaged in `rate`. */
  paths: number;
}

/** Units per dollar by quote, sorted by provider. Omits pairs without a dollar row of the provider to convert them. */
export function inDollars(carried: CarriedRows, day: number): Map<string, Contribution[]> {
  const byQuote = new Map<string, Contribution[]>();
  for (const series of sortedSeries(carried)) {
    if (!isCarried(series, day)) continue;
    const figure = toDollars(series, series.rate, day);
    if (figure && figure.quote !== PIVOT) contribute(byQuote, figure.quote, series, figure.rate);
  }
  return byQuote;
}

export function contributionsTo(
  carried: CarriedRows,
  currency: string,
  day: number,
): readonly Contribution[] {
  const byQuote = new Map<string, Contribution[]>();
  for (const series of seriesNaming(carried, currency)) {
    const figure = isCarried(series, day) ? toDollars(series, series.rate, day) : undefined;
    if (figure?.quote === currency) contribute(byQuote, currency, series, figure.rate);
  }
  return byQuote.get(currency) ?? [];
}

/**
 * In units of `quote` per dollar. `rises` is whether this rate rises with the pair's: true if `quote` is the pair's quote,
 * false if it is the pair's base. `bridge` is the pair that converts it, for one without the dollar. Undefined without a dollar
 * row of the provider, carried to the day.
 */
export function toDollars(
  { base, quote, bridges }: Series,
  rate: number,
  day: number,
): { quote: string; rate: number; rises: boolean; bridge: Series | undefined } | undefined {
  if (base === PIVOT) return { quote, rate, rises: true, bridge: undefined };
  if (!bridges) return { quote: base, rate: 1 / rate, rises: false, bridge: undefined };
  let bridge = bridges.dollarQuote;
  if (isCarried(bridge, day)) return { quote: base, rate: bridge.rate / rate, rises: false, bridge };
  bridge = bridges.dollarBase;
  if (isCarried(bridge, day)) return { quote, rate: bridge.rate * rate, rises: true, bridge };
  bridge = bridges.baseDollar;
  return isCarried(bridge, day) ? { quote, rate: rate / bridge.rate, rises: true, bridge } : undefined;
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

/** Series are sorted by provider, so the search starts at the end. */
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
