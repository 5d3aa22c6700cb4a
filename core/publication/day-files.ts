import { type Columns, lastRated, lastUpTo, rateAt } from '../columns/columns.js';
import { PIVOT, WINDOW_DAYS } from '../domain/blend/carry-forward.js';
import { fromDayNumber } from '../domain/dates.js';
import type { Manifest } from './open-publication.js';
import { canonicalBytes } from './publication-error.js';

export function dayPath(day: number): string {
  return `day/${fromDayNumber(day)}.json`;
}

/** Day numbers of every calendar day from the first rate to the newest. */
export function publishedDays({ days }: Columns): number[] {
  const [first = 0, last = -1] = [days[0], days.at(-1)];
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

/** Canonical JSON, because its keys are created in order. */
export function dayFile(columns: Columns, day: number): Buffer {
  return Buffer.from(JSON.stringify(ratesOf(columns, day)));
}

export function latestFile(columns: Columns, { data }: Pick<Manifest, 'data'>): Buffer {
  return canonicalBytes({ ...ratesOf(columns, columns.days.at(-1) ?? 0), ...data });
}

/** The newest rate of each currency in the 14 days up to a day, and the dates of older ones. */
function ratesOf(columns: Columns, day: number) {
  const newest = lastUpTo(columns.days, day);
  const oldest = day - WINDOW_DAYS;
  const rates: Record<string, number> = {};
  const observed: Record<string, string> = {};
  for (const quote of columns.quotes) {
    const column = columns.byQuote.get(quote);
    const index = column ? lastRated(columns, column, newest, oldest) : -1;
    if (!column || index < 0) continue;
    rates[quote] = rateAt(column, index);
    const dated = columns.days[index] ?? day;
    if (dated !== day) observed[quote] = fromDayNumber(dated);
  }
  return { base: PIVOT, date: fromDayNumber(day), observed, rates };
}
