import { type CalendarDate, fromDayNumber } from '../../core/domain/dates.js';
import { type DollarRates, median, type PublishedRate } from './dollar-rates.js';
import { groupBy } from './group-by.js';

/** Days by which a series is shifted to find its lag. */
const LAG_DAYS = 7;
/** The lag is that of the newest days, and of no fewer than ten: a few days agree with any shift by chance. */
const NEWEST_DAYS = 250;
const FEWEST_DAYS = 10;
/** A shift counts if it leaves less than this share of the deviation without one. */
const CLEARLY_LESS = 0.6;

/**
 * By how many days a provider's rates of one currency follow the others': the shift that leaves the least median
 * deviation, where it is clearly less than without a shift. Negative where they come first. Undefined where fewer
 * than ten days can be compared. The rates are of one provider and currency, oldest first.
 */
export function lagOf(published: readonly PublishedRate[], rates: DollarRates): number | undefined {
  const newest = published.slice(-NEWEST_DAYS);
  const unshifted = sizesWith(newest, 0, rates);
  if (unshifted.length < FEWEST_DAYS) return undefined;
  let best = { lag: 0, size: median(unshifted) * CLEARLY_LESS };
  for (let size = 1; size <= LAG_DAYS; size++) {
    for (const lag of [size, -size]) {
      const sizes = sizesWith(newest, lag, rates);
      const typical = median(sizes);
      if (sizes.length >= unshifted.length / 2 && typical < best.size) best = { lag, size: typical };
    }
  }
  return best.lag;
}

/** A day of a provider whose rates are all those of another day. */
export interface OtherDay {
  provider: string;
  date: CalendarDate;
  /** The day whose rates they are most like, and how far they still are from those: a median, relative. */
  like: CalendarDate;
  size: number;
}

/** How far back another day is looked for. */
const BACK_DAYS = 1000;
/** A day is like another one if its rates are all this near, and is not like itself if they are this far. */
const ALIKE = 0.005;
const UNLIKE = 0.02;
/** Fewer currencies are alike by chance. */
const FEWEST_CURRENCIES = 6;

/** The days of providers whose rates are those of an earlier day, more than a week before it. */
export function findOtherDays(rates: DollarRates): OtherDay[] {
  const days = groupBy(rates.published, ({ provider, day }) => `${provider} ${day}`);
  return [...days.values()].flatMap((published) => otherDayOf(published, rates) ?? []);
}

function otherDayOf(published: readonly PublishedRate[], rates: DollarRates): OtherDay | undefined {
  const [first] = published;
  const own = sizesWith(published, 0, rates);
  if (!first || own.length < FEWEST_CURRENCIES || median(own) <= UNLIKE) return undefined;
  let best: { lag: number; size: number } | undefined;
  for (let lag = LAG_DAYS + 1; lag <= BACK_DAYS; lag++) {
    const sizes = sizesWith(published, lag, rates);
    if (sizes.length < FEWEST_CURRENCIES) continue;
    const size = median(sizes);
    if (size < (best?.size ?? ALIKE)) best = { lag, size };
  }
  if (!best) return undefined;
  const { provider, day } = first;
  return { provider, date: fromDayNumber(day), like: fromDayNumber(day - best.lag), size: best.size };
}

/** The deviations from the other providers' rates some days earlier, where they had any. */
function sizesWith(published: readonly PublishedRate[], lag: number, rates: DollarRates): number[] {
  const sizes: number[] = [];
  for (const rate of published) {
    const others = rates.ofOthers(rate, -lag);
    if (others !== undefined) sizes.push(Math.abs(rate.rate / others - 1));
  }
  return sizes;
}
