import { feed } from '../../../worker/banks/bdi.js';
import { casesOf } from './cases.js';

const csv = (...lines: [code: string, rate: string | number, day: string][]) =>
  [
    'Country,Currency,ISO Code,UIC Code,Rate,Rate convention,Reference date (CET)',
    ...lines.map(
      ([code, rate, day]) => `LAND,Coin,${code},1,${rate},Foreign currency amount for 1 Euro.,${day}`,
    ),
    '\n\n# Rates, which are cross rates, are for information.\n# No responsibility\n',
  ].join('\n');
const PLACE = 'GET tassidicambio.bancaditalia.it/terzevalute-wf-web/rest/v1.0/dailyRates';
const { reads, codes } = casesOf(feed, '2026-02-09..2026-02-09', PLACE);
reads('one euro in each currency once, weekdays only, dated by the table', {
  given: [
    csv(['XCD', '3.2092', '2026-02-06'], ['XCD', '3.2092', '2026-02-06']),
    csv(['TND', '3.377200', '2026-02-09']),
  ],
  rates: ['2026-02-06 EUR/XCD 3.2092', '2026-02-09 EUR/TND 3.3772'],
  asks: ['referenceDate=2026-02-06 & accept: text/csv & lang=en', 'referenceDate=2026-02-09'],
});
codes(
  ({ day, code, price }) => csv([code, price, day], ['USD', '1.3', day]),
  '2002-10-04 AFN 4750 1 EUR/AFA 4750',
  '2004-03-31 AFN 4750 1',
  '2004-04-01 AFN 52.9 1 EUR/AFN 52.9',
  '2008-07-31 ZWD 60 1 EUR/ZWD 60',
  '2008-08-01 ZWD 11 1 EUR/ZWR 11',
  '2009-02-03 ZWD 300 1 EUR/ZWL 300',
  '2009-02-03 BGL 1955.83 1',
  '2009-02-03 MZM 34000 1',
  '2009-02-03 VEB 2800 1',
);
reads('currencies that are not quoted, and a table without lines', {
  days: '2026-02-09..2026-02-10',
  given: [csv(['RUB', 'N.A.', '2026-02-09'], ['BYN', '', '2026-02-09'], ['USD', '0', '2026-02-09']), csv()],
  dropped: {},
});
