import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/cbo.js';
import { type Answer, blockedPage, readFeed } from '../feeds/support.js';

const [FORM, PLACE] = ['GET cbo.gov.om/Pages/DFESearch.aspx', 'POST cbo.gov.om/Pages/DFESearch.aspx'];
const DAYS = '2026-06-01..2026-06-02';
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
  `<table>${[headings, ...rows].map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table>`;
const row = (code: string, day: string, buying: string, selling: string) => [
  code,
  day,
  'name',
  `string;#${buying}`,
  `string;#${selling}`,
];

test('the middle of both rates; of several on one day the latest', async () => {
  const { rows, skipped, requests } = await readFeed(feed, DAYS, {
    [FORM]: page(['EUR', 'SDR']),
    [PLACE]: (request: { form: URLSearchParams }) =>
      request.form.get('ctl00$x$ddCurrencyCodes') === 'EUR'
        ? table([
            row('EUR', '01/06/2026 07:03:44 AM', '0.4', '0.5'),
            row('EUR', '01/06/2026 01:21:48 PM', '0.42', '0.44'),
            row('EUR', '01/06/2026 12:21:48 PM', '0.5', '0.6'),
            row('EUR', '02/06/2026 10:00:00 AM', '0.42', ''),
          ])
        : table([row('SDR', '01/06/2026 10:00:00 AM', '0.5', '0.52')]),
  });
  expect(rows).toEqual([
    ['2026-06-01', 'EUR', 'OMR', 0.43],
    ['2026-06-01', 'XDR', 'OMR', 0.51],
  ]);
  expect(skipped).toEqual({ 'no rate': 1 });
  expect(requests[1]?.headers.cookie).toBe('a=1; b=2');
  expect(requests[1]?.form.get('__VIEWSTATE')).toBe('__VIEWSTATE/+=');
  expect(requests[1]?.form.get('ctl00$x$dateTo')).toBe('02/06/2026');
});

test('headings alone are an empty window', async () => {
  expect(await readFeed(feed, DAYS, { [FORM]: page(['EUR']), [PLACE]: table([]) })).toMatchObject({
    rows: [],
    noData: ['a window without rates has the headings alone'],
  });
});

test.each<[string, Answer, Answer, RegExp]>([
  ['a blocked page', blockedPage, blockedPage, /__VIEWSTATE/],
  ['a form without its list', page(['EUR'], 'other'), '', /no list of currencies/],
  ['a token that expired', page(['EUR']), page(['EUR']), /no table/],
  ['a changed layout', page(['EUR']), table([], ['Code', ...HEADINGS.slice(1)]), /headings Currency Code/],
  [
    'another currency',
    page(['EUR']),
    table([row('USD', '01/06/2026 10:00:00 AM', '1', '1')]),
    /it is of USD/,
  ],
  ['a date that is none', page(['EUR']), table([row('EUR', '2026-06-01', '1', '1')]), /not a date/],
])('%s is an error', async (_, form, answer, message) => {
  await expect(readFeed(feed, DAYS, { [FORM]: form, [PLACE]: answer })).rejects.toThrow(message);
});
