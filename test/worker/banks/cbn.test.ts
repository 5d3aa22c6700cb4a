import { feed } from '../../../worker/banks/cbn.js';
import { casesOf } from './cases.js';

const history = (...records: [string, string, string | null, string?, string?][]) =>
  JSON.stringify(
    records.map(([currency, ratedate, centralrate, buyingrate = '', sellingrate = '']) => ({
      ...{ id: 1, currency, ratedate, buyingrate, centralrate, sellingrate },
    })),
  );
const PLACE = 'GET www.cbn.gov.ng/api/GetAllExchangeRates';
const { reads, empty } = casesOf(feed, '2026-05-20..2026-05-21', PLACE);
reads('naira for one unit, names of all years, stray labels left out', {
  given: history(
    ['CFA', '2026-05-21', '2.4200', '2.4100', '2.4300'],
    ['SWISS FRANC\t', '2026-05-21', '1700.5'],
    ['SDR', '2026-05-20', '1884.041'],
    ['WAUA', '2026-05-21', '1884.041'],
    ['EURO ', '2026-05-21', ''],
    ['YEN', '2026-05-21', null],
    ['US DOLLAR', '2026-05-19', '1371.8'],
  ),
  rates: ['2026-05-21 XOF/NGN 2.42, CHF/NGN 1700.5', '2026-05-20 XDR/NGN 1884.041'],
  sides: ['2026-05-21 XOF/NGN 2.41 2.43'],
});
empty('a history without newer days is an empty window', history(['EURO', '2020-01-02', '400']));
