import type { Period } from './requests.js';

const DAY_MS = 86_400_000;
/** A line continues across these: a rate counts for 14 days, and two weeks or months may be missing. */
const BRIDGED_DAYS = { day: 14, week: 21, month: 93 } as const;
/** For providers that publish seldom, a line also continues across this many usual steps. */
const USUAL_STEPS = 3;

/** The indices of the sorted dates before which a line is broken. */
export function gapsIn(dates: readonly string[], period: Period): number[] {
  const steps = dates.slice(1).map((date, at) => (Date.parse(date) - Date.parse(dates[at] ?? '')) / DAY_MS);
  const usual = steps.toSorted((one, other) => one - other)[Math.floor((steps.length - 1) / 2)] ?? 0;
  const longest = Math.max(BRIDGED_DAYS[period], USUAL_STEPS * usual);
  return steps.flatMap((step, at) => (step > longest ? [at + 1] : []));
}
