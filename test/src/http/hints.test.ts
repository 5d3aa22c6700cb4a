import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { currencyHint, providerHint } from '../../../src/http/code-hints.js';
import { fromAfterTo, invalidDate, invalidInstant } from '../../../src/http/date-hints.js';
import { didYouMean, editDistance, eitherOf, nearest } from '../../../src/http/nearest.js';
import { aliasGiven, hintForUnknown, hintForValue } from '../../../src/http/parameter-hints.js';
import { plainIssue } from '../../../src/http/plain-issues.js';
import { invalidAmount } from '../../../src/rates/convert/amounts.js';

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
  [' (no official source publishes rates of cryptocurrencies)', ['btc']],
  ['', ['constructor', '__proto__', 'ZZZ', '', 'E'.repeat(10_000)]],
])('the hint for a currency that is none is “%s” for %.80j', (hint, codes) => {
  for (const given of codes) expect([given, currencyHint(given)]).toEqual([given, hint]);
});

it.each([
  [' (did you mean ECB?)', ['ECBB', 'ecb europe', 'European Central Bank']],
  [' (did you mean BOC?)', ['Canada']],
  ['', ['bank', 'ZZZ', 'a,'.repeat(10_000)]],
])('the hint for a provider that is none is “%s” for %.80j', (hint, keys) => {
  for (const given of keys) expect([given, providerHint(given)]).toEqual([given, hint]);
});

