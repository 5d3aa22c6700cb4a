import { feed } from '../../../worker/banks/inforeuro.js';
import { casesOf } from './cases.js';

const answer = (...entries: [code: string, value: unknown][]) =>
  JSON.stringify(
    entries.map(([isoA3Code, value]) => ({ country: 'X', currency: 'x', isoA3Code, value, comment: null })),
  );
const PLACE = 'GET ec.europa.eu/budg/inforeuro/api/public/monthly-rates';
const { reads, nothing, refuses } = casesOf(feed, '2026-09-01..2026-09-26', PLACE);
reads('units for a euro from the first of each month', {
  days: '2026-08-01..2026-09-26',
  given: [answer(['EUR', 1], ['USD', 1.16]), answer(['USD', 1.1643], ['ZIG', 30.85], ['KGS', null])],
  rates: ['2026-08-01 EUR/USD 1.16', '2026-09-01 EUR/USD 1.1643, EUR/ZWG 30.85'],
  skipped: { 'the euro itself': 1, 'no rate': 1 },
  asks: ['year=2026 & month=8', 'year=2026 & month=9'],
});
reads('the ECU until January 1999, and old codes by month', {
  days: '1999-01-01..1999-01-31',
  given: answer(['FRC', 2.9], ['AOK', 5.5]),
  rates: ['1999-01-01 XEU/CDF 2.9'],
});
reads('the euro afterwards', {
  days: '2000-01-01..2000-01-31',
  given: answer(['FRC', 2.9], ['AOK', 5.5]),
  rates: ['2000-01-01 EUR/CDF 2.9, EUR/AOA 5.5'],
});
nothing('no month begins in the window', undefined, '2026-09-02..2026-09-26');
refuses([
  ['an empty list', '[]', /top level/],
  ['a changed layout', JSON.stringify({ code: 'USD', value: 1 }), /top level/],
  ['an entry without its value', answer(['USD', 1], ['GBP', undefined]), /value/],
  ['a code that is none', answer(['USD', 1], ['usd', 1]), /isoA3Code/],
  ['two values of one code', answer(['USD', 1], ['USD', 2]), /USD is both 1 and 2/],
]);
