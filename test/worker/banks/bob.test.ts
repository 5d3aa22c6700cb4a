import { feed } from '../../../worker/banks/bob.js';
import { casesOf } from './cases.js';

const csv = (...lines: string[]) => ['\ufeffDate,CHN,EUR,SDR,YEN', ...lines].join('\n');
const PLACE = 'GET www.bankofbotswana.bw/export/exchange-rates.csv';
const { reads, refuses } = casesOf(feed, '2019-08-12..2019-08-14', PLACE);
reads('one pula in each currency; of a day that comes twice the first counts', {
  given: csv(
    '"13 Aug 2019",0.6375,0.0807,0.0656,9.5700',
    '"14 Aug 2019",0.6300,,0.0655,9.6000',
    '"13 Aug 2019",0.7000,0.9000,1.0000,1.0000',
  ),
  rates: ['2019-08-13 BWP/CNY 0.6375, BWP/EUR 0.0807, BWP/JPY 9.57', '2019-08-14 BWP/CNY 0.63, BWP/JPY 9.6'],
  asks: ['page=&_format=csv'],
});
reads('columns may be missing', {
  given: 'Date,ZAR\n"13 Aug 2019",1.3900',
  rates: ['2019-08-13 BWP/ZAR 1.39'],
});
refuses([
  ['a file of the SDR alone', 'Date,SDR\n"13 Aug 2019",0.08', /0 of 1 records give a rate; \d the SDR/],
]);
