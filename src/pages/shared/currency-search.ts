import words from './currency-words.json' with { type: 'json' };
import { type Formats, namesIn } from './format.js';
import { searchTextOf } from './search-text.js';

/**
 * `called` is what people call a currency or its place besides their names, `also_in` the countries besides that of its first
 * two letters: ISO 4217, list one, by ISO 3166-1 codes.
 */
const WORDS: Readonly<Record<string, { called?: readonly string[]; also_in?: readonly string[] }>> = words;

export const english = namesIn('en');

/** For `bestFirst`: the code, names, symbol, nicknames and countries, in the language of the reader and in English. */
export function currencySearchText(code: string, formats: Formats, others: readonly string[] = []): string {
  const countries = countriesOf(code);
  return searchTextOf([
    code,
    ...[formats, english].map(({ currency }) => currency(code) ?? ''),
    ...others,
    symbolOf(code),
    ...(WORDS[code]?.called ?? []),
    ...[formats, english].flatMap(({ country }) => countries.map(country)),
  ]);
}

function symbolOf(currency: string): string {
  const options = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const;
  const parts = new Intl.NumberFormat('en', options).formatToParts(0);
  return parts.find(({ type }) => type === 'currency')?.value ?? '';
}

/** By ISO 3166-1 code. */
export function countriesOf(currency: string): readonly string[] {
  const others = WORDS[currency]?.also_in ?? [];
  return currency.startsWith('X') || others.includes('EU') ? others : [currency.slice(0, 2), ...others];
}
