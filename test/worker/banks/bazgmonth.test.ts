import { feed } from '../../../worker/banks/bazgmonth.js';
import { casesOf } from './cases.js';

const line = (code: string, unit: string, price: string) =>
  `<devise code="${code}"><land_de>Land</land_de><waehrung>${unit}</waehrung><kurs>${price}</kurs></devise>`;
const USD = line('usd', '1 USD', '0.8024');
const listOf = (month: string, lines: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><monatsmittelkurs xmlns="https://www.backend-rates.bazg.admin.ch/avgratesmonth"><monat>${month}</monat>${lines}</monatsmittelkurs>`;
const AUGUST = listOf('2026-08', line('usd', '1 USD', '0.8175'));
const PLACE = 'GET www.backend-rates.bazg.admin.ch/api/xmlavgmonth';
const { reads, nothing, refuses } = casesOf(feed, '2026-07-01..2026-07-31', PLACE, { today: '2026-08-26' });
reads('francs for one unit, from the first of each month', {
  days: '2026-07-01..2026-08-31',
  given: [listOf('2026-07', USD + line('jpy', '100 JPY', '0.5412')), AUGUST],
  rates: ['2026-07-01 USD/CHF 0.8024, JPY/CHF 0.005412', '2026-08-01 USD/CHF 0.8175'],
  asks: ['j=2026&m=07', 'j=2026&m=08'],
});
reads('the list of the next month is not read while it is provisional', {
  days: '2026-08-01..',
  given: AUGUST.replaceAll('monatsmittelkurs', 'monatsmittelkurse'),
  rates: ['2026-08-01 USD/CHF 0.8175'],
  asks: ['m=08'],
});
nothing('no month begins in the window', undefined, '2026-07-02..2026-07-31');
refuses([
  ['the list of another month', AUGUST, /the list of 2026-08, not of the requested month/],
  ['a list without its month', listOf('', USD), /the list of , not of/],
  ['a list without lines', listOf('2026-07', ''), /no records that hold a rate/],
  ['a daily list', AUGUST.replaceAll('monatsmittelkurs', 'wechselkurse'), /the root is wechselkurse/],
  ['a currency twice', listOf('2026-07', USD + USD), /USD appears twice/],
  ['another unit', listOf('2026-07', line('usd', '10 USD', '8.024')), /not a currency, a power of ten/],
  [
    'codes that disagree',
    listOf('2026-07', line('eur', '1 USD', '0.8024')),
    /not a currency, a power of ten/,
  ],
]);
