import { feed } from '../../../worker/banks/cbssc.js';
import { casesOf, makeXlsx, type Two } from './cases.js';

const serial = (date: string) => Date.parse(date) / 86_400_000 + 25_569;
type Rows = (string | number | null)[][];
const sheet = (pair: string, rows: Rows): Rows => [['Note'], ['Date', pair], ...rows];
const archive = (usd: Rows = [], gbp = 'SCR/GBP') =>
  makeXlsx({
    Notes: [['Exchange rates']],
    USD: sheet('SCR/USD', usd),
    EUR: sheet('SCR/EUR', [[serial('2000-01-04'), 5.7]]),
    GBP: sheet(gbp, [[serial('2020-04-09'), 'n/a']]),
  });
const mids = { currentDate: '9-Sep-2026', usdmid: '14.4077', eurmid: '16.8958', gbpmid: '20.1872' };
const live = (more: object = {}) => ({
  headers: { 'content-type': 'text/html;charset=ISO-8859-1' },
  body: `\n\n${JSON.stringify({ car: [{ ...mids, ...more }] })}\n`,
});
const { reads, empty, refuses } = casesOf(feed, '2026-09-08..2026-09-09', ([workbook, answer]: Two) => ({
  'GET www.cbs.sc/Downloads/StaExcel/Exchange Rates-Daily.xlsx': workbook,
  'GET www.cbs.sc/Controller/MarketinfoController.jsp': answer,
}));
reads('the archive to four decimals, and today live', {
  given: [
    archive([
      [serial('2026-09-08'), 14.616577838181803],
      [serial('2026-09-09'), 14.40765],
      [null, 1],
    ]),
    live({ eurmid: '0' }),
  ],
  rates: ['2026-09-08 USD/SCR 14.6166', '2026-09-09 USD/SCR 14.4077, GBP/SCR 20.1872'],
  skipped: { 'no rate': 1, 'a row without a day': 1, 'a day without a fixing has a text': 1 },
});
empty('a window between the rates is empty', [archive(), live()], '2010-01-01..2010-01-05');
refuses([['a changed layout', [archive([], 'GBP/SCR'), live()], /no sheet is headed SCR\/GBP/]]);
