import { feed } from '../../../worker/banks/nrb.js';
import { casesOf } from './cases.js';

/** Days with what is printed of each currency: its code, its unit, buying and selling. */
const days = (pages: number, payload: Record<string, string[]>) =>
  JSON.stringify({
    status: { code: 200 },
    data: {
      payload: Object.entries(payload).map(([date, prices]) => {
        const price = ([iso3, unit, buy, sell]: string[]) => ({
          currency: { iso3, unit },
          buy,
          sell: sell ?? null,
        });
        return { date, rates: prices.map((one) => price(one.split(' '))) };
      }),
    },
    pagination: { page: 1, pages, per_page: 100 },
  });
const { reads, nothing } = casesOf(feed, '2026-04-01..2026-04-05', 'GET www.nrb.org.np/api/forex/v1/rates');
reads('midpoints for one unit, page by page', {
  given: [
    days(2, { '2026-04-01': ['INR 100 160.00 160.15', 'KRW 100 9.92 9.96'] }),
    days(2, { '2026-04-04': ['USD 1 151.44', 'EUR 1 0 0', 'GBP 1 200 201'], '2020-06.25': ['USD 1 1 1'] }),
  ],
  rates: ['2026-04-01 INR/NPR 1.60075, KRW/NPR 0.0994', '2026-04-04 GBP/NPR 200.5'],
  sides: ['2026-04-01 INR/NPR 1.6 1.6015'],
  asks: ['from=2026-04-01&to=2026-04-05&page=1&per_page=100', 'page=2'],
});
nothing('a window without rates is an empty list', days(0, {}));
