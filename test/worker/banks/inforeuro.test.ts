import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/inforeuro.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET ec.europa.eu/budg/inforeuro/api/public/monthly-rates';
const MONTH = '2026-09-01..2026-09-26';
const entry = (isoA3Code: string, value: unknown) => ({
  country: 'X',
  currency: 'x',
  isoA3Code,
  value,
  comment: null,
});
const answer = (...entries: object[]) => JSON.stringify(entries);

test('units for a euro from the first of each month', async () => {
  const { rows, skipped, requests } = await readFeed(feed, '2026-08-01..2026-09-26', {
    [PLACE]: [
      answer(entry('EUR', 1), entry('USD', 1.16)),
      answer(entry('USD', 1.1643), entry('ZIG', 30.85), entry('KGS', null)),
    ],
  });
  expect(rows).toEqual([
    ['2026-08-01', 'EUR', 'USD', 1.16],
    ['2026-09-01', 'EUR', 'USD', 1.1643],
    ['2026-09-01', 'EUR', 'ZWG', 30.85],
  ]);
  expect(skipped).toEqual({ 'the euro itself': 1, 'no rate': 1 });
  expect(requests.map(({ query }) => `${query.get('year')}-${query.get('month')}`)).toEqual([
    '2026-8',
    '2026-9',
  ]);
});

test('the ECU until January 1999, and old codes by month', async () => {
  const list = answer(entry('FRC', 2.9), entry('AOK', 5.5));
  const january = await readFeed(feed, '1999-01-01..1999-01-31', { [PLACE]: list });
  expect(january.rows).toEqual([['1999-01-01', 'XEU', 'CDF', 2.9]]);
  const later = await readFeed(feed, '2000-01-01..2000-01-31', { [PLACE]: list });
  expect(later.rows).toEqual([
    ['2000-01-01', 'EUR', 'CDF', 2.9],
    ['2000-01-01', 'EUR', 'AOA', 5.5],
  ]);
});

test('a window in which no month begins asks for nothing', async () => {
  expect(await readFeed(feed, '2026-09-02..2026-09-26', {})).toMatchObject({
    requests: [],
    noData: ['no month begins in the window'],
  });
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['an empty list', '[]', /top level/],
  ['a changed layout', answer({ code: 'USD', value: 1 }), /top level/],
  ['an entry without its value', answer(entry('USD', 1), entry('GBP', undefined)), /value/],
  ['a code that is none', answer(entry('USD', 1), entry('usd', 1)), /isoA3Code/],
  ['two values of one code', answer(entry('USD', 1), entry('USD', 2)), /USD is both 1 and 2/],
])('%s is an error', async (_, given, message) => {
  await expect(readFeed(feed, MONTH, { [PLACE]: given })).rejects.toThrow(message);
});
