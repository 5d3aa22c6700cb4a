import { feed } from '../../../worker/banks/lb.js';
import { casesOf } from './cases.js';

const xml = (...inner: string[]) =>
  `<?xml version="1.0" encoding="utf-8"?>\n<FxRates xmlns="http://www.lb.lt/WebServices/FxRates">${inner.join('')}</FxRates>`;
const entry = (type: string, day: string, ...amounts: [code: string, amount: string | number][]) =>
  `<FxRate><Tp>${type}</Tp><Dt>${day}</Dt>${amounts
    .map(([code, amount]) => `<CcyAmt><Ccy>${code}</Ccy><Amt>${amount}</Amt></CcyAmt>`)
    .join('')}</FxRate>`;
const PLACE = 'GET www.lb.lt/webservices/FxRates/FxRates.asmx/getFxRates';
const { reads, refuses, codes } = casesOf(feed, '2014-12-29..2014-12-29', PLACE);
reads('litas for one unit to the end of 2014, then one euro in each currency; no weekends', {
  given: [
    xml(entry('LT', '2014-12-31', ['LTL', '7.6881'], ['AED', '10'])),
    // A holiday: the rates of an earlier day.
    xml(entry('EU', '2014-12-31', ['EUR', '1'], ['AUD', '1.4829'])),
    xml(),
    xml(entry('EU', '2015-01-05', ['EUR', '1'], ['USD', '1.1915'])),
  ],
  rates: ['2014-12-31 AED/LTL 0.76881, EUR/AUD 1.4829', '2015-01-05 EUR/USD 1.1915'],
  asks: ['tp=LT & dt=2014-12-31', 'tp=EU & dt=2015-01-01', 'tp=EU & dt=2015-01-02', 'tp=EU & dt=2015-01-05'],
});
codes(
  ({ day, code, price, units }) =>
    xml(entry('LT', day, ['LTL', price], [code, units]), entry('LT', day, ['LTL', 4], ['USD', 1])),
  '2006-01-05 AZN 6.2 10000 AZM/LTL 0.00062',
  '2006-01-06 AZN 6.2 10000 AZM/LTL 0.00062',
  '2006-01-06 AZN 3.1 1 AZN/LTL 3.1',
  '2006-01-09 AZN 3.1 1 AZN/LTL 3.1',
  '2006-01-06 TMT 5.5 10000 TMM/LTL 0.00055',
  '2008-12-31 TMT 1.7 10000 TMM/LTL 0.00017',
  '1994-12-30 PLN 1.64 10000 PLZ/LTL 0.000164',
  '1995-01-03 PLN 1.64 1 PLN/LTL 1.64',
  '1997-12-31 RUB 6.7 10000 RUR/LTL 0.00067',
  '1999-07-02 BGN 2.1 1000 BGL/LTL 0.0021',
  '1999-07-07 BGN 2.1 1 BGN/LTL 2.1',
  '2005-07-01 RON 0.95 10000 ROL/LTL 0.000095',
  '2006-06-30 MZN 1.1 10000 MZM/LTL 0.00011',
  '2006-07-07 MZN 1.1 10000',
  '1994-08-19 BYR 0.02 100 BYB/LTL 0.002',
  '1994-08-22 BYR 0.2 100 BYB/LTL 0.002',
  '2000-01-03 BYR 1.25 1000 BYR/LTL 0.00125',
  '1998-07-06 YUN 0.37 1 YUM/LTL 0.37',
  '1995-09-28 GER 0.88 1000',
  '1995-07-10 TJR 0.88 1000',
  '1995-07-11 TJR 0.07 1000 TJR/LTL 0.00007',
  '1995-11-29 TMM 0.88 1000',
  '1995-11-30 TMM 0.02 1000 TMM/LTL 0.00002',
);
reads('incomplete entries and those of other than two amounts are no rates, and counted', {
  given: xml(
    entry('LT', '2014-12-29', ['LTL', '1']),
    entry('LT', '2014-12-29', ['LTL', '1'], ['USD', '1'], ['GBP', '1']),
    entry('LT', '', ['LTL', '1'], ['USD', '1']),
    entry('LT', '2014-12-29', ['LTL', ''], ['USD', '1']),
    entry('LT', '2014-12-29', ['LTL', '2.8'], ['USD', '1']),
  ),
  rates: ['2014-12-29 USD/LTL 2.8'],
  dropped: { malformed: 3 },
});
const refusal = '<OprlErr><Err><Prtry>102</Prtry></Err><Desc>Wrong date</Desc></OprlErr>';
const day = (...amounts: [string, string][]) => xml(entry('LT', '2014-12-29', ...amounts));
refuses([
  ['a refusal', xml(refusal), /error 102: Wrong date/],
  ['a foreign currency in the first place', day(['USD', '1'], ['LTL', '2.8']), /0 of 1 records give a rate/],
]);
