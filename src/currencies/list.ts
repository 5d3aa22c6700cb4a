import { type CurrencyFacts, currencies as facts, lifetimeOf } from '../../core/domain/currencies.js';
import { type CalendarDate, dayNumber, daysBetween } from '../../core/domain/dates.js';
import { inForce, pegOf } from '../../core/domain/pegs.js';
import type { DateRange } from '../../core/domain/periods.js';
import { type Catalogue, providersOf, publishedBy } from '../catalogue/catalogue.js';
import type { DescribedCurrency, ListedCurrency } from '../catalogue/schemas.js';

const OBSERVED_WITHIN_DAYS = 30;

interface Scope {
  all: boolean;
  /** Only currencies that these providers publish, with the first and last day on which they do. */
  providers?: readonly string[];
  today: CalendarDate;
}

/** Sorted by code. */
export function listCurrencies(catalogue: Catalogue, { all, providers, today }: Scope): ListedCurrency[] {
  const spans = providers ? publishedBy(catalogue, providers) : catalogue.currencies;
  return [...facts.values()].flatMap((currency) => {
    const span = spans.get(currency.iso_code);
    if (!span || !(all || isCurrent(catalogue, currency.iso_code, today))) return [];
    return [listed(currency, span)];
  });
}

/** Not retired, and with a rate of its own or of its peg in the 30 days up to the newest one. */
function isCurrent({ currencies, newest }: Catalogue, code: string, today: CalendarDate): boolean {
  const { until } = lifetimeOf(code);
  if (until !== undefined && until <= today) return false;
  const span = currencies.get(code);
  if (!span || newest === undefined) return false;
  return daysBetween(span.to, newest) <= OBSERVED_WITHIN_DAYS;
}

/** Undefined if the currency never had a rate. */
export function describeCurrency(catalogue: Catalogue, code: string): DescribedCurrency | undefined {
  const currency = facts.get(code);
  const span = catalogue.currencies.get(code);
  if (!currency || !span) return undefined;
  const described = { ...listed(currency, span), providers: providersOf(catalogue, code) };
  const peg = pegOf(code);
  if (!peg || !inForce(peg)(dayNumber(span.to))) return described;
  const { base, rate, authority, source } = peg;
  return { ...described, peg: { base, rate, authority, source } };
}

function listed(
  { iso_code, iso_numeric, name, symbol }: CurrencyFacts,
  { from, to }: DateRange,
): ListedCurrency {
  return { iso_code, iso_numeric, name, symbol, start_date: from, end_date: to };
}
