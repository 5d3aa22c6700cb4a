import { feed } from '../../../worker/banks/inforeuro.js';
import { casesOf } from './cases.js';

const answer = (...entries: [code: string, value: unknown][]) =>
  JSON.stringify(
    entries.map(([isoA3Code, value]) => ({ country: 'X', currency: 'x', isoA3Code, value, comment: null })),
  );
const PLACE = 'GET ec.europa.eu/budg/inforeuro/api/public/monthly-rates';
const { reads, nothing, refuses, codes } = casesOf(feed, '2026-09-01..2026-09-26', PLACE);
reads('units for a euro from the first of each month', {
  days: '2026-08-01..2026-09-26',
  given: [answer(['EUR', 1], ['USD', 1.16]), answer(['USD', 1.1643], ['ZIG', 30.85], ['KGS', null])],
  rates: ['2026-08-01 EUR/USD 1.16', '2026-09-01 EUR/USD 1.1643, EUR/ZWG 30.85'],
  skipped: { 'the euro itself': 1, 'no rate': 1 },
  asks: ['year=2026 & month=8', 'year=2026 & month=9'],
});
// The ECU until January 1999, and the euro afterwards.
codes(
  ({ code, price }) => answer([code, price], ['USD', 1]),
  '1999-01-01 FRC 2.9 1 XEU/CDF 2.9',
  '1999-01-01 AOK 5.5 1',
  '2000-01-01 FRC 2.9 1 EUR/CDF 2.9',
  '2000-01-01 AOK 5.5 1 EUR/AOA 5.5',
  '2000-02-01 AOK 5.6 1 EUR/AOA 5.6',
  '2000-03-01 AOK 5.7 1',
);
nothing('no month begins in the window', undefined, '2026-09-02..2026-09-26');
refuses([
  ['an empty list', '[]', /top level/],
  ['two values of one code', answer(['USD', 1], ['USD', 2]), /USD is both 1 and 2/],
]);
