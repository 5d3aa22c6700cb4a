import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/hkma.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE =
  'GET api.hkma.gov.hk/public/market-data-and-statistics/monthly-statistical-bulletin/er-ir/er-eeri-daily';
const NONE = Object.fromEntries(
  'usd eur gbp jpy cad aud sgd twd chf cny krw thb myr php inr idr zar'
    .split(' ')
    .map((name) => [name, null]),
);
const page = (...records: object[]) =>
  JSON.stringify({
    header: { success: true, err_code: '0000' },
    result: { datasize: records.length, records: records.map((one) => ({ ...NONE, ...one })) },
  });

test('Hong Kong dollars for one unit, Saturdays kept, indices and old currencies left out', async () => {
  const { rows, requests } = await readFeed(feed, '2026-02-27..2026-02-28', {
    [PLACE]: page(
      {
        end_of_day: '2026-02-28',
        usd: 7.8245000000000005,
        dem: 4,
        neeri_2020_trade_wgt: 101.1,
        special_drawing_rights: 10.7,
      },
      { end_of_day: '2026-02-27', jpy: 0.05015, eur: null, gbp: 0 },
    ),
  });
  expect(rows).toEqual([
    ['2026-02-28', 'USD', 'HKD', 7.8245],
    ['2026-02-27', 'JPY', 'HKD', 0.05015],
  ]);
  expect(requests).toHaveLength(1);
});

test('a full page is followed by the next', async () => {
  const full = page(...Array.from({ length: 100 }, () => ({ end_of_day: '2026-02-27', usd: 7.8 })));
  const { requests } = await readFeed(feed, '2025-02-27..2026-02-28', { [PLACE]: [full, page()] });
  expect(requests.map(({ query }) => query.get('offset'))).toEqual(['0', '100']);
});

test('no records are an empty window', async () => {
  expect((await readFeed(feed, '2026-02-27..2026-02-28', { [PLACE]: page() })).rows).toEqual([]);
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['a refusal', '{"header":{"success":false,"err_msg":"x"},"result":{"records":[]}}', /header.success/],
  ['no records', '{"header":{"success":true},"result":{}}', /records/],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, '2026-02-27..2026-02-28', { [PLACE]: answer })).rejects.toThrow(message);
});
