import { feed } from '../../../worker/banks/bnr.js';
import { casesOf } from './cases.js';

const place = (year: number) => `GET curs.bnr.ro/files/xml/years/nbrfxrates${year}.xml`;
const xml = (cubes: string, namespace = 'https://www.bnr.ro/xsd') =>
  `<?xml version="1.0" encoding="utf-8"?>\n<DataSet xmlns="${namespace}"><Header><PublishingDate>2026-01-09</PublishingDate></Header><Body><Subject>Reference rates</Subject>${cubes}</Body></DataSet>`;
const rate = (currency: string, value: string) => `<Rate currency="${currency}">${value}</Rate>`;
const cube = (day: string, ...rates: string[]) => `<Cube date="${day}">${rates.join('')}</Cube>`;
const { reads, refuses } = casesOf(feed, '2026-01-05..2026-01-09', undefined, { today: '2026-05-22' });
reads('lei for one unit and for a troy ounce, both ends of the window included', {
  given: {
    [place(2026)]: xml(
      cube('2026-01-05', '<Rate currency="HUF" multiplier="100">1.3247</Rate>', rate('XAU', '621.3365')) +
        cube('2026-01-09', rate('XDR', '5.9')) +
        cube('2026-01-12', rate('XDR', '6')),
    ),
  },
  rates: ['2026-01-05 HUF/RON 0.013247, XAU/RON 19325.7254127', '2026-01-09 XDR/RON 5.9'],
});
reads('each year that the window touches, in both namespaces; texts that are no rates are dropped', {
  days: '2025-12-31..2026-01-02',
  given: {
    [place(2025)]: xml(
      cube('2025-12-31', rate('USD', '4.3'), rate('EUR', '-'), '<Rate currency="CHF"/>', rate('GBP', '0')),
      'http://www.bnr.ro/xsd',
    ),
    [place(2026)]: xml(''),
  },
  rates: ['2025-12-31 USD/RON 4.3'],
  count: 2,
});
reads('lei of before July 2005 are the old ones, also where the dollar says that new ones are meant', {
  given: {
    [place(2005)]: xml(
      cube('2005-06-29', rate('EUR', '36050'), rate('USD', '29891')) +
        cube('2005-06-30', rate('USD', '2.9891')) +
        cube('2005-07-01', rate('USD', '2.9886')),
    ),
  },
  rates: ['2005-06-29 EUR/ROL 36050, USD/ROL 29891', '2005-06-30 USD/ROL 29891', '2005-07-01 USD/RON 2.9886'],
});
refuses([
  ['a redirect home', { [place(2026)]: { status: 302, headers: { location: '/' } } }, /302|redirect/],
]);
