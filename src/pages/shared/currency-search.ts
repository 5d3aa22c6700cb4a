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

/** Besides the country of their first two letters: ISO 4217, list one, by ISO 3166-1 codes. */
const USED_IN: Readonly<Record<string, string>> = {
  AUD: 'KI NR TV CX CC NF',
  CHF: 'LI',
  DKK: 'GL FO',
  EUR: 'EU AD AT BE BG CY DE EE ES FI FR GF GP GR HR IE IT LT LU LV MC ME MQ MT NL PT RE SI SK SM VA XK YT',
  GBP: 'GG IM JE',
  ILS: 'PS',
  MAD: 'EH',
  NOK: 'SJ BV',
  NZD: 'CK NU TK PN',
  USD: 'AS BQ EC FM GU IO MH MP PR PW SV TC TL VG VI',
  XAF: 'CF CG CM GA GQ TD',
  XCD: 'AG AI DM GD KN LC MS VC',
  XCG: 'CW SX',
  XOF: 'BF BJ CI GW ML NE SN TG',
  XPF: 'NC PF WF',
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
  const options = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const;
  const parts = new Intl.NumberFormat('en', options).formatToParts(0);
  return parts.find(({ type }) => type === 'currency')?.value ?? '';
}

/** By ISO 3166-1 code. */
export function countriesOf(currency: string): string[] {
  const others = USED_IN[currency]?.split(' ') ?? [];
  return currency.startsWith('X') || others.includes('EU') ? others : [currency.slice(0, 2), ...others];
}
