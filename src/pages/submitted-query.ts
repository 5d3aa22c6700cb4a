import { parametersOf } from './reader.js';
import { amountIn } from './shared/amount.js';
import { isSupportedLocale } from './shared/format.js';

/**
 * What a form without script sends, as an address that everyone reads alike: the amount as it was typed in the given
 * `locale`, and the currencies as `swap` exchanges them. Undefined for other targets.
 */
export function submittedQuery(target: string): URLSearchParams | undefined {
  const query = parametersOf(target);
  const [locale, amount] = [query.get('locale'), query.get('amount')];
  if (locale === null && !query.has('swap')) return undefined;
  const read = isSupportedLocale(locale ?? '') ? amountIn(amount ?? '', locale ?? '') : undefined;
  if (read !== undefined) query.set('amount', read);
  if (query.has('swap')) {
    const [base, quote] = [query.get('base') ?? '', query.get('quote') ?? ''];
    query.set('base', quote);
    query.set('quote', base);
  }
  query.delete('locale');
  query.delete('swap');
  for (const [name, value] of [...query]) if (value === '') query.delete(name);
  return query;
}
