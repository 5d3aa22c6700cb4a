import { feed } from '../../../worker/banks/bam.js';
import { casesOf } from './cases.js';

const day = (...rows: object[]) => JSON.stringify(rows);
const mid = (date: string, libDevise: string, moyen: number | null, uniteDevise: number) => ({
  date: `${date}T12:30:00`,
  ...{ libDevise, moyen, uniteDevise },
});
const PLACE = 'GET api.centralbankofmorocco.ma/cours/Version1/api/CoursVirement';
const { reads, codes } = casesOf(feed, '2026-03-27..2026-03-27', PLACE);
reads('dirhams for one unit, one request for each weekday', {
  given: [
    day(
      mid('2026-03-27', 'NOK', 95.938, 100),
      mid('2026-03-27', 'DZD', 0.7032, 10),
      mid('2026-03-27', 'NOK', 95.938, 100),
    ),
    day(mid('2026-03-30', 'USD', 9.3261, 1)),
  ],
  rates: ['2026-03-27 NOK/MAD 0.95938, DZD/MAD 0.07032', '2026-03-30 USD/MAD 9.3261'],
  asks: ['date=2026-03-27T12:30:00 & ocp-apim-subscription-key: <BAM_API_KEY>', 'date=2026-03-30T12:30:00'],
});

const old = { date: '1999-01-04T14:00:00', libDevise: 'USD', achat: 9.2125, vente: 9.2679, uniteDevise: 1 };
reads('the exact middle of buying and selling in older years', {
  given: day(old, { ...old, libDevise: 'GBP', vente: null }),
  rates: ['1999-01-04 USD/MAD 9.2402'],
  sides: ['1999-01-04 USD/MAD 9.2125 9.2679'],
});
codes(
  ({ day: date, code, price, units }) => day(mid(date, code, price, units)),
  '2017-12-29 MRO 2.6 100 MRO/MAD 0.026',
  '2018-01-02 MRO 2.6 100',
  '2018-01-03 MRO 26.1 100 MRU/MAD 0.261',
  '2018-05-07 MRO 26.1 1 MRU/MAD 0.261',
  '2018-05-07 MRO 2.6 1',
  '2026-03-27 MRO 0.23589 1 MRU/MAD 0.23589',
  '2015-05-07 MRO 3.1 1 MRO/MAD 0.031',
);
reads('a day without a table, and prices and units of zero', {
  days: '2026-03-26..2026-03-27',
  given: [
    '[]',
    day(
      { ...mid('2026-03-27', 'USD', 0, 1), achat: 9, vente: 10 },
      mid('2026-03-27', 'EUR', 10.8, 0),
      mid('2026-03-27', 'GBP', null, 1),
      mid('2026-03-27', 'CHF', 11, 1),
      { ...mid('2026-03-27', '', 8, 1), libDevise: null },
    ),
  ],
  rates: ['2026-03-27 CHF/MAD 11'],
  dropped: { malformed: 3 },
});
