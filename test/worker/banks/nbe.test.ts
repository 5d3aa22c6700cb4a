import { feed } from '../../../worker/banks/nbe.js';
import { casesOf } from './cases.js';

const day = (...rows: [string, string | null, string | number | null, string?, string?][]) =>
  JSON.stringify({
    success: true,
    data: rows.map(([date, code, weighted_average, buying = '', selling = '']) => ({
      ...{ date, buying, selling, weighted_average, currency: code && { name: 'x', code } },
    })),
  });
const PLACE = 'GET api.nbe.gov.et/api/filter-exchange-rates';
const { reads, empty } = casesOf(feed, '2026-05-18..2026-05-18', PLACE);
reads('the weighted average in birr, one request a weekday', {
  given: [
    day(
      ['2026-05-15', 'JPY', '0.9965', '0.9915', '1.0014'],
      ['2026-05-15', null, '1'],
      ['2026-05-15', 'EUR', null],
    ),
    day(['2026-05-18', 'USD', 157.227], ['2026-05-18', 'CHF', 'n/a'], ['2026-05-18', 'GBP', '0']),
  ],
  rates: ['2026-05-15 JPY/ETB 0.9965', '2026-05-18 USD/ETB 157.227'],
  sides: ['2026-05-15 JPY/ETB 0.9915 1.0014'],
  asks: ['date=2026-05-15', 'date=2026-05-18'],
});
empty('a closed day has no rows', day());
