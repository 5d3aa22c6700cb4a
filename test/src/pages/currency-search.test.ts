import { expect, test } from 'vitest';
import { currencies } from '../../../core/domain/currencies.js';
import { frequentFirst } from '../../../src/pages/currency-name.js';
import { currencySearchText } from '../../../src/pages/shared/currency-search.js';
import { createFormats } from '../../../src/pages/shared/format.js';
import { bestFirst, searchText } from '../../../src/pages/shared/search-text.js';

const codes = frequentFirst([...currencies.keys()]);

function found(text: string, locale: string): string[] {
  const formats = createFormats(locale);
  const all = codes.map((code) => ({ code, searched: currencySearchText(code, formats) }));
  return bestFirst(all, searchText(text)).map(({ code }) => code);
}

test.each([
  ['uk', 'en', ['GBP']],
  ['usa', 'de', ['USD']],
  ['€', 'en', ['EUR']],
  ['¥', 'en', ['JPY', 'CNY']],
  ['$', 'fr', ['USD', 'AUD', 'CAD']],
  ['rmb', 'en', ['CNY', 'CNH']],
  ['quid', 'ar', ['GBP']],
  ['loonie', 'zh', ['CAD']],
  ['loonie', 'fr', ['CAD']],
  ['poland', 'en', ['PLN']],
  ['gbp', 'en', ['GBP']],
  ['osterreich', 'de', ['EUR']],
  ['dollar', 'en', ['USD', 'AUD', 'CAD']],
  ['Dollar', 'de', ['USD', 'AUD', 'CAD']],
  ['dollar', 'zh', ['USD', 'AUD', 'CAD']],
  ['pound', 'en', ['GBP']],
  ['franc', 'en', ['CHF']],
  ['franken', 'de', ['CHF']],
  ['niger', 'en', ['XOF', 'NGN']],
  ['Österreich', 'de', ['EUR']],
  ['瑞士', 'zh', ['CHF']],
  ['دولار', 'ar', ['USD']],
  ['mark', 'en', ['BAM', 'DEM']],
  ['chf', 'es', ['CHF']],
])('%s in %s begins with %s', (text, locale, first) => {
  expect(found(text, locale).slice(0, first.length)).toEqual(first);
});

test('a text that nothing has finds nothing', () => {
  expect(found('zzz', 'en')).toEqual([]);
});

test('frequent currencies come first, the others stay in their order', () => {
  expect(frequentFirst(['AED', 'AFN', 'EUR', 'ALL', 'USD'])).toEqual(['USD', 'EUR', 'AED', 'AFN', 'ALL']);
});
