import { feed } from '../../../worker/banks/hkma.js';
import { casesOf } from './cases.js';

const NAMES = 'usd eur gbp jpy cad aud sgd twd chf cny krw thb myr php inr idr zar'.split(' ');
const NONE = Object.fromEntries(NAMES.map((name) => [name, null]));
const page = (...records: object[]) =>
  JSON.stringify({
    header: { success: true, err_code: '0000' },
    result: { datasize: records.length, records: records.map((one) => ({ ...NONE, ...one })) },
  });
const PLACE =
  'GET api.hkma.gov.hk/public/market-data-and-statistics/monthly-statistical-bulletin/er-ir/er-eeri-daily';
const { reads, nothing, refuses } = casesOf(feed, '2026-02-27..2026-02-28', PLACE);
const others = { dem: 4, neeri_2020_trade_wgt: 101.1, special_drawing_rights: 10.7 };
reads('Hong Kong dollars for one unit, Saturdays kept, indices and old currencies left out', {
  given: page(
    { end_of_day: '2026-02-28', usd: 7.8245000000000005, ...others },
    { end_of_day: '2026-02-27', jpy: 0.05015, eur: null, gbp: 0 },
  ),
  rates: ['2026-02-28 USD/HKD 7.8245', '2026-02-27 JPY/HKD 0.05015'],
  count: 1,
});
reads('a full page is followed by the next', {
  days: '2025-02-27..2026-02-28',
  given: [page(...Array.from({ length: 100 }, () => ({ end_of_day: '2026-02-27', usd: 7.8 }))), page()],
  rates: ['2026-02-27 USD/HKD 7.8'],
  asks: ['offset=0', 'offset=100'],
});
nothing('a window without rates, or a page after its last day, is an empty list', page());
refuses([
  ['a refusal', '{"header":{"success":false,"err_msg":"x"},"result":{"records":[]}}', /header.success/],
]);
