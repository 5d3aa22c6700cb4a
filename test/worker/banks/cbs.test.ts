import { feed } from '../../../worker/banks/cbs.js';
import { type Answer, casesOf, makeXlsx } from './cases.js';

const PAGE = 'GET cbs.gov.ws/daily-exchange-rates';
const PATH = '/media/Historical Daily Rates-220626.XLSX';
const page = `<a href="/media/report.pdf">Report</a> <a class='x' href='${PATH}'>Historical</a>`;
const file = (answer: Answer) => ({ [PAGE]: page, [`GET ${PATH}`]: answer });
const book = (sheets: Parameters<typeof makeXlsx>[0]) => file(makeXlsx(sheets));
const { reads, refuses } = casesOf(feed, '2026-01-12..2026-01-13');
reads('what one tala costs, month under month', {
  days: '2026-01-12..2026-02-12',
  given: book({
    '2026': [
      [null, 'JANUARY'],
      [null, 'DATE', 'TALA/USD', 'TALA/YEN', 'REMARKS', 'TALA/CNH'],
      [null, 46034, 0.35933, 57.83624, 7, 2.52573],
      [null, 46035, 'n/a', 0, null, null, null, 46035],
      [null, 'FEBRUARY '],
      [null, 'Date', 'TALA/CNH', 'Tala/Usd'],
      // The twelfth of February, dated January.
      [null, 46034, 0.1, 0.37157],
      [null, 46062, 2.5, 0.37],
      [null, 12, 1, 1],
      [null, 'Sept qtr avg', 0.37],
    ],
  }),
  rates: [
    '2026-01-12 WST/USD 0.35933, WST/JPY 57.83624, WST/CNH 2.52573',
    '2026-02-09 WST/CNH 2.5, WST/USD 0.37',
  ],
});
const labels = ['DATE', 'US/TALA', 'NZ/TALA', 'AUS/TALA', 'EUR/TALA', 'YEN/TALA'];
reads('the labels of 2009 to 2012 mean the same, and the dates count, not the names of sheets', {
  given: book({
    '2011': [
      [null, 'JANUARY'],
      [null, ...labels],
      [null, 39818, 0.34554, 0.6, 0.5, 0.25, 32],
    ],
  }),
  rates: ['2009-01-05 WST/USD 0.34554, WST/NZD 0.6, WST/AUD 0.5, WST/EUR 0.25, WST/JPY 32'],
});
const elsewhere = (link: string) =>
  [`a workbook at ${link}`, { [PAGE]: `<a href="${link}">Historical</a>` }, /none of its 1 links/] as const;
refuses([
  ['days without a head', book({ A: [[null, 46034, 0.4]] }), /no records that hold a rate/],
  elsewhere('http://169.254.169.254/a.xlsx'),
  elsewhere('//127.0.0.1/a.xlsx'),
  elsewhere('/\\127.0.0.1/a.xlsx'),
  elsewhere('file:///a.xlsx'),
]);
