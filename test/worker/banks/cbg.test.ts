import { feed } from '../../../worker/banks/cbg.js';
import { type Answer, casesOf } from './cases.js';

const CODES =
  'USD EUR GBP CHF SEK CAD XOF NOK DKK SAR JPY AUD TWD LKR THB PHP NZD AED KWD NGN HKD ZAR EGP CNY BRL INR GHS SLL TRY GNF XDR SGD'.split(
    ' ',
  );
const bank = (series: Record<string, Answer>) =>
  Object.fromEntries(
    CODES.map((code) => [`GET www.cbg.gm/ajax/indicative-exchange-rates/${code}`, series[code] ?? '[]']),
  );
/** Midnight of a day of May 2026, and prices. */
const points = (...list: [day: number, ...unknown[]][]) =>
  JSON.stringify(list.map(([day, ...more]) => [Date.UTC(2026, 4, day), ...more]));
const { reads, nothing, codes } = casesOf(feed, '2026-05-21..2026-05-22', bank);
reads('dalasi for one unit, the first of two prices of a day', {
  given: {
    USD: points([22, 72.39], [22, 70], [21, 0], [20, 72.41]),
    XOF: points([22, 646.22]),
    JPY: points([22, 45.47], [21, null], [21]),
  },
  rates: ['2026-05-22 USD/GMD 72.39, XOF/GMD 0.129244, JPY/GMD 0.4547'],
  count: 32,
});
reads('a price cut at its thousands comma is malformed', {
  given: { DKK: points([22, 1], [21, 1012.5]) },
  rates: ['2026-05-21 DKK/GMD 10.125'],
  dropped: { malformed: 1 },
});
codes(
  ({ day, code, price }) => ({ [code]: JSON.stringify([[Date.parse(day), price]]) }),
  '2022-06-01 SLL 0.01 1 SLL/GMD 0.01',
  '2022-07-04 SLL 0.01 1',
  '2022-07-12 SLL 4.11 1 SLE/GMD 4.11',
);
nothing('a currency without rates has an empty series', {});
