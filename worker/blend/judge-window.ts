import {
  type JudgedSuspect,
  lastBelievedBefore,
  nextDayWith,
  suspectsBetween,
  waitingBefore,
  writeSuspects,
} from '../../core/database/suspects.js';
import type { Transaction } from '../../core/database/transactions.js';
import {
  type CarriedRows,
  createCarriedRows,
  observe,
  type Series,
  seriesOf,
  WINDOW_DAYS,
} from '../../core/domain/blend/carry-forward.js';
import { toDollars } from '../../core/domain/blend/dollar-pivot.js';
import type { Observation } from '../../core/domain/blend/evidence.js';
import { createJudge, type Decision } from '../../core/domain/blend/judge.js';
import { isDecision, isHeld, type Suspect } from '../../core/domain/blend/suspect.js';
import { addDays, type CalendarDate, dayNumber, fromDayNumber } from '../../core/domain/dates.js';
import type { DateRange } from '../../core/domain/periods.js';
import { readObservations } from './read-observations.js';
import { affectedWindows, type OnProgress, recompute } from './recompute.js';

export interface JudgeWindowOptions {
  /** Whether a provider's rates of a day are new, corrected, or newly decided on. */
  isChanged: (provider: string, day: number) => boolean;
  /** The series, as `PROVIDER BASE QUOTE`, which may be judged otherwise than before because of earlier days. */
  unsettled: readonly string[];
  /** The newest day that any rate has. */
  newest: CalendarDate;
  /** The day on which this is recorded (day number). */
  today: number;
  onProgress?: OnProgress | undefined;
}

export interface JudgedWindow {
  /** The first and the last day whose blend changed, undefined if none did. */
  changed: DateRange | undefined;
  /** The suspects that are new, or have another status than before. */
  suspects: readonly JudgedSuspect[];
  /** The dates of suspects whose verdict changed later than on their own day: what follows them has to be blended again. */
  reblend: readonly CalendarDate[];
  /** The next day whose rates may be judged otherwise because of this window, and the series that this is about. */
  next: { date: CalendarDate; unsettled: readonly string[] } | undefined;
}

/**
 * Judges the rates of a window of days, from what was believed before it, blends its days, and writes its suspects. The
 * caller holds the lock.
 */
