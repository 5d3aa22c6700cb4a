import { feed } from '../../../worker/banks/nbp.js';
import { type Answer, type Answers, casesOf } from './cases.js';

const table = (effectiveDate: string, ...rates: [string, number | string | null][]) =>
  JSON.stringify([
    { table: 'A', effectiveDate, rates: rates.map(([code, mid]) => ({ currency: 'x', code, mid })) },
  ]);
const none: Answer = { status: 404, body: '404 NotFound - Not Found - Brak danych' };
/** Tables A and B and the price of gold of a window. */
const lists = (days: string, a: Answer = none, b: Answer = none, gold: Answer = none): Answers => ({
  [`GET api.nbp.pl/api/exchangerates/tables/A/${days}/`]: a,
  [`GET api.nbp.pl/api/exchangerates/tables/B/${days}/`]: b,
  [`GET api.nbp.pl/api/cenyzlota/${days}/`]: gold,
});
const { reads, codes } = casesOf(feed, '2026-03-01..2026-03-05');
reads('both tables for one unit, gold for a troy ounce', {
  given: lists(
    '2026-03-01/2026-03-05',
    table('2026-03-02', ['JPY', 0.022963], ['USD', null]),
    table('2026-03-04', ['IRR', 0.0000028]),
    '[{"data":"2026-03-02","cena":595.71}]',
  ),
  rates: ['2026-03-02 JPY/PLN 0.022963', '2026-03-04 IRR/PLN 0.0000028', '2026-03-02 XAU/PLN 18528.6521645'],
  count: 3,
  asks: ['format=json'],
});
codes(
  ({ day, code, price }) => lists(`${day}/${day}`, none, table(day, [code, price])),
  '2002-03-06 AON 0.1 1 AOA/PLN 0.1',
  '2002-03-06 BYB 0.0025 1 BYR/PLN 0.0025',
  '2003-01-08 AFA 0.08 1 AFN/PLN 0.08',
  '2009-02-25 ZWR 0.01 1 ZWL/PLN 0.01',
);
const [spring, summer] = ['2026-03-01/2026-06-01', '2026-06-02/2026-06-02'];
reads('each list may be missing by itself, and a long window goes in steps of 93 days', {
  days: '2026-03-01..2026-06-02',
  given: { ...lists(spring), ...lists(summer) },
  asks: [spring, summer].flatMap((days) => Array<RegExp>(3).fill(new RegExp(`/api/.*/${days}/$`))),
});
