import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  currencyHint,
  didYouMean,
  eitherOf,
  fromAfterTo,
  hintForUnknown,
  invalidAmount,
  invalidDate,
  invalidInstant,
  nearest,
  providerHint,
} from '../../../src/parameters/hints.js';
import { processorMs } from '../../support/processor-time.js';

const PAIR = (base: string, quote: string) =>
  ` (a pair is two codes: use /v2/rate/${base}/${quote}, or base=${base}&quotes=${quote})`;
it.each([
  [' (did you mean EUR?)', ['EU', '€', 'euro']],
  [' (did you mean GBP?)', ['gpb']],
  [' (did you mean JPY?)', ['yen']],
  [' (did you mean CHF?)', ['swiss franc']],
  [' (did you mean USD?)', ['dollar']],
  [PAIR('EUR', 'USD'), ['EURUSD', 'EURUSD=X']],
  [PAIR('USD', 'JPY'), ['USD/JPY']],
  [' (no official source publishes rates for cryptocurrencies)', ['btc']],
  ['', ['constructor', '__proto__', 'ZZZ', '', 'E'.repeat(10_000)]],
])('the hint for a currency that is none is “%s” for %.80j', (hint, codes) => {
  for (const given of codes) expect([given, currencyHint(given)]).toEqual([given, hint]);
});

it.each([
  [' (did you mean ECB?)', ['ECBB', 'European Central Bank']],
  [' (did you mean BOC?)', ['Canada']],
  ['', ['bank', 'ZZZ', 'a,'.repeat(10_000)]],
])('the hint for a provider that is none is “%s” for %.80j', (hint, keys) => {
  for (const given of keys) expect([given, providerHint(given)]).toEqual([given, hint]);
});

const MEANT = ['2026/03/02', '2026.3.2', '2026-3-2', '20260302', '02.03.2026', '2026-03-02T10:00:00.5+02:00'];
it.each([
  ...MEANT.map((given) => [given, `write 2026-03-02 for ${given}`]),
  ...['2026-13-01', '30.02.2026', '03/02/2026'].map((given) => [given, `${given} is not a date`]),
  ['9'.repeat(10_000), `${'9'.repeat(40)}… is not a date`],
])('a date in another form: %.30s', (given = '', said = '') =>
  expect(invalidDate(given)).toBe(`must be YYYY-MM-DD: ${said}`),
);

it('a date in another form is no instant', () => {
  const form = 'must be a date or an instant such as 2026-03-05T16:00:00Z: ';
  expect(invalidInstant('20260302')).toBe(`${form}write 2026-03-02 for 20260302`);
  // Its time must not be lost.
  expect(invalidInstant('2026-03-02T10:00')).toBe(`${form}2026-03-02T10:00 is neither`);
  expect(fromAfterTo('2026-03-02', '2026-03-01')).toBe('from is after to: use from=2026-03-01&to=2026-03-02');
});

it('an amount that is none', () => {
  const message = 'invalid amount: ten (write a number of at most 30 digits such as 1250.00)';
  expect(invalidAmount('ten')).toBe(message);
});

const known = ['base', 'quotes', 'providers', 'expand', 'date', 'from', 'to', 'group', 'precision', 'header'];
const hintAmong = (names: string[], query: string) => {
  const [name = '', value = ''] = query.split('=');
  return hintForUnknown(name, value, names);
};
it.each([
  ['symbols=USD', 'use quotes=USD'],
  ['symbols=%3Cb%3E', 'use quotes'],
  ['Symbols=USD', 'use quotes=USD'],
  ['symbols[]=USD', 'use quotes=USD'],
  ['qoutes=USD', 'did you mean quotes?'],
  ['source=USD', 'use base=USD'],
  ['source=ECB', 'use providers=ECB'],
  ['decimals=4', 'use precision=full'],
  ['format=csv', 'use the header accept, such as accept: text/csv'],
  ['apikey=x', 'no key is needed: leave it out'],
  ['page=2', 'there are no pages: name fewer currencies with quotes, or fewer days with from and to'],
  ['amount=5', 'use /v2/convert, such as /v2/convert/EUR/USD?amount=1'],
  ['callback=x', undefined],
  ['__proto__=1', undefined],
  ['constructor=1', undefined],
  [`${'n'.repeat(10_000)}=1`, undefined],
])('a parameter that there is not: %.30s', (query, said) => expect(hintAmong(known, query)).toBe(said));

it('the hint for a parameter that there is not depends on those that there are', () => {
  expect(hintAmong(['base'], 'format=csv')).toBeUndefined();
  expect(hintAmong(['limit'], 'limits=2')).toBe('did you mean limit?');
  expect(hintAmong(['since'], 'start=2026-03-02')).toBe('use since=2026-03-02');
  expect(hintAmong(['rule'], 'group=week')).toBe('use /v2/rates, such as /v2/rates?from=2026-01-01');
});

it('a name of many brackets is read soon', () => {
  const started = processorMs();
  expect(hintForUnknown(`${'['.repeat(100_000)}\n`, '', known)).toBeUndefined();
  expect(processorMs() - started).toBeLessThan(100);
});

const groups = ['week', 'month', 'quarter', 'year', 'range'];
it.each([
  ['monthly', groups, ['month']],
  ['Weekly', groups, ['week']],
  ['quater', groups, ['quarter']],
  ['decade', groups, []],
  ['EU', ['EUR', 'USD', 'SEK'], ['EUR']],
  ['UDS', ['UZS', 'USD', 'USN'], ['USD']],
  ['USB', ['UZB', 'USD', 'USN'], ['USD', 'USN']],
  ['ZZZ', ['EUR', 'USD'], []],
  ['x', ['xy'], []],
  ['quote', ['base', 'quotes'], ['quotes']],
  ['aaa1', ['aaa2', 'aaa3', 'aaa4', 'aaa5'], ['aaa2', 'aaa3', 'aaa4']],
  ['qoutes', ['quotas', 'quotes'], ['quotes']],
  ['BASE', ['phase', 'base'], ['base']],
  ['kitten', ['sitting', 'mitten'], ['mitten']],
  ['kitchen', ['sitting'], []],
  ['abcdef', ['abcdefgh', 'bcdef', 'abcxyf'], ['abcdefgh']],
  ['forward', ['foward', 'forwrad'], ['forwrad']],
  // They are not looked for where a word is long.
  ['a'.repeat(41), ['a'.repeat(41)], []],
])('the words nearest to %s among %j are %j', (given, words, found) => {
  expect(nearest(given, words)).toEqual(found);
});

it('a word is nearest to itself, and to a word with one letter more, fewer, or other', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'abcdefgh'), minLength: 3, maxLength: 40 });
  fc.assert(
    fc.property(letters, fc.nat(38), (word, at) => {
      const cut = at % word.length;
      const [before, after] = [word.slice(0, cut), word.slice(cut + 1)];
      for (const other of [`${before}z${word.slice(cut)}`, `${before}${after}`, `${before}z${after}`])
        if (other.length > 1) expect([other, nearest(word, [other, 'zzzz'])]).toEqual([other, [other]]);
      expect(nearest(word, [`${word}z`, word.toUpperCase()])).toEqual([word.toUpperCase()]);
    }),
  );
});

it('the nearest words become a suggestion', () => {
  expect([didYouMean([]), didYouMean(['EUR'])]).toEqual(['', ' (did you mean EUR?)']);
  expect(eitherOf(['a', 'b', 'c'])).toBe('a, b or c');
});
