import { feed } from '../../../worker/banks/cbo.js';
import { type Answer, casesOf, htmlRow, type SeenRequest, type Two } from './cases.js';

const PATH = 'cbo.gov.om/Pages/DFESearch.aspx';
const page = (options: string[], name = 'ctl00$x$ddCurrencyCodes'): Answer => ({
  headers: { 'set-cookie': ['a=1; path=/', 'b=2'] },
  body: `<html><body><form>${['__VIEWSTATE', '__VIEWSTATEGENERATOR', '__EVENTVALIDATION']
    .map((field) => `<input type="hidden" name="${field}" value="${field}/+=" />`)
    .join('')}<select class="ddCurrencyCodes" name="${name}"><option value="All">All</option>${options
    .map((code) => `<option value="${code}">${code}</option>`)
    .join('')}</select></form></body></html>`,
});
const HEADINGS = ['Currency Code', 'Exchange Date', 'Currency Name (English)', 'Buying', 'Selling'];
const table = (rows: string[][], headings = HEADINGS) =>
  `<table>${[headings, ...rows].map((row) => htmlRow(row)).join('')}</table>`;
const row = (code: string, day: string, buying: string, selling: string) => [
  ...[code, day, 'name', `string;#${buying}`, `string;#${selling}`],
];
const { reads, nothing, refuses } = casesOf(feed, '2026-06-01..2026-06-02', ([form, answer]: Two) => ({
  [`GET ${PATH}`]: form,
  [`POST ${PATH}`]: answer,
}));
reads('the middle of both rates; of several on one day the latest', {
  given: [
    page(['EUR', 'SDR']),
    ({ form }: SeenRequest) =>
      form.get('ctl00$x$ddCurrencyCodes') === 'EUR'
        ? table([
            row('EUR', '01/06/2026 07:03:44 AM', '0.4', '0.5'),
            row('EUR', '01/06/2026 01:21:48 PM', '0.42', '0.44'),
            row('EUR', '01/06/2026 12:21:48 PM', '0.5', '0.6'),
            row('EUR', '02/06/2026 10:00:00 AM', '0.42', ''),
          ])
        : table([row('SDR', '01/06/2026 10:00:00 AM', '0.5', '0.52')]),
  ],
  rates: ['2026-06-01 EUR/OMR 0.43, XDR/OMR 0.51'],
  sides: ['2026-06-01 EUR/OMR 0.42 0.44'],
  skipped: { 'no rate': 1 },
  count: 3,
  asks: [[], 'cookie: a=1; b=2 & __VIEWSTATE=__VIEWSTATE/+= & ctl00$x$dateTo=02/06/2026'],
});
nothing('a window without rates has the headings alone', [page(['EUR']), table([])]);
const euro = page(['EUR']);
refuses([
  ['a form without its list', [page(['EUR'], 'other'), ''], /no list of currencies/],
  ['a token that expired', [euro, euro], /no table/],
  ['another currency', [euro, table([row('USD', '01/06/2026 10:00:00 AM', '1', '1')])], /it is of USD/],
]);
