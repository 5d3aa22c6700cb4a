import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/bi.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PATH = 'www.bi.go.id/en/statistik/informasi-kurs/transaksi-bi/default.aspx';
const PREFIX = 'ctl00$PlaceHolderMain$g_12ab$ctl00';
const hidden = (name: string, value: string) => `<input type="hidden" name="${name}" value="${value}" />`;
const tokens = ['__REQUESTDIGEST', '__VIEWSTATE', '__VIEWSTATEGENERATOR', '__EVENTVALIDATION']
  .map((name) => hidden(name, `${name} +/=`))
  .join('');
const landing = (...codes: string[]) => ({
  headers: { 'set-cookie': ['BIGip=one; path=/', 'TS01=two; HttpOnly'] },
  body: `<form>${tokens}<input name="${PREFIX}$txtFrom" type="text"/><select name="${PREFIX}$ddlmatauang1">${codes
    .map((code) => `<option value="${code}  ">${code}</option>`)
    .join('')}</select></form>`,
});
const form = `<form><input type="submit" name="${PREFIX}$btnSearch1"/></form>`;
const result = (rows: string[][], columns = ['Value', 'Sell', 'Buy', 'Date'], caption = 'CURRENCIES AED') =>
  `${form}<span id="ctl00_lblKursTransaksiKTBI2">${caption}</span><table id="ctl00_gvSearchResult2"><tr>${columns
    .map((column) => `<th>${column}</th>`)
    .join('')}</tr>${rows
    .map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
    .join('')}</table>`;

test('the midpoint in rupiah for one unit, by the value of each row, one request per currency', async () => {
  const { rows, dropped, requests } = await readFeed(feed, '2026-03-02..2026-03-05', {
    [`GET ${PATH}`]: landing('AED', 'JPY'),
    [`POST ${PATH}`]: [
      result([
        ['1.00', '4,627.79', '4,580.24', '5 Mar 2026'],
        ['1.00', '4,616.19', '-', '4 Mar 2026'],
        ['1.00', '0.00', '4,569.51', '3 Mar 2026'],
      ]),
      result([['100.00', '10,762.12', '10,653.69', '5 Mar 2026']], undefined, 'CURRENCIES JPY  '),
    ],
  });
  expect(rows).toEqual([
    ['2026-03-05', 'AED', 'IDR', 4604.015],
    ['2026-03-05', 'JPY', 'IDR', 107.07905],
  ]);
  expect(dropped).toEqual({ malformed: 1 });
  const [, asked] = requests;
  expect(asked?.headers.cookie).toBe('BIGip=one; TS01=two');
  expect(asked?.headers.referer).toBe(`https://${PATH}`);
  expect(asked?.form.get('__VIEWSTATE')).toBe('__VIEWSTATE +/=');
  expect(asked?.form.get(`${PREFIX}$ddlmatauang1`)).toBe('AED  ');
  expect(asked?.form.get(`${PREFIX}$txtFrom`)).toBe('02-Mar-2026');
  expect(asked?.form.get(`${PREFIX}$txtTo`)).toBe('05-Mar-2026');
  expect(asked?.form.get(`${PREFIX}$hidSourceID`)).toBe('ctl00_PlaceHolderMain_g_12ab_ctl00_btnSearch1');
});

test('rows of another currency than was asked for are an error', async () => {
  const read = readFeed(feed, '2026-03-05..2026-03-05', {
    [`GET ${PATH}`]: landing('CAD'),
    [`POST ${PATH}`]: result([['1.00', '3.0', '1.0', '5 Mar 2026']], undefined, 'CURRENCIES BND'),
  });
  await expect(read).rejects.toThrow(/responded with "CURRENCIES BND" where CAD was asked for/);
});

test('no more than 90 days a request; the form without a table is a window without rows', async () => {
  const { rows, requests } = await readFeed(feed, '2026-01-01..2026-04-30', {
    [`GET ${PATH}`]: landing('AED'),
    [`POST ${PATH}`]: form,
  });
  expect(rows).toEqual([]);
  expect(requests.slice(1).map(({ form }) => form.get(`${PREFIX}$txtTo`))).toEqual([
    '31-Mar-2026',
    '30-Apr-2026',
  ]);
});

test.each([
  ['a blocked first page', { [`GET ${PATH}`]: blockedPage }, /no hidden field __REQUESTDIGEST/],
  ['a form without currencies', { [`GET ${PATH}`]: landing() }, /no form with dates and currencies/],
  [
    'a blocked result',
    { [`GET ${PATH}`]: landing('AED'), [`POST ${PATH}`]: blockedPage },
    /responded with "" where/,
  ],
  [
    'a table of other columns',
    { [`GET ${PATH}`]: landing('AED'), [`POST ${PATH}`]: result([], ['Sell', 'Buy', 'Date']) },
    /has the headings Value/,
  ],
])('%s is an error', async (_, answers, message) => {
  await expect(readFeed(feed, '2026-03-02..2026-03-05', answers)).rejects.toThrow(message);
});
