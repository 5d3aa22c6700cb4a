import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { pagesOver } from './support.js';

// A page says what `/v2/convert` and `/v2/rate` say, and a peg in its own digits.

const pages = pagesOver(
  [
    ...['EUR/USD 1.15634512345', 'EUR/GBP 0.864512345678', 'EUR/JPY 183.451234567', 'EUR/KRW 1723.45123456'],
    ...['EUR/CHF 0.912345678912', 'EUR/IDR 19423.4567891', 'EUR/IRR 1543217.65432', 'EUR/KWD 0.354321987654'],
  ].map((rate) => `ECB 2026-03-20 ${rate}`),
  '2026-03-20T17:00:00Z',
);
const CODES = ['EUR', 'USD', 'GBP', 'JPY', 'CHF', 'IDR', 'IRR', 'KWD', 'AED', 'SAR', 'BHD', 'BAM', 'XOF'];
const pairs = fc.uniqueArray(fc.constantFrom(...CODES), { minLength: 2, maxLength: 2 });

const numberIn = (text = '') => Number(text.replaceAll(',', ''));
const apiAt = async (path: string): Promise<{ rate: number; result: string }> => {
  const response = await fetch(pages.url + path);
  return z.looseObject({ rate: z.number(), result: z.string().default('') }).parse(await response.json());
};
const rateOf = async (base: string, quote: string) => (await apiAt(`/v2/rate/${base}/${quote}`)).rate;

const RESULT =
  /data-result [^>]*><span[^>]*>([\d.]+) .*?<strong>([\d.]+) \w+<\/strong> <small>1 \w+ = ([\d.]+) /;

test('the converter: its result is that of the API, and its rate too where that gives the result', async () => {
  const amounts = fc.integer({ min: 1, max: 10 ** 9 }).map((cents) => (cents / 100).toFixed(2));
  await fc.assert(
    fc.asyncProperty(amounts, pairs, async (amount, [base = '', quote = '']) => {
      const [text, { rate, result }, shown] = await Promise.all([
        pages.textOf(`/?amount=${amount}&base=${base}&quote=${quote}`),
        apiAt(`/v2/convert/${base}/${quote}?amount=${amount}`),
        rateOf(base, quote),
      ]);
      const [, given, figure = '', priceOfOne] = RESULT.exec(text.replaceAll(/(?<=\d),/g, '')) ?? [];
      expect(given).toBe(amount);
      // Of a result of one or two digits the page shows more.
      if (result.replaceAll(/\D|^[0.]+/g, '').length > 2) expect(figure).toBe(result);
      const decimals = figure.split('.')[1]?.length ?? 0;
      const times = (one: number) => new Decimal(amount).times(one).toFixed(decimals, Decimal.ROUND_HALF_UP);
      expect([times(rate), times(Number(priceOfOne))]).toEqual([figure, figure]);
      if (times(shown) === figure) expect(Number(priceOfOne)).toBe(shown);
    }),
    {
      examples: [
        ['2.00', ['USD', 'AED']],
        ['100.00', ['EUR', 'XOF']],
        ['9.99', ['EUR', 'BAM']],
      ],
    },
  );
});

test.each(CODES)('the newest rates of %s are those of the API', async (base) => {
  const text = await pages.textOf(`/currencies?base=${base}`);
  const lines = [
    ...text.matchAll(
      /<a href="\/currency\/(\w+)">\w+<\/a> <small>[^<]*<\/small><\/th><td class="number">([\d.,]+)</g,
    ),
  ];
  expect(lines.length).toBeGreaterThan(CODES.length - 2);
  for (const [, quote = '', rate] of lines)
    expect([quote, numberIn(rate)]).toEqual([quote, await rateOf(base, quote)]);
});

test.each(CODES)('the title of the page of %s has its rate of the API', async (own) => {
  const [, price, other = ''] =
    /<title>[^<]*: 1 \w+ = ([\d.,]+) (\w+) /.exec(await pages.textOf(`/currency/${own}`)) ?? [];
  expect(numberIn(price)).toBe(await rateOf(own, other));
});