export async function judgeWindow(
  transaction: Transaction,
  window: DateRange,
  options: JudgeWindowOptions,
): Promise<JudgedWindow> {
  const carried = createCarriedRows();
  const before = { from: addDays(window.from, -WINDOW_DAYS), to: addDays(window.from, -1) };
  const stored = await suspectsBetween(transaction, { from: before.from, to: window.to });
  const earlier = await readObservations(transaction, before, carried);
  const [first, last] = [dayNumber(window.from), dayNumber(window.to)];
  const records = new Map(stored.map((one) => [nameOf(one), one]));
  const given: Suspect[] = [];
  const decisions: Decision[] = [];
  const leftOut = new Set<string>();
  const doubted = new Set<Series>();
  const rates = new Map(earlier);
  for (const [name, record] of records) {
    const suspect = asOf(suspectFrom(record, carried), first - 1);
    doubted.add(suspect.series);
    if (isDecision(record.status)) decisions.push({ ...suspect, isAccepted: record.status === 'accepted' });
    else if (suspect.day < first && isCurrent(record, rates)) given.push(suspect);
    if (record.status === 'rejected' || (record.status !== 'accepted' && isHeld(suspect))) leftOut.add(name);
  }
  // A key is long to make: few series have any suspects.
  for (const [day, observations] of earlier)
    for (const { series, rate } of observations)
      if (!doubted.has(series) || !leftOut.has(keyOf(series, day, rate))) observe(series, day, rate);
  for (const record of await observeLast(transaction, carried, {
    before: before.from,
    judgedFrom: window.from,
  })) {
    records.set(nameOf(record), record);
    given.push(asOf(suspectFrom(record, carried), first - 1));
  }
  const judge = createJudge(carried, given, decisions);

  /** Of each series, the last day on which it is not known to be judged as it was. */
  const touched = new Map<Series, number>();
  const open = new Set(options.unsettled);
  for (const series of carried.series.values()) if (open.has(series.key)) touched.set(series, first - 1);
  const touch = (series: Series, day: number) =>
    touched.set(series, Math.max(day, touched.get(series) ?? day));
  const isLast = window.to >= options.newest;
  const current = new Set<JudgedSuspect>();
  const storedDays = new Set(stored.map(({ date }) => dayNumber(date)));
  const isLate = ({ day, confirmedOn = day, refutedOn = -1 }: Suspect) =>
    (confirmedOn > day && confirmedOn >= first) || refutedOn >= first;
  const late = (suspects: readonly Suspect[]) => suspects.filter(isLate).map(({ day }) => fromDayNumber(day));
  const known = late([...records.values()].map((one) => suspectFrom(one, carried)));
  const changed = await recompute(transaction, window, {
    carried,
    today: options.today,
    except: affectedWindows(known.toSorted()),
    observeDay(day, observations) {
      if (storedDays.has(day)) {
        const rates = new Map([[day, observations]]);
        for (const one of stored) if (isCurrent(one, rates)) current.add(one);
      }
      if (!isLast)
        for (const { series } of observations)
          if (options.isChanged(series.provider, day)) touch(series, day);
      return judge.observeDay(day, observations);
    },
    onProgress: options.onProgress,
  });

  const judged = judge.suspects.map((suspect) => {
    const record = records.get(keyOf(suspect.series, suspect.day, suspect.rate));
    const stored = record && record.status !== 'corrected' ? suspectFrom(record, carried) : undefined;
    const then = stored && asOf(stored, last);
    // What later days have made of it stays, as these are judged as they were.
    const isSame =
      then !== undefined && JSON.stringify(recordFrom(then)) === JSON.stringify(recordFrom(suspect));
    const now = isSame && stored ? stored : suspect;
    if (!isSame) for (const one of [suspect, then]) if (one) touch(one.series, lastDayOf(one));
    return { record, now, isSame };
  });
  const found = new Set(judged.map(({ record }) => record));
  const cleared = stored
    .filter((one) => one.date >= window.from && !found.has(one) && !isDecision(one.status))
    .map((one) => ({ ...one, ...(current.has(one) ? undoubted(one) : CORRECTED) }))
    .filter((one) => JSON.stringify(one) !== JSON.stringify(records.get(nameOf(one))));
  for (const one of cleared) touch(seriesOf(carried, one.provider, one.base, one.quote), dayNumber(one.date));
  const written = [
    ...judged.filter(({ isSame }) => !isSame).map(({ now }) => recordFrom(now)),
    ...cleared,
  ].map((one) => ({ ...one, isChanged: (records.get(nameOf(one))?.status ?? 'confirmed') !== one.status }));
  await writeSuspects(transaction, written);

  const unsettled = isLast ? [] : unsettledAt(last, touched);
  const next =
    unsettled.length > 0 ? await nextDay(transaction, window.to, carried, unsettled, touched) : undefined;
  return {
    changed,
    suspects: written.filter((one) => one.isChanged),
    reblend: [...known, ...late(judged.map(({ now }) => now))],
    next: next === undefined ? undefined : { date: next, unsettled: unsettled.map(({ key }) => key) },
  };
}

/**
 * Observes the last believed rates from before a day of the series that have none since. Returns what was held back after
 * them.
 */
async function observeLast(
  transaction: Transaction,
  carried: CarriedRows,
  { before, judgedFrom }: { before: CalendarDate; judgedFrom: CalendarDate },
): Promise<JudgedSuspect[]> {
  const known = [...carried.series.values()].filter(({ day }) => day > Number.NEGATIVE_INFINITY);
  const except = known.map(({ key }) => key);
  const last = await lastBelievedBefore(transaction, before, { judgedFrom, except });
  for (const { provider, base, quote, date, rate } of last)
    observe(seriesOf(carried, provider, base, quote), dayNumber(date), rate);
  return waitingBefore(transaction, before, { judgedFrom, except });
}

/**
 * The series of which later rates may be judged otherwise than before: all but those with a rate that is believed after
 * the last day on which anything differed, once nothing of that time can be reconsidered.
 */
function unsettledAt(day: number, touched: ReadonlyMap<Series, number>): Series[] {
  return [...touched]
    .filter(([series, at]) => series.day <= at || day < at + WINDOW_DAYS)
    .map(([series]) => series);
}

