import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/rbv.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET www.rbv.gov.vu/index.php/en/exchange-rates';
const cell = (name: string, value: string) =>
  `<td class="exchange_rates___${name} fabrik_element">\n\t\t${value}\t</td>`;
const row = (day: string, rates: Record<string, string>) =>
  `<tr class="fabrik_row oddRow0">${cell('date', day)}${Object.entries(rates)
    .map(([name, value]) => cell(name, value))
    .join('')}<td style="display:none"><input type="checkbox"/></td></tr>`;
const list = (...rows: string[]) =>
  `<table id="list_1_com_fabrik_1"><tr class="fabrik___heading"><th class="exchange_rates___usd">USD</th></tr>${rows.join('')}</table>`;
const basket = { usd: '116.28', jpy: '0.7316', nzd: '68.37', GBP: '156.19', aud: '83.16', eur: '135.14' };

test('vatu for one unit of the basket', async () => {
  const { rows, requests } = await readFeed(feed, '2026-05-22..2026-05-22', {
    [PLACE]: list(row('22 May 2026', basket)),
  });
  expect(rows).toEqual([
    ['2026-05-22', 'USD', 'VUV', 116.28],
    ['2026-05-22', 'JPY', 'VUV', 0.7316],
    ['2026-05-22', 'NZD', 'VUV', 68.37],
    ['2026-05-22', 'GBP', 'VUV', 156.19],
    ['2026-05-22', 'AUD', 'VUV', 83.16],
    ['2026-05-22', 'EUR', 'VUV', 135.14],
  ]);
  expect(requests[0]?.query.get('limit1')).toBe('100000');
});

test('three ways to write a day, slips and blanks left out', async () => {
  const usd = (rate: string) => ({ ...basket, usd: rate, jpy: '' });
  const { rows, dropped } = await readFeed(
    feed,
    '2024-01-01..',
    {
      [PLACE]: list(
        row('31 December 2028', usd('5')),
        row('09 January 2026', usd('4')),
        row('8 January 2026', usd('3')),
        row('05 January 2025', usd('9')),
        row('yesterday', usd('9')),
        row('26-Aug-25', usd('n.a.')),
      ),
    },
    { today: '2026-01-12' },
  );
  expect(rows.filter(([, base]) => base === 'USD' || base === 'JPY')).toEqual([
    ['2026-01-09', 'USD', 'VUV', 4],
    ['2026-01-08', 'USD', 'VUV', 3],
  ]);
  expect(rows).toHaveLength(2 * 5 + 4);
  expect(dropped).toEqual({ malformed: 6 + 4 + 1 });
});

test('no rows in the window', async () => {
  const answers = { [PLACE]: list(row('22 May 2026', basket)) };
  expect((await readFeed(feed, '2026-05-23..2026-05-24', answers)).rows).toEqual([]);
});

test.each([
  ['a blocked page', blockedPage, /no records that hold a rate/],
  ['dates in another form', list(row('2026/05/22', basket)), /0 of 6 records give a rate; \d malformed/],
  [
    'other names of columns',
    list(row('22 May 2026', { dollar: '116.28' })),
    /0 of 6 records give a rate; \d malformed/,
  ],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, '2026-05-18..2026-05-22', { [PLACE]: answer })).rejects.toThrow(message);
});
