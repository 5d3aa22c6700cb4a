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
} from '../../core/domain/blend/carry-forward.js';
import { inDollars } from '../../core/domain/blend/dollar-pivot.js';
import type { Observation } from '../../core/domain/blend/evidence.js';
import { withoutExclusions } from '../../core/domain/blend/exclusions.js';
import { Judge } from '../../core/domain/blend/judge.js';
import { isHeld } from '../../core/domain/blend/suspect.js';
import { dayNumber, fromDayNumber } from '../../core/domain/dates.js';
import { groupBy } from '../../core/domain/group-by.js';
import { type Changes, wasHeld } from './judge-window.js';
import { createObserver } from './read-observations.js';
import { recordFrom } from './suspect-records.js';

/** The blends and the suspects of the first rates of a database. */
export interface FirstBlends {
  readonly blends: readonly DollarRate[];
  readonly suspects: readonly JudgedSuspect[];
}

/** Judges and blends rates in memory, with the same result as `blendStored` in a database that had none. */
export function blendFirst(rows: readonly RawRow[]): FirstBlends {
  const blended = withoutExclusions(rows);
  const judged = createCarriedRows();
  const judge = new Judge(judged);
  for (const [day, observations] of byDay(blended, judged)) judge.observeDay(day, observations);
  const leftOut = judge.suspects.filter(isHeld).map(({ series, day, rate }) => ({ ...series, day, rate }));
  // Suspects that were confirmed on a later day count on the days before it, too.
  const carried = createCarriedRows();
  const observeOthers = createObserver(carried, leftOut);
  const blends = byDay(blended, carried).flatMap(([day, observations]) => {
    observeOthers(day, observations);
    return blendedDay(fromDayNumber(day), blendDollars(inDollars(carried, day)));
  });
  return { blends, suspects: judge.suspects.map(recordFrom) };
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
