import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/rbf.js';
import { blockedPage, makeXlsx, readFeed } from '../feeds/support.js';

const HUB = 'GET www.rbf.gov.fj/statistics/economic-and-financial-statistics/';
const FILE = '/wp-content/uploads/2026/05/8.8-Exchange-Rates-Daily-9.xlsx';
const page = `<a href="https://www.rbf.gov.fj/wp-content/uploads/2026/05/8.7-Exchange-Rates-Monthly.xlsx">monthly</a>
  <a href="https://www.rbf.gov.fj${FILE}">daily</a>`;
const sheet = (rows: (string | number | null)[][]) =>
  makeXlsx({ 'Exchange Rates': [['DAILY EXCHANGE RATES'], [null], ...rows], Sheet2: [] });
const header = [null, ' US$', 'YEN', 'NOTE'];

test('what one Fiji dollar costs, by the labels of the columns', async () => {
  const { rows } = await readFeed(feed, '2026-05-18..2026-05-19', {
    [HUB]: page,
    [`GET ${FILE}`]: sheet([header, [46160, 0.4502, 71.58, 9], [46161, null, 71.6], [46162, 0.45, 71.7]]),
  });
  expect(rows).toEqual([
    ['2026-05-18', 'FJD', 'USD', 0.4502],
    ['2026-05-18', 'FJD', 'JPY', 71.58],
    ['2026-05-19', 'FJD', 'JPY', 71.6],
  ]);
});

test('no rows in the window, and a workbook with notes between the days', async () => {
  const { rows } = await readFeed(feed, '2026-06-01..2026-06-02', {
    [HUB]: page,
    [`GET ${FILE}`]: sheet([header, ['source: RBF'], [46160, 'n.a.', 71.58]]),
  });
  expect(rows).toEqual([]);
});

test.each([
  ['a page without the link', { [HUB]: blockedPage }, /none of its 0 links/],
  ['a page where the workbook was meant', { [HUB]: page, [`GET ${FILE}`]: blockedPage }, /no workbook/],
  [
    'a sheet without known labels',
    { [HUB]: page, [`GET ${FILE}`]: sheet([['Date', 'Dollar']]) },
    /no records that hold a rate/,
  ],
])('%s is an error', async (_, answers, message) => {
  await expect(readFeed(feed, '2026-05-18..2026-05-19', answers)).rejects.toThrow(message);
});
