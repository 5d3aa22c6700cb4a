import { feed } from '../../../worker/banks/boi.js';
import { casesOf } from './cases.js';

const HEADER = 'SERIES_CODE,BASE_CURRENCY,COUNTER_CURRENCY,UNIT_MULT,COMMENTS,TIME_PERIOD,OBS_VALUE';
const csv = (...lines: string[]) => [HEADER, ...lines, ''].join('\n');
const PLACE = 'GET edge.boi.gov.il/FusionEdgeServer/sdmx/v2/data/dataflow/BOI.STATISTICS/EXR/1.0/';
const { reads, empty, refuses, codes } = casesOf(feed, '2026-03-01..2026-03-03', PLACE);
reads('shekels for one unit, by the power of ten of each row', {
  given: csv(
    'x,USD,ILS,0,"a, b",2026-03-02,3.073',
    'x,JPY,ILS,2,,2026-03-02,1.971',
    'x,LBP,ILS,1,,2026-03-02,0.0003',
    'x,EUR,ILS,,,2026-03-03,3.5499',
  ),
  rates: ['2026-03-02 USD/ILS 3.073, JPY/ILS 0.01971, LBP/ILS 0.00003', '2026-03-03 EUR/ILS 3.5499'],
  asks: ['c[DATA_TYPE]=OF00&startperiod=2026-03-01&endperiod=2026-03-03&format=csv'],
});
codes(
  ({ day, code, price, units }) =>
    csv(`x,${code},ILS,${Math.log10(units)},,${day},${price}`, `x,CBK_L,ILS,0,,${day},4.1`),
  '1999-03-02 BEL 1.1 1 BEF/ILS 0.11',
  '1999-03-02 BEL 1.1 10 BEF/ILS 0.11',
  '1999-03-02 ATS 3.2 1 ATS/ILS 0.32',
  '1999-03-02 ESP 2.6 1 ESP/ILS 0.026',
  '1999-03-02 ITL 2.3 1 ITL/ILS 0.0023',
  '1999-03-02 ITL 2.3 1000 ITL/ILS 0.0023',
);
empty('a header alone is an empty window', csv());
empty('404 that says so is an empty window', { status: 404, body: 'No Results Found' });
empty('no value is no rate', csv('x,USD,ILS,0,,2026-03-02,', 'x,USD,ILS,0,,2026-03-02,0'));
refuses([['another 404', { status: 404, body: 'The resource cannot be found' }, /moved/]]);
