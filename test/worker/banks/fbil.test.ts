import { feed } from '../../../worker/banks/fbil.js';
import { casesOf } from './cases.js';

const fixings = (...rows: [string | null, string | null, number | string | null][]) =>
  JSON.stringify(
    rows.map(([day, subProdName, rate]) => ({
      ...{ processRunDate: day && `${day} 00:00:00`, subProdName, rate, comments: '' },
    })),
  );
const PLACE = 'GET www.fbil.org.in/wasdm/refrates/fetchfiltered';
const { reads, nothing } = casesOf(feed, '2026-03-17..2026-03-18', PLACE);
reads('rupees for one unit, by the units in the product', {
  given: fixings(
    ['2026-03-17', 'INR / 1 USD', 92.457],
    ['2026-03-17', 'INR / 100 JPY', 57.99],
    ['2026-03-17', 'INR / 10000 IDR', 54.4093],
    ['2026-03-17', 'INR / 0 EUR', 1],
    ['2026-03-17', 'Overnight', 5],
    ['2026-03-18', 'INR / 1 GBP', 'N/A'],
    [null, 'INR / 1 EUR', 100],
    ['2026-03-18', null, 100],
  ),
  rates: ['2026-03-17 USD/INR 92.457, JPY/INR 0.5799, IDR/INR 0.00544093'],
  asks: ['fromDate=2026-03-17&toDate=2026-03-18&authenticated=false'],
});
nothing('a window without rates is an empty list', '[]');
