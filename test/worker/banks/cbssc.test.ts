import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/cbssc.js';
import { type Answer, blockedPage, makeXlsx, readFeed } from '../feeds/support.js';

const ARCHIVE = 'GET www.cbs.sc/Downloads/StaExcel/Exchange Rates-Daily.xlsx';
const LIVE = 'GET www.cbs.sc/Controller/MarketinfoController.jsp';
const DAYS = '2026-09-08..2026-09-09';
const serial = (date: string) => Date.parse(date) / 86_400_000 + 25_569;
type Rows = (string | number | null)[][];
const sheet = (pair: string, rows: Rows): Rows => [['Note'], ['Date', pair], ...rows];
const archive = (usd: Rows, gbp = 'SCR/GBP') =>
  makeXlsx({
    Notes: [['Exchange rates']],
    USD: sheet('SCR/USD', usd),
    EUR: sheet('SCR/EUR', [[serial('2000-01-04'), 5.7]]),
    GBP: sheet(gbp, [[serial('2020-04-09'), 'n/a']]),
  });
const live = (more: object = {}) => ({
  headers: { 'content-type': 'text/html;charset=ISO-8859-1' },
  body: `\n\n${JSON.stringify({ car: [{ currentDate: '9-Sep-2026', usdmid: '14.4077', eurmid: '16.8958', gbpmid: '20.1872', ...more }] })}\n`,
});

test('the archive to four decimals, and today live', async () => {
  const usd: Rows = [
    [serial('2026-09-08'), 14.616577838181803],
    [serial('2026-09-09'), 14.40765],
    [null, 1],
  ];
  const { rows, skipped } = await readFeed(feed, DAYS, {
    [ARCHIVE]: archive(usd),
    [LIVE]: live({ eurmid: '0' }),
  });
  expect(rows).toEqual([
    ['2026-09-08', 'USD', 'SCR', 14.6166],
    ['2026-09-09', 'USD', 'SCR', 14.4077],
    ['2026-09-09', 'GBP', 'SCR', 20.1872],
  ]);
  expect(skipped).toMatchObject({ 'no rate': 1, 'a day without a fixing has a text': 1 });
});

test('a window between the rates is empty', async () => {
  const { rows } = await readFeed(feed, '2010-01-01..2010-01-05', { [ARCHIVE]: archive([]), [LIVE]: live() });
  expect(rows).toEqual([]);
});

test.each<[string, Answer, Answer, RegExp]>([
  ['a blocked page', blockedPage, live(), /no workbook/],
  ['a blocked page live', archive([]), blockedPage, /HTML page/],
  ['a changed layout', archive([], 'GBP/SCR'), live(), /no sheet is headed SCR\/GBP/],
  ['a mid that is missing', archive([]), live({ gbpmid: undefined }), /car/],
  ['a mid that is no number', archive([]), live({ gbpmid: 'N/A' }), /not a number/],
  ['no entry', archive([]), JSON.stringify({ car: [] }), /car/],
])('%s is an error', async (_, workbook, answer, message) => {
  await expect(readFeed(feed, DAYS, { [ARCHIVE]: workbook, [LIVE]: answer })).rejects.toThrow(message);
});
