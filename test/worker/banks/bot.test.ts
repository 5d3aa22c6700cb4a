import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/bot.js';
import { CredentialsRefused } from '../../../worker/feeds/feed.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET gateway.api.bot.or.th/Stat-ExchangeRate/v2/DAILY_AVG_EXG_RATE/';
const rows = (...detail: [string, string, string, string | null][]) =>
  JSON.stringify({
    result: {
      data: {
        data_detail: detail.map(([period, currency_id, currency_name_eng, mid_rate]) => ({
          period,
          currency_id,
          currency_name_eng,
          mid_rate,
        })),
      },
    },
  });

test('baht for one unit, by the units in the name', async () => {
  const read = await readFeed(feed, '2026-04-01..2026-05-10', {
    [PLACE]: [
      rows(
        ['2026-04-03', 'JPY', 'JAPAN : YEN (100 YEN) (JPY) ', '20.4832000'],
        ['2026-04-03', 'IDR', 'INDONESIA : RUPIAH (1,000 RUPIAH) (IDR) ', '1.9296000'],
        ['2026-04-03', 'USD', 'USA : DOLLAR (USD) ', '32.6448000'],
        ['2026-04-03', 'EUR', 'EURO ZONE : EURO (EUR) ', ' '],
      ),
      rows(['', '', '', '']),
    ],
  });
  expect(read.rows).toEqual([
    ['2026-04-03', 'JPY', 'THB', 0.204832],
    ['2026-04-03', 'IDR', 'THB', 0.0019296],
    ['2026-04-03', 'USD', 'THB', 32.6448],
  ]);
  expect(read.requests.map(({ query }) => query.toString())).toEqual([
    'start_period=2026-04-01&end_period=2026-04-30',
    'start_period=2026-05-01&end_period=2026-05-10',
  ]);
  expect(read.requests[0]?.headers.authorization).toBe('<BOT_API_KEY>');
});

test('a refused key is told apart', async () => {
  await expect(readFeed(feed, '2026-04-01..2026-04-03', { [PLACE]: { status: 401 } })).rejects.toThrow(
    CredentialsRefused,
  );
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['another form', '{"result":{"error":"x"}}', /data/],
  ['a rate that is no number', rows(['2026-04-03', 'USD', 'DOLLAR', 'x']), /not a number/],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, '2026-04-01..2026-04-03', { [PLACE]: answer })).rejects.toThrow(message);
});
