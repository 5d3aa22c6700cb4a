import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/rba.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET www.rba.gov.au/statistics/tables/csv/f11.1-data.csv';
const csv = (...lines: string[]) =>
  [
    '\ufeffF11.1  EXCHANGE RATES',
    'Title,A$1=USD,Trade-weighted Index May 1970 = 100,A$1=AED,A$1=SDR',
    'Units,USD,Index,AED,SDR',
    ',,,,',
    'Publication date,20-Mar-2026,20-Mar-2026,20-Mar-2026,20-Mar-2026',
    'Series ID,FXRUSD,FXRTWI,FXRUAED,FXRSDR',
    ...lines,
    ',,,,',
    '',
  ].join('\n');
const DAYS = '2026-03-18..2026-03-20';

test('one Australian dollar in each currency and in SDR, without the index', async () => {
  const { rows } = await readFeed(feed, DAYS, {
    [PLACE]: csv(
      '17-Mar-2026,0.7,61.4,,0.51',
      '18-Mar-2026,0.7012,61.40,,0.5131',
      '20-Mar-2026,0.7,61.5,2.6,',
    ),
  });
  expect(rows).toEqual([
    ['2026-03-18', 'AUD', 'USD', 0.7012],
    ['2026-03-18', 'AUD', 'XDR', 0.5131],
    ['2026-03-20', 'AUD', 'USD', 0.7],
    ['2026-03-20', 'AUD', 'AED', 2.6],
  ]);
});

test('a window after the last line is empty', async () => {
  expect((await readFeed(feed, DAYS, { [PLACE]: csv('17-Mar-2026,0.7,61.4,,0.51') })).rows).toEqual([]);
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['a table without its codes', 'Title,A$1=USD\n18-Mar-2026,0.7\n', /no line of headings: redesigned/],
  ['a cell that is no number', csv('18-Mar-2026,CLOSED,61.4,,'), /not a number/],
  ['404', { status: 404 }, /responded with status 404/],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, DAYS, { [PLACE]: answer })).rejects.toThrow(message);
});
