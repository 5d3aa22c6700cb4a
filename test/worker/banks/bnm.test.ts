import { feed } from '../../../worker/banks/bnm.js';
import { casesOf } from './cases.js';

const LIST = 'GET api.bnm.gov.my/public/exchange-rate';
const month = (code: string, when = '2026/month/3') => `${LIST}/${code}/year/${when}`;
const list = (...codes: string[]) =>
  JSON.stringify({
    data: codes.map((currency_code) => ({ currency_code, unit: 1, rate: { date: '2026-03-19' } })),
    meta: { session: '0900' },
  });
const rates = (currency_code: string, unit: number | undefined, rate: unknown) =>
  JSON.stringify({ data: { currency_code, unit, rate }, meta: { session: '0900' } });
const on = (date: string, middle_rate: number | null, ...[buying_rate, selling_rate]: number[]) => ({
  ...{ date, buying_rate: buying_rate ?? null, selling_rate: selling_rate ?? null, middle_rate },
});
const { reads, empty, refuses } = casesOf(feed, '2026-03-01..2026-03-19');
reads('ringgit for one unit, each month of each currency', {
  days: '2026-02-27..2026-03-03',
  given: {
    [LIST]: list('INR', 'SDR'),
    [month('INR', '2026/month/2')]: rates('INR', 100, on('2026-02-27', 4.2871)),
    [month('SDR', '2026/month/2')]: rates('SDR', 1, [on('2026-02-26', 5.3), on('2026-02-27', 5.3712)]),
    [month('INR')]: rates('INR', 100, [
      on('2026-03-02', 4.2964000000000002, 4.2916999999999996, 4.3010999999999999),
      on('2026-03-04', 4.2887),
    ]),
    [month('SDR')]: rates('SDR', 1, [on('2026-03-02', 5.3795000000000002)]),
  },
  rates: ['2026-02-27 INR/MYR 0.042871, XDR/MYR 5.3712', '2026-03-02 INR/MYR 0.042964, XDR/MYR 5.3795'],
  sides: ['2026-03-02 INR/MYR 0.042917 0.043011', '2026-03-02 XDR/MYR - -'],
  asks: Array(5).fill(['accept: application/vnd.BNM.API.v1+json', 'session=0900']),
});
empty('months without rates, and rates of nothing or zero', {
  [LIST]: list('USD', 'EUR', 'THB'),
  [month('USD')]: '{"data":null}',
  [month('EUR')]: '{"data":[]}',
  [month('THB')]: rates('THB', 100, [on('2026-03-02', 0), on('2026-03-03', null)]),
});
refuses([['a list of no codes', { [LIST]: '{"data":[]}' }, /documented form at data/]]);
