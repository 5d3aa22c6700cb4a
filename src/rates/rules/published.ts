import { type CalendarDate, dayNumber, fromDayNumber, toCalendarDate } from '../../../core/domain/dates.js';
import { daysToPick, type PickedDay } from '../../../core/domain/day-pick.js';
import { providerOf } from '../../../core/domain/providers.js';
import { readPublishSchedule } from '../../../core/domain/publish-schedule.js';
import { periodStart } from '../../../core/domain/validity.js';
import { lookUpsIn, type Pair } from '../engine/look-ups.js';
import type { RatesContext, RatesView } from '../engine/rates-view.js';
import { pairSpan } from '../snapshot/pair.js';
import type { Ruling } from './resolve.js';

/** When the sources of rules were last read, if known. It is plain data. */
export interface ReadTimes {
  /** The instant of the request, in milliseconds since 1970. */
  readonly now: number;
  /** In milliseconds since 1970, by provider; empty for an instant in the past, for which it is unknown. */
  readonly readAt: ReadonlyMap<string, number>;
  /** The data version of those times. An older snapshot in memory may lack rates that were read since. */
  readonly version: bigint;
}

/** The source of a rule, as known at an instant. */
export type RuleSource = Awaited<ReturnType<typeof readRuleSource>>;

/** The longest gap between two rates of a bank. */
const LONGEST_GAP_DAYS = 7;
/** And between two lists of rates that are set for a period, such as a quarter. */
const LONGEST_PERIOD_DAYS = 100;

export async function readRuleSource(
  key: string,
  { now, readAt, version }: ReadTimes,
  { view, context }: { view: RatesView; context: RatesContext },
) {
  const { current, today, sourceOf } = view;
  const rates = await sourceOf([key]).ratesOn({ from: undefined, to: undefined }, context);
  const { pivot_currency: pivot = null, publish_schedule: cron, lead_days: lead = 0 } = providerOf(key) ?? {};
  const newestDay = (rates.official?.table.days ?? rates.days).at(-1);
  const newest = new Map<string, number | undefined>();
  /** Returns the day number of the newest rate of a currency; undefined if there is none. */
  const newestOf = (code: string) => {
    const base = pivot ?? code;
    const selection = { base, quotes: [code], own: rates.ownFor(base) };
    if (!newest.has(code)) newest.set(code, pairSpan(rates.columnsFor(base), selection)[1]);
    return newest.get(code);
  };
  const isInMemory = version <= current.dataVersion;
  return {
    ...lookUpsIn(rates, today + 1, [key]),
    key,
    rates,
    /** Undefined for an archive. */
    schedule: cron ? readPublishSchedule(cron) : undefined,
    /** How many more days ahead it may publish than other sources. */
    lead,
    /** The currency in which it quotes all others; null if there is none. */
    pivot,
    /** In milliseconds since 1970. */
    now,
    /** When its newest rates were last read without error, in milliseconds since 1970; undefined if unknown. */
    readAt: isInMemory ? readAt.get(key) : undefined,
    /** The day number of its newest rates of any currency. */
    newestDay,
    newestOf,
  };
}

/** Explains why a rate may not be published yet. Undefined if none will follow, or the source never had the pair. */
export function notPublished(ruling: Picked, pair: Pair, source: RuleSource): string | undefined {
  const { pick, picked } = ruling;
  const legs = legsOf(pair, source);
  if (pick === 'valid') return notValidYet(picked, legs, source);
  if (legs.some((leg) => source.newestOf(leg.code) === undefined)) return undefined;
  return pick === 'next' ? notFollowed(picked, pair, legs, source) : notReached(ruling, legs, source);
}

type Picked = Pick<Ruling, 'pick' | 'picked'>;

/** A currency of a pair, and its rate against the pivot of the source. */
interface Leg extends Pair {
  code: string;
}

function legsOf({ base, quote }: Pair, { pivot }: RuleSource): Leg[] {
  return [base, quote].flatMap((code) => (code === pivot ? [] : { code, base: pivot ?? base, quote: code }));
}

