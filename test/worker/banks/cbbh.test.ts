import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/cbbh.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PERIOD = 'GET www.cbbh.ba/CurrencyExchange/GetJsonForPeriod';
const DAY = 'GET www.cbbh.ba/CurrencyExchange/GetJson';
const DAYS = '2025-01-05..2025-01-06';
const item = (AlphaCode: string, Units: string, Middle: string) => ({ AlphaCode, Units, Buy: '1', Middle });
const list = (day: string, ...CurrencyExchangeItems: object[]) => ({
  CurrencyExchangeItems,
  Date: `${day}T00:00:00`,
  Comments: [],
});
const EURO = item('EUR', '1', '1.95583');
const problem = { status: 404, body: '"Problem with export"' };

test('marks for one unit, under the list of its day', async () => {
  const { rows, skipped } = await readFeed(feed, '2026-09-24..2026-09-26', {
    [PERIOD]: JSON.stringify([
      list('2026-09-24', EURO, item('JPY', '100', '1.085366'), item('KWD', '', '')),
      list('2026-09-26', item('USD', '1', '1,720621')),
    ]),
  });
  expect(rows).toEqual([
    ['2026-09-24', 'EUR', 'BAM', 1.95583],
    ['2026-09-24', 'JPY', 'BAM', 0.01085366],
    ['2026-09-26', 'USD', 'BAM', 1.720621],
  ]);
  expect(skipped).toEqual({ 'no units': 1 });
});

test("the bank's own codes of 1998", async () => {
  const { rows } = await readFeed(feed, '1998-07-15..1998-07-16', {
    [PERIOD]: JSON.stringify([
      list('1998-07-15', item('ESB', '100', '1.17896'), item('XBA', '1', '1.97741')),
      list('1998-07-16', item('ESP', '100', '1.17867')),
    ]),
  });
  expect(rows.map(([, base]) => base)).toEqual(['ESP', 'XEU', 'ESP']);
});

test.each([
  ['404', problem],
  ['200', problem.body],
])('%s in the words of the bank is an empty window, if its newest list is older', async (_, given) => {
  const { rows, noData, requests } = await readFeed(feed, DAYS, {
    [PERIOD]: given,
    [DAY]: JSON.stringify(list('2025-01-04', EURO)),
  });
  expect(rows).toEqual([]);
  expect(noData).toHaveLength(1);
  expect(requests[1]?.query.get('date')).toBe('01/06/2025 00:00:00');
});

test.each([
  ['a blocked page', { [PERIOD]: blockedPage }, /HTML page/],
  ['another 404', { [PERIOD]: { status: 404, body: '<html></html>' } }, /404/],
  [
    'a changed layout',
    { [PERIOD]: JSON.stringify([{ Items: [EURO], Date: '2025-01-05' }]) },
    /0 of 1|top level/,
  ],
  [
    'an export that failed',
    { [PERIOD]: problem, [DAY]: JSON.stringify(list('2025-01-06', EURO)) },
    /though there is a list of 2025-01-06/,
  ],
])('%s is an error', async (_, given, message) => {
  await expect(readFeed(feed, DAYS, given)).rejects.toThrow(message);
});
