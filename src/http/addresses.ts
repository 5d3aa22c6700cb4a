import { isCurrency } from '../../core/domain/currencies.js';
import { isCalendarDate } from '../../core/domain/dates.js';
import { OTHER_NAMES } from './other-names.js';
import { pathOf } from './target.js';

/** What a request of another service asks for, by whatever names. */
export type Terms = Partial<
  Record<'base' | 'quotes' | 'date' | 'from' | 'to' | 'amount', string | undefined>
>;

const CURRENCIES = ['base', 'quotes'] as const;
const DAYS = ['date', 'from', 'to'] as const;
const AMOUNTS = ['amount'] as const;
const AMOUNT = /^-?[\d.]{1,30}$/;
/** A longer target is not looked at. */
const LONGEST = 300;

/** The address of a conversion with the currencies and the amount that a target names in any way. */
export function conversionFor(target: string): string {
  return conversionOf(termsOf(target));
}

/** The address of the receipt of the newest rate, or that of a day, of a pair that a target names in any way. */
export function receiptFor(target: string): string {
  const { base = 'EUR', quotes = 'USD', date } = termsOf(target);
  const [quote = ''] = quotes.split(',', 1);
  return `/v2/rate/${base}/${quote}?${date ? `date=${date}&` : ''}expand=receipt`;
}

/** The address of a range of the pair whose newest rate a target asks for; undefined for another path. */
export function rangeFor(target: string): string | undefined {
  const [, base, quotes] = /^\/v2\/rate\/([a-z]{3})\/([a-z]{3})$/i.exec(pathOf(target)) ?? [];
  return base && quotes && ratesOf({ ...rangeOf(termsOf(target)), base, quotes: currenciesIn(quotes) });
}

/** What a target asks for, by whatever names: a currency and a day may have the same name. */
export function termsOf(target: string): Terms {
  const start = target.indexOf('?');
  if (start < 0 || target.length > LONGEST) return {};
  const terms: Terms = {};
  for (const [name, value] of new URLSearchParams(target.slice(start))) {
    const codes = currenciesIn(value);
    const wanted = codes ? CURRENCIES : isCalendarDate(value) ? DAYS : AMOUNT.test(value) ? AMOUNTS : [];
    const own = [name, ...(OTHER_NAMES.get(name) ?? [])];
    const found = wanted.find((one) => own.includes(one));
    if (found) terms[found] ??= found === 'base' ? codes?.split(',', 1)[0] : (codes ?? value);
  }
  return terms;
}

/** Codes in capitals with commas between; undefined for what has others in it. */
export function currenciesIn(text: string | undefined): string | undefined {
  const codes = text?.toUpperCase().split(',');
  return codes?.every(isCurrency) ? codes.join() : undefined;
}

/** The address of the rates that are asked for. */
export function ratesOf({ base, quotes, date, from, to }: Terms): string {
  const asked = { base: currenciesIn(base), quotes, date, from, to: from && to };
  const query = Object.entries(asked).flatMap(([name, value]) => (value ? [`${name}=${value}`] : []));
  return `/v2/rates${query.length > 0 ? '?' : ''}${query.join('&')}`;
}

/** The same over days, from the first of 2026 where none is named. */
export function rangeOf(terms: Terms): Terms {
  return { from: '2026-01-01', ...terms };
}

/** The address of the newest rate of a pair; undefined where one is no currency. */
export function pairOf(base: string | undefined, quote: string | undefined): string | undefined {
  const [one, other] = [currenciesIn(base), currenciesIn(quote)];
  return one && other && `/v2/rate/${one}/${other}`;
}

/** The address of the conversion that is asked for. */
export function conversionOf({ base = 'EUR', quotes = 'USD', amount = '1', date }: Terms): string {
  const [quote = ''] = quotes.toUpperCase().split(',', 1);
  return `/v2/convert/${base.toUpperCase()}/${quote}?amount=${amount}${date ? `&date=${date}` : ''}`;
}
