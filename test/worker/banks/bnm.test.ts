import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/bnm.js';
import { type Answer, blockedPage, readFeed } from '../feeds/support.js';

const LIST = 'GET api.bnm.gov.my/public/exchange-rate';
const month = (code: string, when = '2026/month/3') => `${LIST}/${code}/year/${when}`;
const list = (...codes: string[]) =>
  JSON.stringify({
    data: codes.map((currency_code) => ({ currency_code, unit: 1, rate: { date: '2026-03-19' } })),
    meta: { session: '0900' },
  });
const rates = (currency_code: string, unit: number | undefined, rate: unknown) =>
  JSON.stringify({ data: { currency_code, unit, rate }, meta: { session: '0900' } });
const on = (date: string, middle_rate: number | null) => ({
  date,
  buying_rate: null,
  selling_rate: null,
  middle_rate,
});

test('ringgit for one unit, each month of each currency', async () => {
  const { rows, requests } = await readFeed(feed, '2026-02-27..2026-03-03', {
    [LIST]: list('INR', 'SDR'),
    [month('INR', '2026/month/2')]: rates('INR', 100, on('2026-02-27', 4.2871)),
    [month('SDR', '2026/month/2')]: rates('SDR', 1, [on('2026-02-26', 5.3), on('2026-02-27', 5.3712)]),
    [month('INR')]: rates('INR', 100, [on('2026-03-02', 4.2964000000000002), on('2026-03-04', 4.2887)]),
    [month('SDR')]: rates('SDR', 1, [on('2026-03-02', 5.3795000000000002)]),
  });
  expect(rows).toEqual([
    ['2026-02-27', 'INR', 'MYR', 0.042871],
    ['2026-02-27', 'XDR', 'MYR', 5.3712],
    ['2026-03-02', 'INR', 'MYR', 0.042964],
    ['2026-03-02', 'XDR', 'MYR', 5.3795],
  ]);
  expect(requests).toHaveLength(5);
  for (const { headers, query } of requests) {
    expect(headers.accept).toBe('application/vnd.BNM.API.v1+json');
    expect(query.toString()).toBe('session=0900');
  }
});

test('months without rates, and rates of nothing or zero', async () => {
  const { rows } = await readFeed(feed, '2026-03-01..2026-03-19', {
    [LIST]: list('USD', 'EUR', 'THB'),
    [month('USD')]: '{"data":null}',
    [month('EUR')]: '{"data":[]}',
    [month('THB')]: rates('THB', 100, [on('2026-03-02', 0), on('2026-03-03', null)]),
  });
  expect(rows).toEqual([]);
});

const odd: [string, Answer, Answer, RegExp][] = [
  ['a blocked page for the list', blockedPage, '', /HTML page/],
  ['a list without its codes', '{"data":null}', '', /documented form at data/],
  ['a list of no codes', '{"data":[]}', '', /documented form at data/],
  ['a blocked page for a month', list('USD'), blockedPage, /HTML page/],
  ['a month in another form', list('USD'), '{"rates":[]}', /documented form at data/],
  [
    'a rate that is no number',
    list('USD'),
    rates('USD', 1, { date: '2026-03-02', middle_rate: 'x' }),
    /data/,
  ],
  ['another status', list('USD'), { status: 404, body: '{"message":"none"}' }, /responded with status 404/],
];
test.each(odd)('%s is an error', async (_, codes, usd, message) => {
  const answers = { [LIST]: codes, [month('USD')]: usd };
  await expect(readFeed(feed, '2026-03-01..2026-03-19', answers)).rejects.toThrow(message);
});
