import { lifetimeOf } from '../../core/domain/currencies.js';
import { type CalendarDate, daysBetween } from '../../core/domain/dates.js';
import { pegOf } from '../../core/domain/pegs.js';
import type { Catalogue } from '../catalogue/catalogue.js';

const OBSERVED_WITHIN_DAYS = 30;

/**
 * Whether a currency is current: not retired, and observed in the 30 days up to the newest observation, or pegged to
 * one that was.
 */
export function isCurrent(catalogue: Catalogue, code: string, today: CalendarDate): boolean {
  const { until } = lifetimeOf(code);
  if (until !== undefined && until <= today) return false;
  if (wasObserved(catalogue, code)) return true;
  const peg = pegOf(code);
  return peg !== undefined && wasObserved(catalogue, peg.base);
}

function wasObserved({ currencies, newest }: Catalogue, code: string): boolean {
  const span = currencies.get(code);
  if (!span || newest === undefined) return false;
  return daysBetween(span.end, newest) <= OBSERVED_WITHIN_DAYS;
}
