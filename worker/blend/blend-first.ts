import { replaceBlendedDays } from '../../core/database/blended-rates.js';
import { type JudgedSuspect, writeSuspects } from '../../core/database/suspects.js';
import type { Transaction } from '../../core/database/transactions.js';
import { blendedDay, type DollarRate } from '../../core/domain/blend/apply-pegs.js';
import { blendDollars } from '../../core/domain/blend/blend.js';
import {
  type CarriedRows,
  createCarriedRows,
  type RawRow,
  seriesOf,
  WINDOW_DAYS,
} from '../../core/domain/blend/carry-forward.js';
import { type Contribution, inDollars } from '../../core/domain/blend/dollar-pivot.js';
import type { Observation } from '../../core/domain/blend/evidence.js';
import { withoutExclusions } from '../../core/domain/blend/exclusions.js';
import { createJudge } from '../../core/domain/blend/judge.js';
import { isHeld } from '../../core/domain/blend/suspect.js';
import { addDays, dayNumber, fromDayNumber } from '../../core/domain/dates.js';
import { groupBy } from '../../core/domain/group-by.js';
import { type Changes, wasHeld } from './judge-window.js';
import { createObserver } from './read-observations.js';
import { affectedWindows } from './recompute.js';
import { recordFrom } from './suspect-records.js';

/** The blends and the suspects of the first rates of a database. */
export interface FirstBlends {
  readonly blends: readonly DollarRate[];
  readonly suspects: readonly JudgedSuspect[];
}

/** Judges and blends rates in memory, with the same result as `blendStored` in a database that had none. */
export function blendFirst(rows: readonly RawRow[]): FirstBlends {
  const blended = withoutExclusions(rows);
  const carried = createCarriedRows();
  const judge = createJudge(carried);
  const blends = new Map<number, DollarRate[]>();
  const blend = (day: number, rates: ReadonlyMap<string, readonly Contribution[]>) =>
    blends.set(day, blendedDay(fromDayNumber(day), blendDollars(rates)));
  for (const [day, observations] of byDay(blended, carried)) blend(day, judge.observeDay(day, observations));
  const leftOut = judge.suspects.filter(isHeld).map(({ series, day, rate }) => ({ ...series, day, rate }));
  // Suspects that were confirmed on a later day count on the days before it, too.
  const late = judge.suspects.filter(({ day, confirmedOn = day }) => confirmedOn > day);
  for (const window of affectedWindows(late.map(({ day }) => fromDayNumber(day)).sort())) {
    const carried = createCarriedRows();
    const observeOthers = createObserver(carried, leftOut);
    const from = addDays(window.from, -WINDOW_DAYS);
    const near = blended.filter(({ date }) => date >= from && date <= window.to);
    for (const [day, observations] of byDay(near, carried)) {
      observeOthers(day, observations);
      if (fromDayNumber(day) >= window.from) blend(day, inDollars(carried, day));
    }
  }
  return { blends: [...blends.values()].flat(), suspects: judge.suspects.map(recordFrom) };
}

/** Stores them in a database without rates, blends or suspects. */
export async function storeFirst(
  transaction: Transaction,
  { blends, suspects }: FirstBlends,
): Promise<Changes> {
  const judged = suspects.map((one) => ({ ...one, isChanged: wasHeld(one) }));
  await writeSuspects(transaction, judged);
  const [first, last] = [blends[0], blends.at(-1)];
  const changed =
    first && last && (await replaceBlendedDays(transaction, { from: first.date, to: last.date }, blends));
  return { changed, suspects: judged.filter(({ isChanged }) => isChanged) };
}

/** The rates by day number, ascending. */
function byDay(rows: readonly RawRow[], carried: CarriedRows): [day: number, observations: Observation[]][] {
  const observed = rows.map(({ provider, date, base, quote, rate }) => {
    return { series: seriesOf(carried, provider, base, quote), rate, date };
  });
  return [...groupBy(observed, ({ date }) => date)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([date, observations]) => [dayNumber(date), observations]);
}
