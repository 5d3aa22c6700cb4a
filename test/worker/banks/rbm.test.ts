import { feed } from '../../../worker/banks/rbm.js';
import { casesOf, htmlRow } from './cases.js';

const date = (day: string, year = '2024') =>
  `<span style=''>${day}&nbsp;&nbsp;</span><span style=''>${year}</span>`;
const HEADINGS = ['Currency', 'Buying', 'Middle', 'Selling', 'Date'];
const table = (rows: string[][], id = 'id="exchange-rates"') =>
  `<div><table ${id} style="display: none"><thead>${htmlRow(HEADINGS, 'th')}</thead><tbody>${rows.map((cells) => htmlRow(cells)).join('')}</tbody></table></div>`;
const row = (code: string, middle: string, day = date('Jan 02'), buying = '1.0', selling = '9.0') => [
  ...[`<strong>\n ${code}\n </strong>`, buying, middle, selling, day],
];
const PLACE = 'POST www.rbm.mw/Statistics/ExchangeRatesFilter/';
const { reads } = casesOf(feed, '2024-01-02..2024-01-05', PLACE);
reads('the middle in kwachas for one unit; CMD and the Irish pound are no currency', {
  given: table([
    HEADINGS,
    row('AED', '458.3832', undefined, '453.8538', '462.9125'),
    row('USD', '1,683.3663', date('Jan 03')),
    row('SDR', '2,258.5213'),
    row('CMD', '1,683.3663'),
    row('IEP', '2,300.1'),
    row('ZAR', ''),
    row('ZMW', '65.4', date('Feb 30')),
    row('Total', '65.4'),
    ['no', 'rate'],
  ]),
  rates: ['2024-01-02 AED/MWK 458.3832', '2024-01-03 USD/MWK 1683.3663', '2024-01-02 XDR/MWK 2258.5213'],
  sides: ['2024-01-02 AED/MWK 453.8538 462.9125'],
  dropped: { 'unknown-currency': 2, 'after-end': 1, malformed: 3 },
  asks: ['RateTypes=&StartDate=01%2F02%2F2024&EndDate=01%2F05%2F2024'],
});
reads('a table that lost its name is read all the same', {
  given: table([row('AED', '458.3832')], ''),
  rates: ['2024-01-02 AED/MWK 458.3832'],
});
reads('no more than 30 days a request, and a table without rows is a window without rates', {
  days: '2024-01-01..2024-02-15',
  given: table([]),
  asks: ['EndDate=01/30/2024', 'EndDate=02/15/2024'],
});
