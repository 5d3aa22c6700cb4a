import { feed } from '../../../worker/banks/nbu.js';
import { casesOf, formatDate } from './cases.js';

const list = (...rates: [date: string, code: string, price: number | undefined, units?: number][]) =>
  JSON.stringify(
    rates.map(([exchangedate, cc, rate, units]) => ({ exchangedate, cc, rate, units, special: null })),
  );
const PLACE = 'GET bank.gov.ua/NBU_Exchange/exchange_site';
const { reads, empty, codes } = casesOf(feed, '2026-03-06..2026-03-09', PLACE);
reads('hryvnias for one unit, without what repeats on weekends', {
  given: list(
    ['06.03.2026', 'JPY', 2.7646, 10],
    ['06.03.2026', 'XAU', 223573.57],
    ['07.03.2026', 'JPY', 2.7646, 10],
    ['09.03.2026', 'USD', 0, 1],
  ),
  rates: ['2026-03-06 JPY/UAH 0.27646, XAU/UAH 223573.57'],
  asks: ['start=20260306 & json='],
});
reads('a Saturday that is a working day has rates of its own, which the Sunday repeats', {
  given: list(
    ['06.03.2026', 'JPY', 2.7646, 10],
    ['06.03.2026', 'USD', 43.8069],
    ['07.03.2026', 'JPY', 2.7646, 10],
    ['07.03.2026', 'USD', 43.9],
    ['08.03.2026', 'USD', 43.9],
  ),
  rates: ['2026-03-06 JPY/UAH 0.27646, USD/UAH 43.8069', '2026-03-07 USD/UAH 43.9'],
});
codes(
  ({ day, code, price, units }) => list([formatDate(day, 'DD.MM.YYYY'), code, price, units]),
  '1998-01-02 RUR 3.2 10 RUB/UAH 0.32',
  '1999-08-02 BGL 2.3 1 BGN/UAH 2.3',
  '2000-01-04 BGL 268 1000 BGN/UAH 2.68',
  '2005-01-06 TRL 393 10000 TRY/UAH 3.93',
  '2005-01-05 TRL 0.038 10000 TRL/UAH 0.0000038',
  '2005-07-01 ROL 170 10000 RON/UAH 1.7',
  '2006-01-06 AZM 550 10000 AZN/UAH 5.5',
  '2009-01-06 TMM 270 10000 TMT/UAH 2.7',
  '2000-10-27 TJS 3.4 1000 TJR/UAH 0.0034',
  '2000-10-30 TJS 2.4 1 TJS/UAH 2.4',
  '2000-11-01 ZAL 2.4 1 TJS/UAH 2.4',
);
empty('an empty list is an empty window', '[]', '2026-03-07..2026-03-08');
