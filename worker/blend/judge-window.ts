import { isDeepStrictEqual } from 'node:util';
import { type JudgedSuspect, nextDayWith, writeSuspects } from '../../core/database/suspects.js';
import type { Transaction } from '../../core/database/transactions.js';
import {
  type CarriedRows,
  PIVOT,
  type Series,
  seriesOf,
  WINDOW_DAYS,
} from '../../core/domain/blend/carry-forward.js';
import { toDollars } from '../../core/domain/blend/dollar-pivot.js';
import { isDecision, LEFT_OUT_STATUSES, type Suspect } from '../../core/domain/blend/suspect.js';
import { type CalendarDate, type DateRange, dayNumber, fromDayNumber } from '../../core/domain/dates.js';
import { groupBy } from '../../core/domain/group-by.js';
import { affectedWindows, type RecomputeOptions, recompute } from './recompute.js';
import { type StateBefore, stateBefore } from './state-before.js';
import { asOf, figureKey, isCurrent, recordFrom, suspectFrom } from './suspect-records.js';

export interface JudgeWindowOptions extends Pick<RecomputeOptions, 'onProgress'> {
  /** Whether a provider's rates of a day are new, corrected, or newly decided on. */
  isChanged: (provider: string, day: number) => boolean;
  /** The series, as `PROVIDER BASE QUOTE`, that may be judged differently because of earlier days. */
  unsettled: readonly string[];
  newest: CalendarDate;
}

export interface Changes {
  /** The first and the last day whose blend changed; undefined if none did. */
  changed: DateRange | undefined;
  /** The suspects that are new, have a new status, or are left out for another reason. */
  suspects: readonly JudgedSuspect[];
}

/** Judges the rates of a window, blends its days, and stores its suspects. The caller holds the lock. */
export async function judgeWindow(transaction: Transaction, window: DateRange, options: JudgeWindowOptions) {
  const { onProgress, isChanged } = options;
  const state = await stateBefore(transaction, window);
  const { carried, judge, records } = state;
  const first = dayNumber(window.from);
  const touched = new Map<Series, number>();
  const touch = (series: Series, day: number) =>
    touched.set(series, Math.max(day, touched.get(series) ?? day));
  const open = new Set(options.unsettled);
  for (const series of carried.series.values()) if (open.has(series.key)) touch(series, first - 1);
  const isLast = window.to >= options.newest;
  const recordsOnDay = groupBy(records.values(), ({ date }) => dayNumber(date));
  /** The suspects whose rate is still the rate of their pair. */
  const current = new Set<JudgedSuspect>();
  const stored = [...records.values()].map((one) => suspectFrom(one, carried));
  const known = confirmedLater(stored, first);
  const changed = await recompute(transaction, window, {
    carried,
    except: affectedWindows(known.toSorted()),
    observeDay(day, observations) {
      for (const one of recordsOnDay.get(day) ?? []) if (isCurrent(one, observations)) current.add(one);
      // If nothing comes after the window, nothing needs to be settled.
      for (const { series } of isLast ? [] : observations)
        if (isChanged(series.provider, day)) touch(series, day);
      judge.observeDay(day, observations);
    },
    onProgress,
  });
  const { now, different } = differencesFrom(state, window, current);
  for (const { series, day } of different.touched) touch(series, day);
  await writeSuspects(transaction, different.records);
  const isCarriedOn = (day: number) => day + WINDOW_DAYS > dayNumber(window.to);
  const carriedOn = different.touched.filter(({ day }) => !isLast && isCarriedOn(day));
  return {
    changed,
    suspects: different.records.filter((one) => one.isChanged),
    /** The dates of suspects that make days before or after the window need blending again. */
    reblend: [...known, ...confirmedLater(now, first), ...carriedOn.map(({ day }) => fromDayNumber(day))],
    /** The next day whose rates may be judged differently because of this window. */
    next: isLast ? undefined : await dirtySeriesAfter(transaction, window.to, carried, touched),
  };
}

/** The days of suspects that were confirmed on a later day, which is not before the `first` day of a window. */
function confirmedLater(suspects: readonly Suspect[], first: number): CalendarDate[] {
  return suspects
    .filter(({ day, confirmedOn = day }) => confirmedOn > day && confirmedOn >= first)
    .map(({ day }) => fromDayNumber(day));
}

