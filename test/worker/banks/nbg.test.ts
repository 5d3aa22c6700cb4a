import { feed } from '../../../worker/banks/nbg.js';
import { casesOf } from './cases.js';

const table = (day: string, ...currencies: [string, number, number | string][]) =>
  JSON.stringify([
    {
      date: `${day}T00:00:00.000Z`,
      currencies: currencies.map(([code, quantity, rate]) => ({ code, quantity, rate, name: 'ლარი' })),
    },
  ]);
const PLACE = 'GET nbg.gov.ge/gw/api/ct/monetarypolicy/currencies/';
const { reads, empty } = casesOf(feed, '2026-03-02..2026-03-02', PLACE);
reads('lari for one unit under the date of the table, Sundays not asked for', {
  days: '2026-02-28..2026-03-02',
  given: [
    table('2026-02-28', ['AED', 10, 7.2853], ['ZAR', 10, 1.6764]),
    table('2026-02-28', ['AED', 10, 7.2853], ['IRR', 0, 1], ['KZT', 100, 0]),
  ],
  rates: ['2026-02-28 AED/GEL 0.72853, ZAR/GEL 0.16764'],
  asks: ['date=2026-02-28', 'date=2026-03-02'],
});
empty('an empty list is a day before the first table', '[]', '1990-01-01..1990-01-01');
