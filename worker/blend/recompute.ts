import {
  allowLargeAggregates,
  recomputeMeans,
  replaceBlendedDays,
} from '../../core/database/blended-rates.js';
import { readPrecedents, writeSuspects } from '../../core/database/suspects.js';
import type { Transaction } from '../../core/database/transactions.js';
import type { DollarRate } from '../../core/domain/blend/apply-pegs.js';
import { blendDollars } from '../../core/domain/blend/blend.js';
import { blendedDay } from '../../core/domain/blend/blended-day.js';
import {
  type CarriedRows,
  createCarriedRows,
  observe,
  seriesOf,
  WINDOW_DAYS,
} from '../../core/domain/blend/carry-forward.js';
import { createJudge, isLeftOut, type Judge, type Suspect } from '../../core/domain/blend/judge.js';
import {
  addDays,
  type CalendarDate,
  dayNumber,
  earlier,
  fromDayNumber,
  later,
} from '../../core/domain/dates.js';
import type { DateRange } from '../../core/domain/periods.js';
import { readObservations } from './read-observations.js';

/** Days read, blended and written at a time: about 150,000 raw rows of all sources. */
const STRETCH_DAYS = 91;

/** Called after each part with the number of finished days of the window. */
export type OnProgress = (done: number, total: number) => void;

export interface RecomputeOptions {
  /** The providers whose rates are judged: those whose rates are new. */
  judged: readonly string[];
  onProgress?: OnProgress | undefined;
}

export interface Recomputed {
  /** The first and the last day whose blend changed, undefined if none did. */
  changed: DateRange | undefined;
  /** The suspects that are new, or have another status than before. */
  suspects: readonly Suspect[];
}

/**
 * Blends every observation date of the window again from the raw rows, without those that are suspect, and the weeks
 * and months of what changed. The caller holds the lock.
 */
export async function recompute(
  transaction: Transaction,
  window: DateRange,
  { judged, onProgress = () => {} }: RecomputeOptions,
): Promise<Recomputed> {
  const carried = createCarriedRows();
  const total = dayNumber(window.to) - dayNumber(window.from) + 1;
  const whole = { from: addDays(window.from, -WINDOW_DAYS), to: window.to };
  const parts = [...stretches(whole)];
  const read = (stretch: DateRange | undefined) => stretch && readAhead(transaction, stretch, carried);
  let changed: DateRange | undefined;
  await allowLargeAggregates(transaction);
  const judge = await openJudge(transaction, { whole, from: window.from, judged }, carried);
  let reading = read(parts[0]);
  for (const [index, stretch] of parts.entries()) {
    const days = (await reading) ?? [];
    // Starts the next read, so that the database reads while this process blends.
    reading = read(parts[index + 1]);
    const part = { from: later(stretch.from, window.from), to: stretch.to };
    const fresh: DollarRate[] = [];
    for (const [day, observations] of days) {
      const contributions = judge.observeDay(day, observations);
      const date = fromDayNumber(day);
      if (date >= window.from) fresh.push(...blendedDay(date, blendDollars(contributions)));
    }
    // A connection runs one statement at a time.
    await reading;
    if (part.from > part.to) continue;
    changed = union(changed, await replaceBlendedDays(transaction, part, fresh));
    onProgress(dayNumber(part.to) - dayNumber(window.from) + 1, total);
  }
  if (changed) await recomputeMeans(transaction, changed);
  const suspects = judge.changed();
  await writeSuspects(transaction, suspects);
  return { changed, suspects };
}

/** A judge that knows what was doubted before, and the last rates of the judged providers before the days read. */
async function openJudge(
  transaction: Transaction,
  { whole, from, judged }: { whole: DateRange; from: CalendarDate; judged: readonly string[] },
  carried: CarriedRows,
): Promise<Judge> {
  const { suspects, last } = await readPrecedents(transaction, whole, judged);
  const known = suspects.map(({ provider, base, quote, date, ...suspect }) => ({
    ...suspect,
    series: seriesOf(carried, provider, base, quote),
    day: dayNumber(date),
  }));
  for (const { provider, base, quote, date, rate } of last) {
    const [series, day] = [seriesOf(carried, provider, base, quote), dayNumber(date)];
    const isOut = known.some(
      (suspect) => suspect.series === series && suspect.day === day && isLeftOut(suspect.status),
    );
    if (!isOut) observe(series, day, rate);
  }
  const keys = new Set(judged);
  return createJudge(carried, { isJudged: (provider) => keys.has(provider), from: dayNumber(from), known });
}

/** Starts a read that is awaited later. */
function readAhead(
  transaction: Transaction,
  stretch: DateRange,
  carried: CarriedRows,
): ReturnType<typeof readObservations> {
  const reading = readObservations(transaction, stretch, carried);
  // The failure is thrown where the promise is awaited. If the blend fails first, it is never awaited, and must not be
  // an unhandled rejection.
  reading.catch(() => undefined);
  return reading;
}

function* stretches({ from, to }: DateRange): Generator<DateRange> {
  for (let start = from; start <= to; start = addDays(start, STRETCH_DAYS)) {
    yield { from: start, to: earlier(addDays(start, STRETCH_DAYS - 1), to) };
  }
}

/** The range from the first to the last day of both. */
export function union(one: DateRange | undefined, other: DateRange | undefined): DateRange | undefined {
  if (!one || !other) return one ?? other;
  return { from: earlier(one.from, other.from), to: later(one.to, other.to) };
}
