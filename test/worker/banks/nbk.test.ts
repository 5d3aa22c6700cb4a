import { providerOf } from '../../../core/domain/providers.js';
import { feed } from '../../../worker/banks/nbk.js';
import { casesOf, formatDate } from './cases.js';

const item = (title: string, quant: string | number, description: string | number) =>
  `<item><fullname>ВОН</fullname><title>${title}</title><description>${description}</description><quant>${quant}</quant><index>DOWN</index><change>-0.47</change></item>`;
const xml = (...inner: string[]) =>
  `<?xml version="1.0" encoding="utf-8"?>\n<rates><title>Official exchange rates</title><description>x</description>${inner.join('')}</rates>`;
const day = (date: string) => `<date>${date}</date>`;
const PLACE = 'GET nationalbank.kz/rss/get_rates.cfm';
const { reads, empty, refuses, codes } = casesOf(feed, '2026-04-03..2026-04-03', PLACE);
reads('tenge for one unit, by the nominal of each item and the date of the answer; no weekends', {
  days: '2026-04-03..2026-04-06',
  given: [
    xml(
      day('03.04.2026'),
      item('KRW', '100', '31.29'),
      item('IRR', '1000', '0.4'),
      item('USD', '1', '478.77'),
    ),
    xml(day('04.04.2026'), item('USD', '1', '480')),
  ],
  rates: ['2026-04-03 KRW/KZT 0.3129, IRR/KZT 0.0004, USD/KZT 478.77', '2026-04-04 USD/KZT 480'],
  asks: ['fdate=03.04.2026', 'fdate=06.04.2026'],
});
reads('the archive begins on 1999-11-17, and its quantities count from there on', {
  days: `${providerOf(feed.key)?.coverage_start}..1999-11-17`,
  today: '2026-04-03',
  given: xml(day('17.11.1999'), item('USD', '1', '138.2'), item('ITL', '1000', '73.64')),
  rates: ['1999-11-17 USD/KZT 138.2, ITL/KZT 0.07364'],
  asks: ['fdate=17.11.1999'],
});
codes(
  ({ day: date, code, price, units }) =>
    xml(day(formatDate(date, 'DD.MM.YYYY')), item(code, units, price), item('USD', 1, 340)),
  '1999-12-30 BYN 0.43 1000 BYB/KZT 0.00043',
  '1999-12-30 BYR 0.43 1000 BYB/KZT 0.00043',
  '2000-01-05 BYR 0.43 1 BYR/KZT 0.43',
  '2016-06-30 BYN 1.68 100 BYR/KZT 0.0168',
  '2016-07-01 BYN 1.68 100',
  '2016-07-04 BYN 170.73 1 BYN/KZT 170.73',
);
empty('a day without items is empty', xml(day('03.04.2026')));
const odd = '<item><title>USD</title><rate>480</rate></item>';
refuses([
  ['an answer without its date', xml(item('USD', '1', '480')), /no date/],
  ['items of another form', xml(day('03.04.2026'), odd), /0 of 1 records give a rate/],
]);
