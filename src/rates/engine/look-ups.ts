import { lastDayUpTo } from '../../../core/columns/columns.js';
import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { currenciesOf, currencyOf, lifetimeOf, rateBetween } from '../../../core/domain/currencies.js';
import { fromDayNumber } from '../../../core/domain/dates.js';
import { daysToPick, onOrBefore, type PickedDay } from '../../../core/domain/day-pick.js';
import { atFixedRates, type FixedRates, fixedRatesAmong, successorsOf } from '../../../core/domain/pegs.js';
import { HttpError } from '../../http/errors.js';
import { pairSpan } from '../snapshot/pair.js';
import { createPairRates, type PairRate } from '../snapshot/rows.js';
import { type OfficialRates, pickedOfficialRows } from '../sources/official.js';
import type { Reader } from '../sources/raw-reads.js';
import type { KnownRates } from './rate-source.js';
import type { RatesView } from './rates-view.js';
import type { ResolvedRequest } from './request.js';

export type LookUps = ReturnType<typeof lookUpsIn>;

type Find = (quote: string, picked: PickedDay) => PairRate | undefined;

/** Looks up pairs among the rates of some providers, or of all. Rates dated later than `tomorrow` are not the newest yet. */
export function lookUpsIn(rates: KnownRates, tomorrow: number, providers: readonly string[] | undefined) {
  const { days, columnsFor, ownFor, official } = rates;
  const byBase = new Map<string, Find>();
  const said = new Map<string, string>();
  // Official rates are known in advance: the newest ones are those of today.
  const newestDay = official ? tomorrow - 1 : lastDayUpTo(days, tomorrow);
  const newest = newestDay === undefined ? undefined : onOrBefore(newestDay);
  return {
    providers,
    /** Day number. */
    today: tomorrow - 1,
    newest,
    /** Finds the rate of a pair for a picked day. Either of the pair may be a minor unit. */
    find(base: string, quote: string, picked: PickedDay): PairRate | undefined {
      const currency = currencyOf(base);
      const find =
        byBase.get(currency) ??
        (official
          ? findOfficial(official, currency)
          : createPairRates(columnsFor(currency), currency, ownFor(currency)));
      byBase.set(currency, find);
      const found = find(currencyOf(quote), picked);
      return found && { day: found.day, rate: rateBetween(base, quote, found.rate) };
    },
    /** Explains why a pair has no rate; for the first hundred pairs, also on which days it has one. */
    missing(missing: MissingRate): string {
      const { base, quote, picked } = missing;
      const short = `no rate for ${base}/${quote}${picked ? daysOf(picked) : ''}`;
      const known = said.get(short);
      if (known !== undefined) return known;
      if (said.size === MOST_EXPLAINED) return short;
      const pair = successorsOf(currenciesOf(missing), missing.fixed);
      const message = `${short}: ${daysWithRates({ ...missing, ...pair, picked: picked ?? newest }, rates, providers)}`;
      said.set(short, message);
      return message;
    },
  };
}

function findOfficial(rates: OfficialRates, base: string): Find {
  const byDay = new Map<string, Map<string, PairRate>>();
  return (quote, picked) => {
    const key = `${picked.day} ${picked.pick}`;
    const known = byDay.get(key) ?? new Map<string, PairRate>();
    if (!byDay.has(key)) {
      byDay.set(key, known);
      for (const { day, rows } of pickedOfficialRows(rates, { base, quotes: undefined }, picked)) {
        for (const row of rows) known.set(row.quote, { day, rate: row.rate });
      }
    }
    return known.get(quote);
  };
}

interface MissingRate extends Pair {
  /** The requested day; undefined for the newest rate. */
  picked: PickedDay | undefined;
  /** The fixed rates that apply if the successors have a rate. */
  fixed?: FixedRates | undefined;
}

/** Finding the days of a pair takes a fraction of a millisecond, and a body has up to ten thousand lines. */
const MOST_EXPLAINED = 100;

function daysOf(picked: PickedDay): string {
  const { day, pick } = picked;
  if (pick === 'next') return ` from ${fromDayNumber(day)} to ${fromDayNumber(daysToPick(picked).to)}`;
  return ` ${pick === 'before' ? 'before' : 'on'} ${fromDayNumber(day)}`;
}

