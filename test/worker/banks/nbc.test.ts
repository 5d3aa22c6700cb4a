import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/nbc.js';
import { blockedPage, readFeed, type SeenRequest } from '../feeds/support.js';

const PATH = 'www.nbc.gov.kh/english/economic_research/exchange_rate.php';
const TOKEN = '72hr+QRfX/OM=';
const landing = (session: string) => ({
  headers: { 'set-cookie': `PHPSESSID=${session}; path=/` },
  body: `<form><input type="hidden" name="tk" value="${TOKEN}"/></form>`,
});
const page = (day: string, dollar: string, ...rows: string[][]) => `<form><table>
  <tr><td>Exchange Rate on : <font color="#FF3300">${day}</font> </td></tr>
  <tr><td><br>Official Exchange Rate : <font color="#FF3300">${dollar}</font> KHR / USD</td></tr></table></form>
  <table class="tbl-responsive"><tr><td>Currency</td><td>Symbol</td><td>Unit</td><td>Bid</td><td>Ask</td><td>Average</td></tr>${rows
    .map((cells) => `<tr>${cells.map((cell) => `<td> ${cell} </td>`).join('')}</tr>`)
    .join('')}</table>`;
const yen = ['Japanese Yen', 'JPY/KHR', '100', '2529', '2554', '2541.50'];
const read = (answer: Parameters<typeof readFeed>[2][string], days = '2026-05-20..2026-05-20') =>
  readFeed(feed, days, { [`GET ${PATH}`]: landing('one'), [`POST ${PATH}`]: answer });

test('riels for one unit, by the unit of each row, and for the dollar', async () => {
  const { rows, dropped, requests } = await read(
    page(
      '2026-05-20',
      '4022',
      yen,
      ['Viet Nam Dong', 'VND/KHR', '1000', '153', '154', '153.50'],
      ['Special Drawing Right', 'SDR/KHR', '1', '5500', '5551', '5,525.50'],
      ['Euro', 'EUR/KHR', '1', '', '', ''],
      ['Swedish Krona', 'SEK/KHR', '0', '1', '1', '1'],
    ),
  );
  expect(rows).toEqual([
    ['2026-05-20', 'JPY', 'KHR', 25.415],
    ['2026-05-20', 'VND', 'KHR', 0.1535],
    ['2026-05-20', 'XDR', 'KHR', 5525.5],
    ['2026-05-20', 'USD', 'KHR', 4022],
  ]);
  expect(dropped).toEqual({ malformed: 2 });
  expect(requests[1]?.body).toBe('exdate=2026-05-20&tk=72hr%2BQRfX%2FOM%3D&view=View');
  expect(requests[1]?.headers.cookie).toBe('PHPSESSID=one');
  expect(requests[1]?.headers.referer).toBe(`https://${PATH}`);
});

test('a session of its own for each day but Sunday; a day without data says so', async () => {
  const { rows, requests } = await readFeed(feed, '2026-05-16..2026-05-18', {
    [`GET ${PATH}`]: [landing('one'), landing('two')],
    [`POST ${PATH}`]: ({ form }: SeenRequest) =>
      form.get('exdate') === '2026-05-18'
        ? page('2026-05-18', '4014', yen)
        : '<table><tr><td>There is no data available.</td></tr></table>',
  });
  expect(rows.map(([date, base]) => `${date} ${base}`)).toEqual(['2026-05-18 JPY', '2026-05-18 USD']);
  expect(requests.filter(({ method }) => method === 'POST').map(({ headers }) => headers.cookie)).toEqual([
    'PHPSESSID=one',
    'PHPSESSID=two',
  ]);
});

test('a first page without a token is an error', async () => {
  await expect(readFeed(feed, '2026-05-20..2026-05-20', { [`GET ${PATH}`]: blockedPage })).rejects.toThrow(
    /no hidden field tk/,
  );
});

test.each([
  ['a blocked page', blockedPage, /"Exchange Rate on" missing, not 2026-05-20/],
  ['the 403 of its firewall', { status: 403 }, /403/],
  [
    'the rates of another day',
    page('2026-05-25', '4022', yen),
    /"Exchange Rate on" 2026-05-25, not 2026-05-20/,
  ],
  [
    'a table without symbols',
    page('2026-05-20', '4022', ['Yen', 'JPY', '100', '1', '1', '1']),
    /0 of 1 records give a rate/,
  ],
  [
    'a page without the dollar',
    page('2026-05-20', '4022', yen).replace('KHR / USD', ''),
    /0 of 1 records give a rate/,
  ],
  ['no number at all', page('2026-05-20', '', [...yen.slice(0, 5), '-']), /0 of 1 records give a rate/],
])('%s is an error', async (_, answer, message) => {
  await expect(read(answer)).rejects.toThrow(message);
});
