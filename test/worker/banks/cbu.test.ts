import { feed } from '../../../worker/banks/cbu.js';
import { casesOf, formatDate } from './cases.js';

const place = (day: string) => `GET cbu.uz/en/arkhiv-kursov-valyut/json/all/${day}/`;
const list = (...rows: [string, string, string, string][]) =>
  JSON.stringify(rows.map(([Ccy, Nominal, Rate, day]) => ({ id: 1, Ccy, Nominal, Rate, Date: day })));
const friday = (given: string) => ({ [place('2026-04-03')]: given });
const { reads, empty, codes } = casesOf(feed, '2026-04-03..2026-04-03');
reads('soum for one unit, one request a weekday, under the date of the answer', {
  days: '2026-04-03..2026-04-06',
  given: {
    ...friday(list(['VND', '10', '4.63', '03.04.2026'], ['USD', '1', '12194.21', '03.04.2026'])),
    [place('2026-04-06')]: list(['USD', '1', '12194.21', '03.04.2026'], ['EUR', '0', '1', '06.04.2026']),
  },
  rates: ['2026-04-03 VND/UZS 0.463, USD/UZS 12194.21'],
  count: 2,
});
codes(
  ({ day, code, price, units }) => ({
    [place(day)]: list([code, String(units), String(price), formatDate(day, 'DD.MM.YYYY')]),
  }),
  '2007-12-31 SDR 2040 1 XDR/UZS 2040',
  '2005-01-04 TRL 780 1 TRY/UZS 780',
  '2004-12-31 TRL 0.00078 1 TRL/UZS 0.00078',
  '1997-12-31 RUB 0.0134 1 RUR/UZS 0.0134',
  '1998-01-05 RUB 0.0134 1',
  '1998-01-06 RUB 13.4 1 RUB/UZS 13.4',
);
empty('an empty list is a day without rates', friday('[]'));
