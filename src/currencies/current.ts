import { lifetimeOf } from '../../core/domain/currencies.js';
import { type CalendarDate, daysBetween } from '../../core/domain/dates.js';
import type { Catalogue } from '../catalogue/catalogue.js';

const OBSERVED_WITHIN_DAYS = 30;

/**
 * Whether a currency is current: not retired, and with a rate of its own or of its peg in the 30 days up to the newest one.
 */
export function isCurrent({ currencies, newest }: Catalogue, code: string, today: CalendarDate): boolean {
  const { until } = lifetimeOf(code);
  if (until !== undefined && until <= today) return false;
  const span = currencies.get(code);
  if (!span || newest === undefined) return false;
  return daysBetween(span.end, newest) <= OBSERVED_WITHIN_DAYS;
}
