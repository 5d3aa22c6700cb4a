import { feed } from '../../../worker/banks/nrb.js';
import { casesOf } from './cases.js';

type Price = [code: string, unit: number | string, buy: string | null, sell: string | null];
const days = (pages: number, payload: Record<string, Price[]>) =>
  JSON.stringify({
    status: { code: 200 },
    data: {
      payload: Object.entries(payload).map(([date, rates]) => ({
        date,
        rates: rates.map(([iso3, unit, buy, sell]) => ({ currency: { iso3, name: 'x', unit }, buy, sell })),
      })),
    },
    pagination: { page: 1, pages, per_page: 100 },
  });
const { reads, nothing, refuses } = casesOf(
  feed,
  '2026-04-01..2026-04-05',
  'GET www.nrb.org.np/api/forex/v1/rates',
);
reads('midpoints for one unit, page by page', {
  given: [
    days(2, {
      '2026-04-01': [
        ['INR', 100, '160.00', '160.15'],
        ['KRW', '100', '9.92', '9.96'],
      ],
    }),
    days(2, {
      '2026-04-04': [
        ['USD', 1, '151.44', null],
        ['EUR', 1, '0', '0'],
        ['GBP', 1, '200', '201'],
      ],
      '2020-06.25': [['USD', 1, '1', '1']],
    }),
  ],
  rates: ['2026-04-01 INR/NPR 1.60075, KRW/NPR 0.0994', '2026-04-04 GBP/NPR 200.5'],
  asks: [
    'from=2026-04-01&to=2026-04-05&page=1&per_page=100',
    'from=2026-04-01&to=2026-04-05&page=2&per_page=100',
  ],
});
nothing('a window without rates is an empty list', days(0, {}));
refuses([['a price that is no number', days(1, { '2026-04-01': [['USD', 1, 'x', '1']] }), /not a number/]]);
