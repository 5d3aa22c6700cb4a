import type { Group } from './requests.js';

const DAY_MS = 86_400_000;
/** Days without rates that a line is drawn over: a rate counts for 14 days; of weeks and months two may be missing. */
const BRIDGED_DAYS = { day: 14, week: 21, month: 93 } as const;
/** Who publishes seldom has no gap: a line is also drawn over so many times what usually lies between rates. */
const USUAL_STEPS = 3;

/** Before which of the days of rates, sorted, a line is broken: by their indices. */
export function gapsIn(dates: readonly string[], group: Group | undefined): number[] {
  const steps = dates.slice(1).map((date, at) => (Date.parse(date) - Date.parse(dates[at] ?? '')) / DAY_MS);
  const usual = steps.toSorted((one, other) => one - other)[Math.floor((steps.length - 1) / 2)] ?? 0;
  const longest = Math.max(BRIDGED_DAYS[group ?? 'day'], USUAL_STEPS * usual);
  return steps.flatMap((step, at) => (step > longest ? [at + 1] : []));
}
