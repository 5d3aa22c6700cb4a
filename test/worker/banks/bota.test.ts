import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/bota.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PATH = 'www.bot.go.tz/ExchangeRate/previous_rates';
const landing = {
  headers: {
    'set-cookie': ['ASP.NET_SessionId=rkt; path=/; HttpOnly', '__RequestVerificationToken=abc; path=/'],
  },
  body: '<form><input name="__RequestVerificationToken" type="hidden" value="x-_y" /></form>',
};
const table = (rows: string[][], columns = ['S/N', 'Currency', 'Buy', 'Sell', 'Mean', 'Date']) =>
  `<table id="menu"><tr><td>Home</td></tr></table><table id="myTable"><thead><tr>${columns
    .map((column) => `<th>${column}</th>`)
    .join('')}</tr></thead><tbody>${rows
    .map((cells) => `<tr>${cells.map((cell) => `<td> ${cell} </td>`).join('')}</tr>`)
    .join('')}</tbody></table>`;
const row = (code: string, mean: string, day = '19-May-26') => ['1', code, '1.0', '1.0', mean, day];
const read = (answer: Parameters<typeof readFeed>[2][string], days = '2026-05-16..2026-05-19') =>
  readFeed(feed, days, { [`GET ${PATH}`]: landing, [`POST ${PATH}`]: answer });

test('the mean in shillings for one unit, from the page of 2026', async () => {
  const columns = ['S/NO', 'Currency', 'Buying', 'Selling', 'Mean', 'Transaction Date'];
  const rows = [row('AED', '701.6571', '18-May-26'), row('SDR', '3507.112'), row('ATS', '165.2051')];
  const page = table(rows, columns).replace('myTable', 'table1');
  const foot = `<tfoot><tr>${columns.map((column) => `<th>${column}</th>`).join('')}</tr></tfoot></table>`;
  const answer = page.replace(/<\/table>$/, foot);
  expect((await read(answer)).rows).toEqual([
    ['2026-05-18', 'AED', 'TZS', 701.6571],
    ['2026-05-19', 'XDR', 'TZS', 3507.112],
  ]);
});

test('the mean in shillings for one unit, with commas among the decimals', async () => {
  const { rows, requests } = await read(
    table([
      row('USD', '2,602.0,545'),
      row('JPY', '18.0,400'),
      row('ugx', '0.7,050', '16-May-26'),
      row('SEK', '0.0,000'),
      row('NOK', ''),
      row('DKK', '394.0,500', ''),
      row('GOLD', '11,500,000.0,000'),
      row('ZWD', '7.1,000'),
      ['no', 'more'],
    ]),
  );
  expect(rows).toEqual([
    ['2026-05-19', 'USD', 'TZS', 2602.0545],
    ['2026-05-19', 'JPY', 'TZS', 18.04],
    ['2026-05-16', 'UGX', 'TZS', 0.705],
  ]);
  expect(Object.fromEntries(requests[1]?.form ?? [])).toEqual({
    __RequestVerificationToken: 'x-_y',
    dateFrom: '05/16/2026',
    dateTo: '05/19/2026',
  });
  expect(requests[1]?.headers.cookie).toBe('ASP.NET_SessionId=rkt; __RequestVerificationToken=abc');
});

test('a fresh token every 30 days, and a table without rows is a window without rates', async () => {
  const { rows, requests } = await read(table([]), '2026-04-01..2026-05-19');
  expect(rows).toEqual([]);
  expect(requests.map(({ method, form }) => `${method} ${form.get('dateTo')}`)).toEqual([
    'GET null',
    'POST 04/30/2026',
    'GET null',
    'POST 05/19/2026',
  ]);
});

test('a first page without a token is an error', async () => {
  const answers = { [`GET ${PATH}`]: '<html><body><form method="post"></form></body></html>' };
  await expect(readFeed(feed, '2026-05-19..2026-05-19', answers)).rejects.toThrow(/no hidden field/);
});

test.each([
  ['a blocked page', blockedPage, /no table #table1/],
  ['the 500 of a refused token', { status: 500 }, /500/],
  [
    'a table of other columns',
    table([], ['S/N', 'Currency', 'Rate', 'Date']),
    /no row of the #myTable has the headings Currency, Mean, Date/,
  ],
  ['a mean that is no number', table([row('USD', 'n/a')]), /not a number/],
  ['a date in another form', table([row('USD', '1.0', '2026-05-19')]), /not a date/],
])('%s is an error', async (_, answer, message) => {
  await expect(read(answer)).rejects.toThrow(message);
});
