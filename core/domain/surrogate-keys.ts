import type { DateRange } from './periods.js';

/*
 * Surrogate keys are what a CDN keeps beside an answer, so that it can be told later which answers have changed: an answer
 * carries the keys of the rates that it is made of, and a data version purges the keys of what it changed.
 */

/** Which rates an answer is made of: the blend, those of all providers, or those of one, by its key. */
export type RatesOfAnswer = 'blend' | 'all' | { provider: string };

/** What changes with every data version, such as the newest rates and the list of currencies. */
export const NOW = 'now';

const BLEND = 'b';
const ALL = 'raw';
/** Carried by each answer of one provider: a data version may be of several, and does not say which. */
const SEVERAL = 'any';

/** An answer of more months has the keys of its years. */
const MOST_MONTHS = 24;

/**
 * The keys of an answer, such as `b-2026-02 b-2026-03`: of each month of the days that it depends on, or of each year where
 * these are more than 24 months.
 */
export function keysOfAnswer(rates: RatesOfAnswer, days: DateRange): string[] {
  const months = monthsOf(days);
  const spans = months.length > MOST_MONTHS ? yearsOf(days) : months;
  return familiesOf(rates).flatMap((family) => spans.map((span) => `${family}-${span}`));
}

function familiesOf(rates: RatesOfAnswer): string[] {
  if (rates === 'blend') return [BLEND];
  return rates === 'all' ? [ALL] : [rates.provider.toLowerCase(), SEVERAL];
}

/** The keys of all answers that a data version may change: its days, and its provider, null for several. */
export function keysOfChange(days: DateRange, provider: string | null): string[] {
  const families = [BLEND, ALL, provider?.toLowerCase() ?? SEVERAL];
  const spans = [...monthsOf(days), ...yearsOf(days)];
  return [NOW, ...families.flatMap((family) => spans.map((span) => `${family}-${span}`))];
}

/** Such as `2026-02`. */
function monthsOf({ from, to }: DateRange): string[] {
  const indexOf = (date: string) => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;
  return rangeOf(indexOf(from), indexOf(to)).map(
    (index) => `${yearOf(Math.floor(index / 12))}-${String((index % 12) + 1).padStart(2, '0')}`,
  );
}

function yearsOf({ from, to }: DateRange): string[] {
  return rangeOf(Number(from.slice(0, 4)), Number(to.slice(0, 4))).map(yearOf);
}

function yearOf(year: number): string {
  return String(year).padStart(4, '0');
}

function rangeOf(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
}
