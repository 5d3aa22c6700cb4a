import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/rbm.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'POST www.rbm.mw/Statistics/ExchangeRatesFilter/';
const date = (day: string, year = '2024') =>
  `<span style=''>${day}&nbsp;&nbsp;</span><span style=''>${year}</span>`;
const table = (rows: string[][], id = 'id="exchange-rates"') =>
  `<div><table ${id} style="display: none"><thead><tr><th>Currency</th><th>Buying</th><th>Middle</th><th>Selling</th><th>Date</th></tr></thead><tbody>${rows
    .map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
    .join('')}</tbody></table></div>`;
const row = (code: string, middle: string, day = date('Jan 02')) => [
  `<strong>\n ${code}\n </strong>`,
  '1.0',
  middle,
  '9.0',
  day,
];
const read = (answer: Parameters<typeof readFeed>[2][string], days = '2024-01-02..2024-01-05') =>
  readFeed(feed, days, { [PLACE]: answer });

test('the middle in kwachas for one unit; CMD and the Irish pound are no currency', async () => {
  const { rows, dropped, requests } = await read(
    table([
      ['Currency', 'Buying', 'Middle', 'Selling', 'Date'],
      row('AED', '458.3832'),
      row('USD', '1,683.3663', date('Jan 03')),
      row('CMD', '1,683.3663'),
      row('IEP', '2,300.1'),
      row('ZAR', ''),
      row('ZMW', '65.4', date('Feb 30')),
      row('Total', '65.4'),
      ['no', 'rate'],
    ]),
  );
  expect(rows).toEqual([
    ['2024-01-02', 'AED', 'MWK', 458.3832],
    ['2024-01-03', 'USD', 'MWK', 1683.3663],
  ]);
  expect(dropped).toEqual({ 'unknown-currency': 2, 'after-end': 1, malformed: 4 });
  expect(requests[0]?.body).toBe('RateTypes=&StartDate=01%2F02%2F2024&EndDate=01%2F05%2F2024');
});

test('a table that lost its name is read all the same', async () => {
  expect((await read(table([row('AED', '458.3832')], ''))).rows).toHaveLength(1);
});

test('no more than 30 days a request, and a table without rows is a window without rates', async () => {
  const { rows, requests } = await read(table([]), '2024-01-01..2024-02-15');
  expect(rows).toEqual([]);
  expect(requests.map(({ form }) => form.get('EndDate'))).toEqual(['01/30/2024', '02/15/2024']);
});

test.each([
  ['a blocked page', blockedPage, /no table/],
  ['dates in another form', table([row('AED', '458.3832', '02/01/2024')]), /0 of 1 records give a rate/],
  [
    'names instead of codes',
    table([row('Dirham', '458.3832')]),
    /0 of 1 records give a rate for 2024-01-02 to 2024-01-05/,
  ],
  ['numbers in another form', table([row('AED', '458,3832')]), /0 of 1 records give a rate/],
])('%s is an error', async (_, answer, message) => {
  await expect(read(answer)).rejects.toThrow(message);
});
