import { feed } from '../../../worker/banks/boz.js';
import { type Answers, casesOf, makeXlsx } from './cases.js';

const LIST = 'GET www.boz.zm/jsonapi/node/historical_average_exchange_rate';
const PATH = '/sites/default/files/2026-09/AVERAGE_FXRATES_3.xlsx';
const FILE = `GET www.boz.zm${PATH}`;
const listOf = (url: string, id = 'b127', named = 'b127') =>
  JSON.stringify({
    data: [
      {
        type: 'node--historical_average_exchange_rate',
        relationships: { field_average_historical_file: { data: { type: 'file--file', id } } },
      },
    ],
    included: [{ type: 'file--file', id: named, attributes: { uri: { url } } }],
  });

type Row = readonly (string | number | null)[];
const NAMES: Row = [null, null, '            Dollar', null, '            Rand', null];
const LABELS: Row = [null, 'Date', 'Buy', 'Sale', 'Buy', 'Sale'];
/** Of the series: the last days of the old kwacha and the first of the new one. */
const DAYS: readonly Row[] = [
  [null, 41271, 5136.5, 5156.5, 603.5, 606.5],
  [null, 41276, 5.25, 5.3, 0.5, 0.625],
  [null, 41277, 5.125, 5.25, null, 0.625],
];
const book = (
  days: readonly Row[],
  { names = NAMES, labels = LABELS, hidden = [] as number[] } = {},
): Answers => ({
  [LIST]: listOf(PATH),
  [FILE]: makeXlsx({ ' Media Rates Series': [[], [], names, labels, ...days] }, { hidden }),
});
const { reads, empty, refuses } = casesOf(feed, '2012-12-28..2013-01-03', undefined, { today: '2013-02-01' });
reads('the middle of buying and selling, in old kwacha until 2012', {
  given: book(DAYS),
  rates: [
    '2012-12-28 USD/ZMK 5146.5, ZAR/ZMK 605',
    '2013-01-02 USD/ZMW 5.275, ZAR/ZMW 0.5625',
    '2013-01-03 USD/ZMW 5.1875',
  ],
  sides: ['2012-12-28 USD/ZMK 5136.5 5156.5'],
  skipped: { 'no rate': 1 },
  asks: ['include=field_average_historical_file&page[limit]=1&sort=-created', []],
});
const remains: Row[] = [
  [null, 41271, 3467.4, 3528.5, 551.6, 561],
  [null, 41276, 43649, 0.645, 'Stable', 'Stay Out'],
  [null, 'x', 1, 1, 1, 1],
];
reads('hidden rows are not read, be they like rates or not', {
  days: '2012-12-28..2012-12-28',
  given: book([...remains, ...DAYS], { hidden: [5, 6, 7] }),
  rates: ['2012-12-28 USD/ZMK 5146.5, ZAR/ZMK 605'],
});
reads('a text is no figure, whatever it looks like, and a note no day', {
  given: book([
    [null, 41276, '5.25', 5.3, 0.5, 0.625],
    [null, 'Source: Bank of Zambia'],
    [null, 25],
  ]),
  rates: ['2013-01-02 ZAR/ZMW 0.5625'],
  skipped: { 'a text in place of a figure': 1 },
});
empty('a window newer than the workbook is empty', book(DAYS), '2013-01-07..2013-01-08');
const list = (body: string) => ({ [LIST]: body });
refuses([
  ['a file of another host', list(listOf('//elsewhere.example/a.xlsx')), /documented form/],
  ['a list without the file it names', list(listOf(PATH, 'a', 'b')), /file of its entry is not included/],
  ['no headings', book(DAYS, { labels: LABELS.with(1, 'Day') }), /no row of the sheet/],
  ['no buying rate', book(DAYS, { labels: [null, 'Date', null, 'Sale'] }), /no row of the sheet/],
  ['no selling rate', book(DAYS, { labels: [null, 'Date', 'Buy', null] }), /no row of the sheet/],
  ['an unknown currency', book(DAYS, { names: [null, null, 'Dollar', null, 'Franc', null] }), /but "Franc"/],
  ['a pair without a name', book(DAYS, { names: [null, null, 'Dollar'] }), /but ""/],
  ['a pair turned round', book(DAYS, { labels: [...LABELS.slice(0, 4), 'Sale', 'Buy'] }), /Sale Buy, not/],
  ['half a pair', book(DAYS, { labels: LABELS.slice(0, 5) }), /Buy, not/],
  ['a sale below its buy', book([[null, 41276, 5.3, 5.25, 1, 2]]), /sale of USD is below its buy/],
  ['figures of no day', book([...DAYS, [null, null, 5, 6]]), /row 8 has figures/],
  ['a text for a day', book([...DAYS, [null, '2013-01-04', 5, 6]]), /no day but "2013-01-04"/],
  ['a number that is no day', book([...DAYS, [null, 0.645, 5, 6]]), /no day but "0.645"/],
  ['no day at all', book([]), /no records/],
]);
