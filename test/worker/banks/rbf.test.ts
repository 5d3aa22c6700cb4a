import { feed } from '../../../worker/banks/rbf.js';
import { type Answer, casesOf, makeXlsx } from './cases.js';

const FILE = '/wp-content/uploads/2026/05/8.8-Exchange-Rates-Daily-9.xlsx';
const page = `<a href="https://www.rbf.gov.fj/wp-content/uploads/2026/05/8.7-Exchange-Rates-Monthly.xlsx">monthly</a>
  <a href="https://www.rbf.gov.fj${FILE}">daily</a>`;
const sheet = (...rows: (string | number | null)[][]) =>
  makeXlsx({ 'Exchange Rates': [['DAILY EXCHANGE RATES'], [null], ...rows], Sheet2: [] });
const header = [null, ' US$', 'YEN', 'NOTE'];
const { reads } = casesOf(feed, '2026-05-18..2026-05-19', (book: Answer) => ({
  'GET www.rbf.gov.fj/statistics/economic-and-financial-statistics/': page,
  [`GET ${FILE}`]: book,
}));
reads('what one Fiji dollar costs, by the labels of the columns', {
  given: sheet(header, ['source: RBF'], [46160, 0.4502, 71.58, 9], [46161, null, 71.6], [46162, 0.45, 71.7]),
  rates: ['2026-05-18 FJD/USD 0.4502, FJD/JPY 71.58', '2026-05-19 FJD/JPY 71.6'],
});
