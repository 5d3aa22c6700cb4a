import {
  allowLargeAggregates,
  recomputeMeans,
  replaceBlendedDays,
} from '../../core/database/blended-rates.js';
import type { Transaction } from '../../core/database/transactions.js';
import { applyPegs, type DollarRate } from '../../core/domain/blend/apply-pegs.js';
import { blendCarried } from '../../core/domain/blend/blend.js';
import {
  type CarriedRows,
  createCarriedRows,
  observe,
  PIVOT,
  WINDOW_DAYS,
} from '../../core/domain/blend/carry-forward.js';
import {
  addDays,
  type CalendarDate,
  dayNumber,
  earlier,
  fromDayNumber,
  later,
} from '../../core/domain/dates.js';
import { pegs } from '../../core/domain/pegs.js';
import type { DateRange } from '../../core/domain/periods.js';
import { readObservations } from './read-observations.js';

/** Days read, blended and written at a time: about 150,000 raw rows of all sources. */
const STRETCH_DAYS = 91;

/** Called after each part with the number of finished days of the window. */
export type OnProgress = (done: number, total: number) => void;

/**
 * Blends every observation date of the window again from the raw rows, and the weeks and months of what changed. The
 * caller holds the lock. Returns the first and the last day whose blend changed, undefined if none did.
 */
export async function recompute(
  transaction: Transaction,
  window: DateRange,
  onProgress: OnProgress = () => {},
): Promise<DateRange | undefined> {
  const carried = createCarriedRows();
  const total = dayNumber(window.to) - dayNumber(window.from) + 1;
  const parts = [...stretches({ from: addDays(window.from, -WINDOW_DAYS), to: window.to })];
  const read = (stretch: DateRange | undefined) => stretch && readAhead(transaction, stretch, carried);
  let changed: DateRange | undefined;
  await allowLargeAggregates(transaction);
  let reading = read(parts[0]);
  for (const [index, stretch] of parts.entries()) {
    const days = (await reading) ?? [];
    // Starts the next read, so that the database reads while this process blends.
    reading = read(parts[index + 1]);
    const part = { from: later(stretch.from, window.from), to: stretch.to };
    const fresh: DollarRate[] = [];
    for (const [day, observations] of days) {
      for (const { series, rate } of observations) observe(series, day, rate);
      const date = fromDayNumber(day);
      if (date >= window.from) fresh.push(...ofDate(date, applyPegs(blendCarried(carried, day), pegs)));
    }
    // A connection runs one statement at a time.
    await reading;
    if (part.from > part.to) continue;
    changed = union(changed, await replaceBlendedDays(transaction, part, fresh));
    onProgress(dayNumber(part.to) - dayNumber(window.from) + 1, total);
  }
  if (changed) await recomputeMeans(transaction, changed);
  return changed;
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

/** The rows to store for a date: the blends that have this date, and the dollar with the rate 1. */
function ofDate(date: CalendarDate, rates: readonly DollarRate[]): DollarRate[] {
  const own = rates.filter((rate) => rate.date === date);
  return own.length === 0 ? own : [...own, { quote: PIVOT, date, rate: 1 }];
}

function* stretches({ from, to }: DateRange): Generator<DateRange> {
  for (let start = from; start <= to; start = addDays(start, STRETCH_DAYS)) {
    yield { from: start, to: earlier(addDays(start, STRETCH_DAYS - 1), to) };
  }
}

function union(one: DateRange | undefined, other: DateRange | undefined): DateRange | undefined {
  if (!one || !other) return one ?? other;
  return { from: earlier(one.from, other.from), to: later(one.to, other.to) };
}