function daysWithRates(
  { base, quote, picked }: MissingRate,
  { columnsFor, ownFor, official, isPartial, none }: KnownRates,
  providers: readonly string[] | undefined,
): string {
  if (picked === undefined) return 'there are no rates yet';
  const isNext = picked.pick === 'next';
  if (official) return isNext ? 'none becomes valid then' : 'none is set that is valid then';
  if (isPartial) return `there is none in the ${WINDOW_DAYS} days ${isNext ? 'from then on' : 'up to then'}`;
  const { to } = daysToPick(picked);
  const columns = columnsFor(base);
  const pair = { base, quotes: [quote], own: ownFor(base) };
  const [first, newest] = pairSpan(columns, pair, { to });
  const retired = [base, quote].find((code) => isRetired(code, to));
  if (newest !== undefined && first !== undefined && retired !== undefined)
    return `${retired} has rates from ${fromDayNumber(first)} until ${fromDayNumber(newest)}`;
  if (newest !== undefined)
    return `the newest rate is from ${fromDayNumber(newest)}${isNext ? '' : `, and a rate counts for ${WINDOW_DAYS} days`}`;
  const [begins] = pairSpan(columns, pair);
  if (begins !== undefined) return `the first rate is from ${fromDayNumber(begins)}`;
  if (none !== undefined) return none;
  const unknown = [base, quote].find((code) => !columns.byQuote.has(code));
  if (unknown === undefined) return 'the two currencies have no rates from the same time';
  return `there are no rates for ${unknown}${providers ? ` from ${providers.join()}` : ''}`;
}

function isRetired(code: string, day: number): boolean {
  const { until } = lifetimeOf(code);
  return until !== undefined && until <= fromDayNumber(day);
}

/** A pair of which either currency may have ended. */
export type Pair = Readonly<Record<'base' | 'quote', string>>;

/** The fixed rates of a pair as of a day, by default `today`; undefined if none of its currencies has ended. */
export function fixedRatesOf(
  { base, quote }: Pair,
  picked: PickedDay | undefined,
  { today, providers }: Pick<LookUps, 'today' | 'providers'>,
) {
  if (providers) return undefined;
  const { day, pick } = picked ?? { day: today, pick: 'on-or-before' };
  return fixedRatesAmong([base, quote], pick === 'before' ? day - 1 : day);
}

/** `picked` is the requested day, by default the newest one. */
type LookedUp = { picked: PickedDay; found: PairRate } | { missing: string };

/** Looks up a rate as of a day, by default the newest. That of an ended currency follows from its successor's. */
export function lookUpRate(lookUps: LookUps, pair: Pair, asked: PickedDay | undefined): LookedUp {
  const fixed = fixedRatesOf(pair, asked, lookUps);
  const picked = asked ?? lookUps.newest;
  const { base, quote } = successorsOf(pair, fixed);
  const found = picked && lookUps.find(base, quote, picked);
  if (!found) return { missing: lookUps.missing({ ...pair, picked: asked, fixed }) };
  if (!fixed) return { picked, found };
  return { picked, found: { day: found.day, rate: atFixedRates(pair, found.rate, fixed), fixed } };
}

export type FoundRate = Awaited<ReturnType<typeof findRate>>;

/** Looks up the only pair of a request. Throws an HttpError 404 if it has no rate. */
export async function findRate(
  { base, quotes = [], providers, side, when }: ResolvedRequest,
  view: RatesView,
  reader: Reader,
) {
  const [quote = ''] = quotes;
  const asked = when.form === 'date' ? when : undefined;
  const pair = { base, quote };
  const fixed = fixedRatesOf(pair, asked, { today: view.today, providers });
  const currencies = Object.values(successorsOf(pair, fixed)).map(currencyOf);
  const days = { from: undefined, to: undefined, ...(asked && daysToPick(asked)), currencies };
  const rates = await view.sourceOf(providers, side).ratesOn(days, reader);
  const result = lookUpRate(lookUpsIn(rates, view.today + 1, providers), pair, asked);
  if ('missing' in result) throw new HttpError(404, result.missing, { code: 'no_rates' });
  return { base, quote, rates, ...result };
}