/** The suspects after judging a window, those that differ from the stored ones, and the last day of each difference. */
function differencesFrom(
  { carried, judge, records }: StateBefore,
  window: DateRange,
  current: ReadonlySet<JudgedSuspect>,
) {
  const last = dayNumber(window.to);
  const found = new Set<JudgedSuspect>();
  const touched: { series: Series; day: number }[] = [];
  const written: JudgedSuspect[] = [];
  const now = judge.suspects.map((suspect) => {
    const fresh = recordFrom(suspect);
    const record = records.get(figureKey(fresh));
    if (record) found.add(record);
    const stored = record && record.status !== 'corrected' ? suspectFrom(record, carried) : undefined;
    const then = stored && asOf(stored, last);
    const isSame = then && JSON.stringify(recordFrom(then)) === JSON.stringify(fresh);
    // Keep what later days changed in a stored suspect, as they are judged as before, unless it no longer waits.
    const isOver = suspect.confirmedOn === undefined && suspect.day <= suspect.series.day;
    if (stored && isSame && !(isOver && stored.confirmedOn !== undefined)) return stored;
    for (const one of then ? [suspect, then] : [suspect])
      touched.push({ series: one.series, day: Math.max(one.day, one.confirmedOn ?? one.day) });
    written.push(fresh);
    return suspect;
  });
  for (const record of records.values()) {
    if (record.date < window.from || found.has(record) || isDecision(record.status)) continue;
    // Its rate is trusted again, or its provider has restated it.
    const update = current.has(record)
      ? ({ status: 'confirmed', confirmedOn: record.date, confirmedBy: null } as const)
      : ({ status: 'corrected' } as const);
    const cleared = { ...record, ...update };
    if (JSON.stringify(cleared) === JSON.stringify(record)) continue;
    const { provider, base, quote, date } = record;
    touched.push({ series: seriesOf(carried, provider, base, quote), day: dayNumber(date) });
    written.push(cleared);
  }
  const different = written.map((one) => ({
    ...one,
    isChanged: isShownOtherwise(one, records.get(figureKey(one))),
  }));
  return { now, different: { touched, records: different } };
}

/** Whether a suspect has another status or reason than before, or is held back where it was not, or vice versa. */
function isShownOtherwise(suspect: JudgedSuspect, stored: JudgedSuspect | undefined): boolean {
  if (suspect.status !== (stored?.status ?? 'confirmed')) return true;
  // In an imported history, it is unknown when a confirmed suspect was confirmed.
  const isKnown = stored?.status !== 'confirmed' || stored.confirmedOn !== null;
  if (isKnown && wasHeld(suspect) !== (stored !== undefined && wasHeld(stored))) return true;
  if (!LEFT_OUT_STATUSES.includes(suspect.status)) return false;
  return suspect.reason !== stored?.reason || !isDeepStrictEqual(suspect.evidence, stored.evidence);
}

/** Whether a rate without a decision was held back on its day. Only such rates are listed and published as suspects. */
export function wasHeld({ date, confirmedOn }: JudgedSuspect): boolean {
  return confirmedOn !== date;
}

/** For each series, the last day whose judgement may differ from before. */
type Touched = ReadonlyMap<Series, number>;

/**
 * The next day after a window whose rates may be judged differently because of it, and the series, as `PROVIDER BASE QUOTE`,
 * that may cause that. Undefined if there is none.
 */
async function dirtySeriesAfter(
  transaction: Transaction,
  last: CalendarDate,
  carried: CarriedRows,
  touched: Touched,
) {
  const day = dayNumber(last);
  // Those without a trusted rate since the last day that differed, or of which rates can be reconsidered.
  const unsettled = [...touched]
    .filter(([series, at]) => series.day <= at || day < at + WINDOW_DAYS)
    .map(([series]) => series);
  if (unsettled.length === 0) return undefined;
  const series = unsettled.map(({ key }) => key);
  const currencies = currenciesAffectedBy(new Set(unsettled), { carried, touched, last: day });
  const date = await nextDayWith(transaction, last, { pairs: series, currencies });
  return date === undefined ? undefined : { date, series };
}

/**
 * The currencies that figures of these series affect, or affected, as far as these still count after the last day: those of
 * the 14 days before it, or the newest known. If a pair's bridge is unsettled, both of its currencies count.
 */
function currenciesAffectedBy(
  open: ReadonlySet<Series>,
  { carried, touched, last }: { carried: CarriedRows; touched: Touched; last: number },
): string[] {
  const newest = new Map<string, number>();
  const affected: { currency: string; day: number }[] = [];
  for (const series of carried.series.values()) {
    const { base, quote, day, rate } = series;
    const bridges: Series[] = series.bridges ? Object.values(series.bridges) : [];
    if ([series, ...bridges].some((one) => open.has(one))) {
      const until = Math.max(day, touched.get(series) ?? day);
      affected.push({ currency: base, day: until }, { currency: quote, day: until });
    } else {
      const currency = toDollars(series, rate, day)?.quote ?? PIVOT;
      newest.set(currency, Math.max(day, newest.get(currency) ?? day));
    }
  }
  const counts = ({ currency, day }: { currency: string; day: number }) =>
    currency !== PIVOT && (day + WINDOW_DAYS > last || day >= (newest.get(currency) ?? day));
  return [...new Set(affected.filter(counts).map(({ currency }) => currency))];
}
