import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { lifetimeOf } from '../../../core/domain/currencies.js';
import { fromDayNumber } from '../../../core/domain/dates.js';
import { pairSpan } from '../snapshot/pair-span.js';
import type { KnownRates } from './rate-source.js';

/** A pair that has no rate. */
interface MissingRate {
  base: string;
  quote: string;
  /** The day that was asked for; undefined for the newest rate. */
  on: number | undefined;
  isBefore: boolean;
  /** The only ones whose rates were looked at; undefined for the blend of all. */
  providers: readonly string[] | undefined;
  /** The day up to which it was looked for; undefined where there are no rates at all. */
  asked: number | undefined;
}

/** Looking for the days of a pair takes a fraction of a millisecond, and a body has ten thousand lines. */
const MOST_EXPLAINED = 100;

/** Says in one sentence that a pair has no rate as of a day, and, of the first hundred, on which days it has one. */
export function createMissingRates(rates: KnownRates): (missing: MissingRate) => string {
  const said = new Map<string, string>();
  return (missing) => {
    const { base, quote, on, isBefore } = missing;
    const day = on === undefined ? '' : ` ${isBefore ? 'before' : 'on'} ${fromDayNumber(on)}`;
    const short = `no rate for ${base}/${quote}${day}`;
    const known = said.get(short);
    if (known !== undefined) return known;
    if (said.size === MOST_EXPLAINED) return short;
    const message = `${short}: ${daysWithRates(missing, rates)}`;
    said.set(short, message);
    return message;
  };
}

function daysWithRates(
  { base, quote, asked, providers }: MissingRate,
  { columnsFor, official, isPartial }: KnownRates,
): string {
  if (asked === undefined) return 'there are no rates yet';
  if (official) return 'none is set that is valid then';
  if (isPartial) return `there is none in the ${WINDOW_DAYS} days up to then`;
  const columns = columnsFor(base);
  const [first, newest] = pairSpan(columns, { base, quotes: [quote] }, asked);
  const retired = [base, quote].find((code) => isRetired(code, asked));
  if (newest !== undefined && first !== undefined && retired !== undefined)
    return `${retired} has rates from ${fromDayNumber(first)} until ${fromDayNumber(newest)}`;
  if (newest !== undefined)
    return `the newest is of ${fromDayNumber(newest)}, and a rate counts for ${WINDOW_DAYS} days`;
  const unknown = [base, quote].find((code) => !columns.byQuote.has(code));
  if (unknown !== undefined)
    return `there are no rates of ${unknown}${providers ? ` from ${providers.join()}` : ''}`;
  const [begins] = pairSpan(columns, { base, quotes: [quote] });
  return begins === undefined
    ? 'the two have no rates of the same time'
    : `the first is of ${fromDayNumber(begins)}`;
}

function isRetired(code: string, day: number): boolean {
  const { until } = lifetimeOf(code);
  return until !== undefined && until <= fromDayNumber(day);
}