/** The next day with a rate that may be judged by one of the series: its own, or one of a currency of which it is the newest. */
async function nextDay(
  transaction: Transaction,
  after: CalendarDate,
  carried: CarriedRows,
  unsettled: readonly Series[],
  touched: ReadonlyMap<Series, number>,
): Promise<CalendarDate | undefined> {
  const open = new Set(unsettled);
  const newest = new Map<string, number>();
  const told: { quote: string; day: number }[] = [];
  for (const series of carried.series.values()) {
    const quote = toDollars(series, series.rate, series.day)?.quote;
    if (quote === undefined) continue;
    const bridges = Object.values(series.bridges ?? {}) as Series[];
    if (open.has(series) || bridges.some((bridge) => open.has(bridge)))
      told.push({ quote, day: Math.max(series.day, touched.get(series) ?? series.day) });
    else newest.set(quote, Math.max(series.day, newest.get(quote) ?? series.day));
  }
  const currencies = told
    .filter(({ quote, day }) => day >= (newest.get(quote) ?? day))
    .map(({ quote }) => quote);
  return nextDayWith(transaction, after, {
    pairs: unsettled.map(({ key }) => key),
    currencies: [...new Set(currencies)],
  });
}

function keyOf(series: Series, day: number, rate: number): string {
  return `${series.key} ${day} ${rate}`;
}

function nameOf({ provider, base, quote, date, rate }: JudgedSuspect): string {
  return `${provider} ${base} ${quote} ${dayNumber(date)} ${rate}`;
}

function isCurrent(suspect: JudgedSuspect, rates: ReadonlyMap<number, readonly Observation[]>): boolean {
  const { provider, base, quote, date, rate } = suspect;
  const observed = rates.get(dayNumber(date)) ?? [];
  const key = `${provider} ${base} ${quote}`;
  return observed.some((one) => one.rate === rate && one.series.key === key);
}

function lastDayOf({ day, confirmedOn = day, refutedOn = day }: Suspect): number {
  return Math.max(day, confirmedOn, refutedOn);
}

/** A suspect as it was on a day, by what was known of the days up to it. */
function asOf(suspect: Suspect, day: number): Suspect {
  const { confirmedOn, confirmedBy, refutedOn } = suspect;
  const isConfirmed = confirmedOn !== undefined && confirmedOn <= day;
  return {
    ...suspect,
    confirmedOn: isConfirmed ? confirmedOn : undefined,
    confirmedBy: isConfirmed ? confirmedBy : undefined,
    refutedOn: refutedOn !== undefined && refutedOn <= day ? refutedOn : undefined,
  };
}

/** What became of a suspect whose provider restated the rate. */
const CORRECTED = { status: 'corrected', confirmedOn: null, confirmedBy: null, refutedOn: null } as const;

/** What became of a suspect that is not doubted any more. */
function undoubted({ date }: JudgedSuspect) {
  return { status: 'confirmed', confirmedOn: date, confirmedBy: null, refutedOn: null } as const;
}

function suspectFrom(record: JudgedSuspect, carried: CarriedRows): Suspect {
  const { provider, base, quote, date, rate, reason, expected, evidence } = record;
  const day = (value: CalendarDate | null) => (value === null ? undefined : dayNumber(value));
  const { last, others = [] } = evidence;
  return {
    series: seriesOf(carried, provider, base, quote),
    day: dayNumber(date),
    rate,
    reason,
    expected,
    last: last && { day: dayNumber(last.date), rate: last.rate },
    others: others.map((other) => ({
      provider: other.provider,
      day: dayNumber(other.date),
      rate: other.rate,
    })),
    confirmedOn: day(record.confirmedOn),
    confirmedBy: record.confirmedBy ?? undefined,
    refutedOn: day(record.refutedOn),
  };
}

function recordFrom(suspect: Suspect): JudgedSuspect {
  const { series, day, rate, reason, expected, last, others, confirmedOn, confirmedBy, refutedOn } = suspect;
  const date = (value: number | undefined) => (value === undefined ? null : fromDayNumber(value));
  const evidence = {
    ...(last && { last: { date: fromDayNumber(last.day), rate: last.rate } }),
    others: others.map((other) => ({
      provider: other.provider,
      date: fromDayNumber(other.day),
      rate: other.rate,
    })),
  };
  return {
    provider: series.provider,
    date: fromDayNumber(day),
    base: series.base,
    quote: series.quote,
    rate,
    reason,
    expected,
    others: others.length,
    evidence,
    status: isHeld(suspect) ? 'held' : 'confirmed',
    confirmedOn: date(confirmedOn),
    confirmedBy: confirmedBy ?? null,
    refutedOn: date(refutedOn),
  };
}
