import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/cbe.js';
import { blockedPage, makeXlsx, readFeed } from '../feeds/support.js';

const PAGE = 'GET www.cbe.org.eg/en/economic-research/statistics/cbe-exchange-rates/historical-data';
const DATA = 'POST www.cbe.org.eg/api/statistics/GetHistoricalData';
const page = {
  headers: {
    'set-cookie': ['ASP.NET_SessionId=1py; path=/; HttpOnly', '__RequestVerificationToken=cookie; path=/'],
  },
  body: '<form id="historicalDataForm"><input name="__RequestVerificationToken" type="hidden" value="field" /></form>',
};
const workbook = (...rows: (string | number | null)[][]) =>
  makeXlsx({ 'Official Exchange Rates': [[''], ['Date', 'Currency', 'Buy', 'Sell'], ...rows] });

test('the middle of buying and selling, for one unit', async () => {
  const { rows, requests } = await readFeed(feed, '2026-04-01..2026-04-09', {
    [PAGE]: page,
    [DATA]: workbook(
      [46121, 'US Dollar', 53.0734, 53.2067],
      [46120, 'US Dollar', 53.2558, null],
      [46121, 'Japanese Yen 100', 33.4068, 33.4928],
      [46121, 'Maria Theresa Thaler', 1, 2],
      [46121, 'Euro', 0, 0],
    ),
  });
  expect(rows).toEqual([
    ['2026-04-09', 'USD', 'EGP', 53.14005],
    ['2026-04-09', 'JPY', 'EGP', 0.334498],
  ]);
  const [, asked] = requests;
  expect(asked?.headers.cookie).toBe('ASP.NET_SessionId=1py; __RequestVerificationToken=cookie');
  expect(asked?.headers.origin).toBe('https://www.cbe.org.eg');
  expect(asked?.form.get('__RequestVerificationToken')).toBe('field');
  expect([asked?.form.get('FromDateRaw'), asked?.form.get('ToDateRaw')]).toEqual([
    '01/04/2026',
    '09/04/2026',
  ]);
  expect(asked?.form.getAll('SelectedSelectOptions')).toHaveLength(18);
});

test('one session for every thirty days; a short window is asked for with the days before it, and may be empty', async () => {
  const { rows, requests } = await readFeed(feed, '2026-03-03..2026-04-03', {
    [PAGE]: page,
    [DATA]: [workbook([46084, 'Euro', 60, 62]), workbook([46113, 'Euro', 62, 64])],
  });
  expect(rows).toEqual([
    ['2026-03-03', 'EUR', 'EGP', 61],
    ['2026-04-01', 'EUR', 'EGP', 63],
  ]);
  expect(requests.slice(1).map(({ form }) => `${form.get('FromDateRaw')} ${form.get('ToDateRaw')}`)).toEqual([
    '03/03/2026 01/04/2026',
    '21/03/2026 03/04/2026',
  ]);
  const weekend = { [PAGE]: page, [DATA]: workbook([46113, 'Euro', 62, 64]) };
  expect((await readFeed(feed, '2026-04-03..2026-04-04', weekend)).rows).toEqual([]);
});

test.each([
  ['a page without its token', { [PAGE]: blockedPage }, /__RequestVerificationToken/],
  ['a refused request', { [PAGE]: page, [DATA]: blockedPage }, /no workbook/],
  ['a workbook without a day', { [PAGE]: page, [DATA]: workbook() }, /no records that hold a rate/],
  [
    'days written out',
    { [PAGE]: page, [DATA]: workbook(['09/04/2026', 'Euro', 62, 64]) },
    /0 of 1 records give a rate/,
  ],
])('%s is an error', async (_, answers, message) => {
  await expect(readFeed(feed, '2026-04-01..2026-04-09', answers)).rejects.toThrow(message);
});
