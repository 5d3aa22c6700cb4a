import { countriesOf } from './countries.js';
import { createFormats, type Formats } from './format.js';
import { searchTextOf } from './search-text.js';

/** What people call a currency or its place besides their names. */
const NICKNAMES: Readonly<Record<string, string>> = {
  AED: 'uae emirates dubai',
  AUD: 'aussie',
  CAD: 'loonie',
  CHF: 'fr sfr swissie',
  CNH: 'rmb renminbi',
  CNY: 'rmb renminbi kuai',
  EUR: 'eu eurozone holland',
  GBP: 'uk quid sterling britain england scotland wales',
  NZD: 'kiwi',
  RUB: 'rouble',
  USD: 'us usa america buck greenback',
};

let english: Formats | undefined;

/** For `bestFirst`: the code, names, symbol, nicknames and countries, in the language of the reader and in English. */
export function currencySearchText(code: string, formats: Formats, others: readonly string[] = []): string {
  english ??= createFormats('en');
  const countries = countriesOf(code);
  return searchTextOf([
    code,
    ...[formats, english].map(({ currency }) => currency(code) ?? ''),
    ...others,
    symbolOf(code),
    ...(NICKNAMES[code]?.split(' ') ?? []),
    ...[formats, english].flatMap(({ country }) => countries.map(country)),
  ]);
}

function symbolOf(currency: string): string {
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  });
  return format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? '';
}
