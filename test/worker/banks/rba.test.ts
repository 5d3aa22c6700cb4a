import { feed } from '../../../worker/banks/rba.js';
import { casesOf } from './cases.js';

const csv = (...lines: string[]) =>
  [
    '\ufeffF11.1  EXCHANGE RATES',
    'Title,A$1=USD,Trade-weighted Index May 1970 = 100,A$1=AED,A$1=SDR',
    'Units,USD,Index,AED,SDR',
    ',,,,',
    'Publication date,20-Mar-2026,20-Mar-2026,20-Mar-2026,20-Mar-2026',
    'Series ID,FXRUSD,FXRTWI,FXRUAED,FXRSDR',
    ...lines,
    ',,,,',
    '',
  ].join('\n');
const PLACE = 'GET www.rba.gov.au/statistics/tables/csv/f11.1-data.csv';
const { reads, empty } = casesOf(feed, '2026-03-18..2026-03-20', PLACE);
reads('one Australian dollar in each currency and in SDR, without the index', {
  given: csv('17-Mar-2026,0.7,61.4,,0.51', '18-Mar-2026,0.7012,61.40,,0.5131', '20-Mar-2026,0.7,61.5,2.6,'),
  rates: ['2026-03-18 AUD/USD 0.7012, AUD/XDR 0.5131', '2026-03-20 AUD/USD 0.7, AUD/AED 2.6'],
});
empty('a window after the last line is empty', csv('17-Mar-2026,0.7,61.4,,0.51'));