const MEANT = ['2026/03/02', '2026.3.2', '2026-3-2', '20260302', '02.03.2026', '2026-03-02T10:00:00.5+02:00'];
it.each([
  ...MEANT.map((given) => [given, `write 2026-03-02 for ${given}`]),
  ...['2026-13-01', '30.02.2026', '03/02/2026'].map((given) => [given, `${given} is no date`]),
  ['9'.repeat(10_000), `${'9'.repeat(40)}… is no date`],
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

it.each([
  ['12,5', '12.5'],
  ['1.234,50', '1234.50'],
  ['1,234.50', '1234.50'],
  ['1,234,567', '1234567'],
  ['-1 000', '-1000'],
  ['€ 12.50', '12.50'],
  ["1'000.25", '1000.25'],
  ['1,2,3', 'a number of at most 30 digits such as 1250.00'],
  ['ten', 'a number of at most 30 digits such as 1250.00'],
])('an amount that is none: %s', (given, meant) =>
  expect(invalidAmount(given)).toBe(`invalid amount: ${given} (write ${meant})`),
);

const known = ['base', 'quotes', 'providers', 'expand', 'date', 'from', 'to', 'group', 'precision'];
const hint = (query: string, path = '/v2/rates') => {
  const [name = '', value = ''] = query.split('&')[0]?.split('=') ?? [];
  return hintForUnknown(name, value, { target: `${path}?${query}`, known });
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
  ['format=csv', 'use /v2/rates.csv'],
  ['format=xml', 'use /v2/rates.csv, .ndjson or .json'],
  ['apikey=x', 'no key is needed: leave it out'],
  ['page=2', 'there are no pages: name fewer currencies with quotes, or fewer days with from and to'],
  ['amount=5&base=CHF', 'use /v2/convert/CHF/USD?amount=5'],
  ['callback=x', undefined],
  ['__proto__=1', undefined],
  ['constructor=1', undefined],
  [`${'n'.repeat(10_000)}=1`, undefined],
])('a parameter that there is not: %.30s', (query, said) => expect(hint(query)).toBe(said));

it('the hint for a parameter that there is not depends on the path', () => {
  expect(hint('format=csv', '/v2/rate/EUR/USD')).toBe('use the header accept, such as accept: text/csv');
  expect(hint('format=csv', '/v2/coverage')).toBeUndefined();
  expect(hintForUnknown('from', '', { target: '/v2/rate/EUR/USD?from=2026-03-02', known: ['date'] })).toBe(
    'use /v2/rates?base=EUR&quotes=USD&from=2026-03-02',
  );
});

it('a parameter that is missing may have been given by another name', () => {
  expect(aliasGiven('lat', ['lon', 'latitude'])).toBe('latitude');
  expect(aliasGiven('amount', ['amout'])).toBe('amout');
  expect(aliasGiven('lat', ['lat', 'lon', 'x'.repeat(10_000)])).toBeUndefined();
});

const FOR_ONE = 'expand=receipt is for one pair at a time: use ';
it.each([
  ['to', 'USD', '/v2/rates', 'to is the last day of a range: use quotes=USD for the currency'],
  ['from', 'eur', '/v2/rates', 'from is the first day of a range: use base=eur for the currency'],
  ['to', 'USD', '/translate/text', undefined],
  ['to', 'yesterday', '/v2/rates', undefined],
  ['date', 'latest', '/v2/rates', 'date must be YYYY-MM-DD: leave it out for the newest rates'],
  ['expand', 'receipt', '/v2/rates?base=CHF', `${FOR_ONE}/v2/rate/CHF/USD?expand=receipt`],
  ['expand', 'receipt', '/v2/rate/EUR/USD.txt', undefined],
  ['group', 'daily', '/v2/rates', 'group is for periods of several days: leave it out for days'],
])('a value that a parameter does not take: %s=%s at %s', (name, value, target, said) =>
  expect(hintForValue(name, value, target)).toBe(said),
);

it.each([
  [z.string(), undefined, 'is required'],
  [z.string(), 1, 'must be a text'],
  [z.array(z.string()), 'x', 'must be a list'],
  [z.bigint(), 1, 'must be a bigint'],
  [z.enum(['a', 'b']), 'c', 'must be a or b'],
  [z.string().min(2), 'a', 'must have a length of at least 2'],
  [z.number().max(2), 3, 'must be at most 2'],
  [z.number().multipleOf(2), 3, 'must be a multiple of 2'],
  [z.iso.date(), 'x', 'must have the form of a date'],
  [z.strictObject({}), { a: 1 }, 'must not have a'],
  [z.union([z.string(), z.number()]), true, 'is in none of the forms that are allowed'],
])('what a schema says without words of its own: %#', (schema, value, said) => {
  const { error } = schema.safeParse(value, { error: plainIssue });
  expect(error?.issues.map(({ message }) => message)).toEqual([said]);
});

it.each([
  [0, ['/', 'quotes/quotes']],
  [1, ['qoutes/quotes', 'quote/quotes', 'quites/quotes', 'ab/ba']],
  [2, ['abc/cab']],
  [3, ['kitten/sitting', '/abc']],
])('the distance is %i between the words of %j', (distance, pairs) => {
  for (const pair of pairs) {
    const [one = '', other = ''] = pair.split('/');
    const both = [editDistance(one, other, 9), editDistance(other, one, 9)];
    expect([pair, ...both]).toEqual([pair, distance, distance]);
  }
});

it('the distance of two words is not computed where the lengths tell that it is too far', () => {
  expect(editDistance('a', 'a'.repeat(9), 3)).toBe(Number.POSITIVE_INFINITY);
});

it('the distance of two words is never more than the longer length, nor less than the difference', () => {
  const word = fc.string({ maxLength: 12 });
  fc.assert(
    fc.property(word, word, (one, other) => {
      const distance = editDistance(one, other, 12);
      expect(distance).toBeLessThanOrEqual(Math.max(one.length, other.length));
      expect(distance).toBeGreaterThanOrEqual(Math.abs(one.length - other.length));
      expect(distance === 0).toBe(one === other);
    }),
  );
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
  // They are not looked for where a word is long.
  ['a'.repeat(25), ['a'.repeat(25)], []],
])('the words nearest to %s among %j are %j', (given, words, found) => {
  expect(nearest(given, words)).toEqual(found);
});

it('the nearest words become a suggestion', () => {
  expect([didYouMean([]), didYouMean(['EUR'])]).toEqual(['', ' (did you mean EUR?)']);
  expect(eitherOf(['a', 'b', 'c'])).toBe('a, b or c');
});
