import type { JudgedSuspect } from '../../core/database/suspects.js';
import { type CarriedRows, seriesOf } from '../../core/domain/blend/carry-forward.js';
import type { Observation } from '../../core/domain/blend/evidence.js';
import { isHeld, type Suspect } from '../../core/domain/blend/suspect.js';
import { dayNumber, fromDayNumber } from '../../core/domain/dates.js';

/** The key of a suspect's figure. */
export function figureKey({ provider, base, quote, date, rate }: JudgedSuspect): string {
  return `${provider} ${base} ${quote} ${date} ${rate}`;
}

/** Whether a suspect's rate is still the rate of its pair, given the rates of its day. */
export function isCurrent(
  { provider, base, quote, rate }: JudgedSuspect,
  observed: readonly Observation[],
): boolean {
  const key = `${provider} ${base} ${quote}`;
  return observed.some((one) => one.rate === rate && one.series.key === key);
}

/** A suspect as known on a day, given only the days up to it. */
export function asOf(suspect: Suspect, day: number): Suspect {
  const { confirmedOn } = suspect;
  const isConfirmed = confirmedOn !== undefined && confirmedOn <= day;
  return isConfirmed ? suspect : { ...suspect, confirmedOn: undefined, confirmedBy: undefined };
}

/** Converts a stored suspect to the judge's form. */
export function suspectFrom(record: JudgedSuspect, carried: CarriedRows): Suspect {
  const { provider, base, quote, date, rate, reason, expected, evidence } = record;
  const { last, others = [], usual = 0, follows } = evidence;
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
    usual,
    follows,
    confirmedOn: record.confirmedOn === null ? undefined : dayNumber(record.confirmedOn),
    confirmedBy: record.confirmedBy ?? undefined,
  };
}

/** Converts the judge's suspect to the stored form. */
export function recordFrom(suspect: Suspect): JudgedSuspect {
  const { series, day, rate, reason, expected, last, others, usual, follows } = suspect;
  const evidence = {
    ...(last && { last: { date: fromDayNumber(last.day), rate: last.rate } }),
    others: others.map((one) => ({ provider: one.provider, date: fromDayNumber(one.day), rate: one.rate })),
    ...(usual > 0 && { usual }),
    ...(follows !== undefined && { follows }),
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
    confirmedOn: suspect.confirmedOn === undefined ? null : fromDayNumber(suspect.confirmedOn),
    confirmedBy: suspect.confirmedBy ?? null,
  };
}
