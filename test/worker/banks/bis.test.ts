import { feed } from '../../../worker/banks/bis.js';
import { casesOf } from './cases.js';

const HEADER = 'DATAFLOW,FREQ,REF_AREA,CURRENCY,COLLECTION,TIME_PERIOD,OBS_VALUE,UNIT_MULT,TITLE\n';
const line = (area: string, currency: string, value: string, month = '2025-01', mult = '0') =>
  `BIS:WS_XRU(1.0),M,${area},${currency},E,${month},${value},${mult},"a, title"\n`;
const PLACE = 'GET stats.bis.org/api/v2/data/dataflow/BIS/WS_XRU/1.0/M...E';
const { reads, nothing, refuses } = casesOf(feed, '2025-01-31..2025-02-01', PLACE);
const printed = [
  ...['BG EUR 0.9', 'XM EUR 0.962186', 'ST STD 23550.9', 'MR MRO 396', 'VE VEF 57.821684', 'SL SLL 22.6082'],
  ...['US USD 1', 'IN INR NaN'],
];
const yen = line('JP', 'JPY', '1.54902338', '2025-01', '2');
const others = 'USD/VES 57.821684, USD/SLE 22.6082, USD/JPY 154.902338';
reads('the last day of each month, one area for each currency, true codes', {
  given: HEADER + printed.map((one) => line(...(one.split(' ') as [string, string, string]))).join('') + yen,
  rates: [`2025-01-31 USD/EUR 0.962186, USD/STN 23.5509, USD/MRU 39.6, ${others}`],
  skipped: { 'no rate': 1, 'another area of the same currency': 1, 'the dollar itself': 1 },
  asks: ['c[TIME_PERIOD]=ge:2025-01+le:2025-01 & accept: application/vnd.sdmx.data+csv;version=1.0.0'],
});
reads('the ECU before the euro', {
  days: '1998-12-01..1998-12-31',
  given: HEADER + line('XM', 'EUR', '0.85', '1998-12'),
  rates: ['1998-12-31 USD/XEU 0.85'],
});
nothing('a window without observations has the headings alone', HEADER);
nothing('404 in the words of SDMX for a window without observations', {
  status: 404,
  body: 'No results found.',
});
nothing('no month ends in the window', undefined, '2025-02-03..2025-02-05');
refuses([['a moved service', { status: 404, body: 'gone' }, /moved/]]);
