import { feed } from '../../../worker/banks/nb.js';
import { casesOf } from './cases.js';

const csv = (...lines: string[]) =>
  ['FREQ,BASE_CUR,QUOTE_CUR,TENOR,UNIT_MULT,TIME_PERIOD,OBS_VALUE', ...lines, ''].join('\n');
const none = '{"errors":[{"code":404,"message":"No data for the query"}]}';
const PLACE = 'GET data.norges-bank.no/api/data/EXR/B..NOK.SP';
const { reads, empty, refuses } = casesOf(feed, '2026-03-16..2026-03-17', PLACE);
reads('kroner for one unit, by the power of ten of each row, without the indices', {
  given: csv(
    'B,CHF,NOK,SP,2,2026-03-16,1233.16',
    'B,USD,NOK,SP,0,2026-03-16,9.7',
    'B,XDR,NOK,SP,,2026-03-17,13.2',
    'B,I44,NOK,SP,0,2026-03-16,117.1',
    'B,TWI,NOK,SP,0,2026-03-16,110',
    'M,USD,NOK,SP,0,2026-03,9.9',
  ),
  rates: ['2026-03-16 CHF/NOK 12.3316, USD/NOK 9.7', '2026-03-17 XDR/NOK 13.2'],
  asks: ['format=csvdata&startPeriod=2026-03-16&endPeriod=2026-03-17'],
});
empty('404 that says so is an empty window', { status: 404, body: none });
empty('blanks are no rates', csv('B,USD,NOK,SP,0,2026-03-16,', 'B,USD,NOK,SP,0,2026-03-17,NaN'));
reads('a long window goes in years; a header alone is an empty one', {
  days: '2025-01-01..2026-01-01',
  given: csv(),
  asks: ['endPeriod=2025-12-31', 'endPeriod=2026-01-01'],
});
refuses([['another 404', { status: 404, body: 'Dataset not found' }, /moved/]]);
