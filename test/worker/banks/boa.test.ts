import { feed } from '../../../worker/banks/boa.js';
import { casesOf, makeXlsx } from './cases.js';

const PAGE = 'GET www.bank-of-algeria.dz/donnees-historiques/';
const PATH = '/stoodroa/2026/05/Cotation-DZD-2000-2026-journalier.xlsx';
const page = `<a href="/stoodroa/2026/05/autre.pdf">PDF</a><a href="https://www.bank-of-algeria.dz${PATH}">Cotation DZD</a>`;
type Rows = readonly (number | string | null)[][];
const sheet = (title: string, ...days: Rows) => [[null], [`${title} / DZD`], [null], ...days];
const book = (sheets: Record<string, Rows>) => ({ [PAGE]: page, [`GET ${PATH}`]: makeXlsx(sheets) });
const { reads, refuses } = casesOf(feed, '2026-04-29..2026-04-30');
reads('dinars for one unit, by the names of the sheets', {
  given: book({
    'EURO - DZD': sheet('EURO', [46140, 154.1], [46141, 154.5], [46142, 154.7637]),
    'JPY - DZD': sheet('100 JPY', [46141, 83.0386], [46142, null]),
    'USD - DZD': sheet('USD', [46141, 132.1], [46142, 0], ['note', 1]),
  }),
  rates: [
    '2026-04-29 EUR/DZD 154.5',
    '2026-04-30 EUR/DZD 154.7637',
    '2026-04-29 JPY/DZD 0.830386, USD/DZD 132.1',
  ],
});
reads('the ouguiya is the new one from 2018 on where its price is ten times as high', {
  days: '2017-12-31..2018-06-27',
  given: book({
    'MRO - DZD': sheet('MRO', [43100, 0.325], [43102, 0.3942], [43277, 0.40355], [43278, 4.04]),
  }),
  rates: ['2017-12-31 MRO/DZD 0.325', '2018-06-27 MRU/DZD 4.04'],
  dropped: { 'after-end': 2 },
});
refuses([
  ['a workbook in another layout', book({ 'USD - DZD': [['Date', 'Cours']] }), /USD - DZD has no title that/],
]);
