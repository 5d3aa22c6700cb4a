import { type CalendarDate, fromDayNumber } from '../../core/domain/dates.js';
import { type DollarRates, median, type PublishedRate } from './dollar-rates.js';
import { groupBy } from './group-by.js';
import { lagOf } from './lag.js';
import { shapeOf } from './shape.js';

/** A rate that is further than this from what the others say deviates. */
const FAR = 0.02;
/** Banks take their rates at other hours, and print them under other dates: a rate of a near day is no wrong one. */
const NEAR_DAYS = 3;

/** A rate that is more than 2 % from what others say, on its own day and on the three days before and after it. */
export interface Deviation {
  provider: string;
  quote: string;
  date: CalendarDate;
  /** Relative: 0.05 is 5 % more units per dollar than the others say. */
  deviation: number;
}

/** One provider's rates of one currency beside what others say. */
export interface Comparison {
  provider: string;
  quote: string;
  /** Days with a rate of the provider. */
  days: number;
  /** Of these, days on which it is compared: others have a rate too, at most three days old. */
  compared: number;
  /** The median of the relative deviations; undefined where nothing is compared. */
  median: number | undefined;
  /** The largest deviation, by size, its day, and the shape of an error that it has, such as `x100` or `inverse`. */
  worst: { deviation: number; date: CalendarDate; shape: string | undefined } | undefined;
  /** Days by which the rates follow the others', negative where they come first. Undefined for fewer than ten days. */
  lag: number | undefined;
  /** How many days are more than 2 % off, but not so from the others' rates of a day at most three days away. */
  near: number;
  /** The days that deviate. */
  far: Deviation[];
}

/** Compares every provider's rates of every currency with those of the others. Sorted by provider and currency. */
export function compareProviders(rates: DollarRates): Comparison[] {
  const series = groupBy(rates.published, ({ provider, quote }) => `${provider} ${quote}`);
  return [...series]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, published]) => compare(published, rates) ?? []);
}

function compare(published: readonly PublishedRate[], rates: DollarRates): Comparison | undefined {
  const [first] = published;
  if (!first) return undefined;
  const { provider, quote } = first;
  const deviations: number[] = [];
  const far: Deviation[] = [];
  let near = 0;
  let worst: Comparison['worst'];
  for (const rate of published) {
    const deviation = deviationOf(rate, 0, rates);
    if (deviation === undefined) continue;
    deviations.push(deviation);
    const date = fromDayNumber(rate.day);
    if (Math.abs(deviation) > Math.abs(worst?.deviation ?? 0)) {
      worst = { deviation, date, shape: shapeOf(rate.rate, rate.rate / (1 + deviation)) };
    }
    if (Math.abs(deviation) <= FAR) continue;
    if (isNear(rate, rates)) near++;
    else far.push({ provider, quote, date, deviation });
  }
  return {
    provider,
    quote,
    days: published.length,
    compared: deviations.length,
    median: deviations.length > 0 ? median(deviations) : undefined,
    worst,
    lag: lagOf(published, rates),
    near,
    far,
  };
}

function isNear(rate: PublishedRate, rates: DollarRates): boolean {
  for (let daysLater = -NEAR_DAYS; daysLater <= NEAR_DAYS; daysLater++) {
    const deviation = deviationOf(rate, daysLater, rates);
    if (deviation !== undefined && Math.abs(deviation) <= FAR) return true;
  }
  return false;
}

/** How far a rate is from the other providers' rates some days later; undefined if they have none. */
function deviationOf(rate: PublishedRate, daysLater: number, rates: DollarRates): number | undefined {
  const others = rates.ofOthers(rate, daysLater);
  return others === undefined ? undefined : rate.rate / others - 1;
}
