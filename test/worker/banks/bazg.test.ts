import { feed } from '../../../worker/banks/bazg.js';
import { casesOf } from './cases.js';

const line = (code: string, unit: string, price: string) =>
  `<devise code="${code}"><land_de>Land</land_de><land_en>Country</land_en><waehrung>${unit}</waehrung><kurs>${price}</kurs></devise>`;
const EUR = line('eur', '1 EUR', '0.93883');
const listOf = (determined: string, valid: string, lines: string, host = 'bazg') =>
  `<?xml version="1.0" encoding="UTF-8"?><wechselkurse xmlns="https://www.backend-rates.${host}.admin.ch/xmldaily"><datum>${determined}</datum><zeit>07:00:04</zeit><gueltigkeit>${valid}</gueltigkeit>${lines}</wechselkurse>`;
const FRIDAY = listOf('24.07.2026', '25.07.2026,26.07.2026,27.07.2026', EUR);
const PLACE = 'GET www.backend-rates.bazg.admin.ch/api/xmldaily';
const { reads, nothing, empty, refuses } = casesOf(feed, '2026-07-25..2026-07-25', PLACE, {
  today: '2026-07-30',
});
const thousands = line('huf', '1000 HUF', '2.58510') + line('idr', '10000 IDR', '0.45902');
reads('francs for one unit, from the first day on which a list is valid', {
  given: listOf('28.06.2022', '29.06.2022', EUR + line('egp', '100 EGP', '1.60858') + thousands, 'ezv'),
  rates: ['2022-06-29 EUR/CHF 0.93883, EGP/CHF 0.0160858, HUF/CHF 0.0025851, IDR/CHF 0.000045902'],
  sides: ['2022-06-29 HUF/CHF - 0.0025851'],
  asks: ['d=20220628&locale=en'],
});
reads('a list of Friday is valid from Saturday on, and known on Friday', {
  days: '2026-07-24..',
  today: '2026-07-24',
  given: [listOf('23.07.2026', '24.07.2026', EUR), FRIDAY],
  rates: ['2026-07-24 EUR/CHF 0.93883', '2026-07-25 EUR/CHF 0.93883'],
});
nothing('the list of a Friday is valid from Saturday on', undefined, '2026-07-26..2026-07-27');
reads('a holiday is answered with the list before, which is read once', {
  days: '2026-07-25..2026-07-29',
  given: FRIDAY,
  rates: ['2026-07-25 EUR/CHF 0.93883'],
  noData: ['a day without a list is answered with the one before'],
  asks: ['d=20260724', 'd=20260727', 'd=20260728'],
});
empty('a holiday alone has no rates', FRIDAY, '2026-07-28..2026-07-28');
refuses([
  ['a list of a later day', listOf('27.07.2026', '28.07.2026', EUR), /after the day asked for/],
  ['a list of a year before', listOf('24.07.2025', '25.07.2025', EUR), /other days than asked for/],
  ['a validity with a gap', listOf('24.07.2026', '25.07.2026,27.07.2026', EUR), /that is valid on/],
  ['a validity that has begun', listOf('24.07.2026', '24.07.2026,25.07.2026', EUR), /that is valid on/],
  ['a currency twice', listOf('24.07.2026', '25.07.2026', EUR + EUR), /EUR appears twice/],
  ['another unit', FRIDAY.replace('1 EUR', '10 EUR'), /not a currency, a power of ten/],
  ['no unit', FRIDAY.replace('1 EUR', 'EUR'), /not a currency, a power of ten/],
  ['codes that disagree', FRIDAY.replace('code="eur"', 'code="usd"'), /not a currency, a power of ten/],
  ['a price of zero', FRIDAY.replace('0.93883', '0.00000'), /not a currency, a power of ten/],
]);
