import { type CarriedRows, type Series, seriesNaming } from './carry-forward.js';
import { contributionsTo, toDollars } from './dollar-pivot.js';
import { type Evidence, type Figure, usualMove, type Witness } from './suspicion.js';

export interface Observation {
  series: Series;
  rate: number;
}

export function byKey({ series: one }: Observation, { series: other }: Observation): number {
  return one.key < other.key ? -1 : 1;
}

/** `movedLast`: its last figure after its table has moved. */
interface Asked extends Observation {
  observations: readonly Observation[];
  movedLast?: Figure | undefined;
}

/**
 * The evidence from the rows carried forward so far. Without a current rate of another provider, it uses the
 * newest known figures of the currency, or for the first figure of its pair, the other figures under
 * examination.
 */
export function evidenceOf(
  carried: CarriedRows,
  day: number,
  { series, rate, observations, movedLast }: Asked,
): Evidence & Observation {
  const known = series.day > Number.NEGATIVE_INFINITY ? { day: series.day, rate: series.rate } : undefined;
  const last = movedLast ?? known;
  const mine = toDollars(series, rate, day);
  const figure = { series, day, rate, last, usual: usualMove(series.recent, day) };
  if (!mine) return { ...figure, others: [] };
  const others = (all: readonly Witness[]): Witness[] =>
    all.flatMap((one) => {
      const relation = mine.rises ? one.rate / mine.rate : mine.rate / one.rate;
      if (one.provider === series.provider) return [];
      return { provider: one.provider, day: one.day, rate: rate * relation };
    });
  const asked = () =>
    observations.flatMap((other) => {
      // Most are of other currencies: on the very first day every figure compares with all others.
      if (other.series.base !== mine.quote && other.series.quote !== mine.quote) return [];
      const theirs = toDollars(other.series, other.rate, day);
      return theirs?.quote === mine.quote ? { provider: other.series.provider, day, rate: theirs.rate } : [];
    });
  const speaking = others(contributionsTo(carried, mine.quote, day));
  const heard = speaking.length > 0 ? speaking : others(newestTo(carried, mine.quote));
  return { ...figure, others: heard.length > 0 || last ? heard : others(asked()) };
}

/** The newest trusted figures of a currency in dollars, however old: those of the last day with any. */
function newestTo(carried: CarriedRows, currency: string): Witness[] {
  const trusted = seriesNaming(carried, currency).flatMap((series) => {
    const { provider, day } = series;
    const figure = day > Number.NEGATIVE_INFINITY ? toDollars(series, series.rate, day) : undefined;
    return figure?.quote === currency ? { provider, day, rate: figure.rate } : [];
  });
  const newest = Math.max(...trusted.map(({ day }) => day));
  return trusted.filter(({ day }) => day === newest);
}