/** For the newest row up to a day: whether a newer one may still be published. */
function notReached({ pick, picked }: Picked, legs: readonly Leg[], source: RuleSource): string | undefined {
  const { to } = daysToPick(picked);
  const due = lastPublication(source, to);
  const { newestDay = due.day, readAt = 0 } = source;
  // A later publication shows that this one is complete, as for a currency that has ended.
  const isComplete = newestDay > due.day || readAt >= due.publishedBy;
  for (const leg of legs) {
    if (!isComplete && (source.newestOf(leg.code) ?? due.day) < due.day)
      return missing(source, leg.code, { what: `of ${fromDayNumber(due.day)}`, from: due.from });
    // A mean also has the rows that are too old to be found.
    const last = pick === 'mean' ? source.newestOf(leg.code) : undefined;
    const found = source.find(leg.base, leg.quote, picked)?.day ?? last;
    if (found !== undefined && to - found > LONGEST_GAP_DAYS)
      return missing(source, leg.code, {
        what: `of the ${LONGEST_GAP_DAYS} days up to ${fromDayNumber(to)}`,
        from: newestDay < to ? source.now : undefined,
      });
  }
  return undefined;
}

/** For the first row from a day on: whether that of the base or of the quote is missing. */
function notFollowed(picked: PickedDay, { base, quote }: Pair, legs: readonly Leg[], source: RuleSource) {
  if (source.find(base, quote, picked)) return undefined;
  const { from, to } = daysToPick(picked);
  const late = legs.find((leg) => !source.find(leg.base, leg.quote, picked));
  const span = `from ${fromDayNumber(from)} to ${fromDayNumber(to)}`;
  const isPast = (source.newestDay ?? from) > to;
  return late && missing(source, late.code, { what: span, from: isPast ? undefined : dueFrom(source, from) });
}

/** For the rate that is valid on a day: whether it is missing, and its source has no rate of its period or a later one. */
function notValidYet(picked: PickedDay, legs: readonly Leg[], source: RuleSource): string | undefined {
  const { rates, lead, newestDay } = source;
  const late = legs.find((leg) => !source.find(leg.base, leg.quote, picked));
  if (!late || !rates.official) return undefined;
  const { period } = rates.official;
  // A daily rate of the days before may no longer be valid.
  const start = period === 'day' ? picked.day : periodStart[period](picked.day);
  if ((newestDay ?? start) >= start) return undefined;
  const what = `for ${fromDayNumber(picked.day)}`;
  return missing(source, late.code, { what, from: dueFrom(source, start - lead) });
}

/** The last day up to the given one on which the source publishes by its schedule. */
function lastPublication({ schedule }: RuleSource, upTo: number) {
  // An archive is complete.
  if (!schedule) return { day: Number.NEGATIVE_INFINITY, from: 0, publishedBy: 0 };
  let day = upTo;
  while (!schedule.publishesOn(day) && day > upTo - LONGEST_GAP_DAYS) day--;
  return { day, from: schedule.firstSlot(day), publishedBy: schedule.lastSlot(day) };
}

function dueFrom({ schedule, now }: RuleSource, day: number): number {
  return schedule?.firstSlot(day) ?? now;
}

/** `from` is the instant from which the rate is expected. A source that was not read since may have published it. */
function missing(
  source: RuleSource,
  code: string,
  { what, from }: { what: string; from: number | undefined },
) {
  const { key, now, schedule } = source;
  const next = from === undefined ? undefined : schedule?.nextSlot(new Date(Math.max(now, from - 1)));
  const expected = next ? `; it is expected from ${next.toISOString().replace(/:00\.000Z$/, 'Z')} on` : '';
  const none = `${key} has no rate of ${code} ${what}`;
  const unreadSince = from === undefined ? undefined : unreadSinceOf(source, from);
  return unreadSince === undefined
    ? `not published yet: ${none}${expected}`
    : `not published yet as far as known: ${key} has not been read since ${unreadSince}: ${none}`;
}

/** The day on which a source was last read, if it has not been read since a rate was due; else undefined. */
function unreadSinceOf(source: RuleSource, from: number): CalendarDate | undefined {
  const { now, readAt, newestDay: newest } = source;
  const due = source.schedule?.nextSlot(new Date(from - 1));
  if (!due || due.getTime() > now) return undefined;
  if (readAt !== undefined) return readAt < due.getTime() ? toCalendarDate(new Date(readAt)) : undefined;
  // It is unknown when it was read, such as a source whose rates only shipped.
  const longest = source.rates.official ? LONGEST_PERIOD_DAYS : LONGEST_GAP_DAYS;
  const isOld = newest !== undefined && dayNumber(toCalendarDate(new Date(now))) - newest > longest;
  return isOld ? fromDayNumber(newest) : undefined;
}
