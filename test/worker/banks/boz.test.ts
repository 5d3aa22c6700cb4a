import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/boz.js';
import { type Answer, blockedPage, makeXlsx, readFeed } from '../feeds/support.js';

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

function read(
  days: readonly Row[],
  {
    names = NAMES,
    labels = LABELS,
    hidden = [] as number[],
    asked = '2012-12-28..2013-01-03',
    today = '2013-02-01',
  } = {},
) {
  const workbook = makeXlsx({ ' Media Rates Series': [[], [], names, labels, ...days] }, { hidden });
  return readFeed(feed, asked, { [LIST]: listOf(PATH), [FILE]: workbook }, { today });
}

test('the middle of buying and selling, in old kwacha until 2012', async () => {
  const { rows, skipped, requests } = await read(DAYS);
  expect(rows).toEqual([
    ['2012-12-28', 'USD', 'ZMK', 5146.5],
    ['2012-12-28', 'ZAR', 'ZMK', 605],
    ['2013-01-02', 'USD', 'ZMW', 5.275],
    ['2013-01-02', 'ZAR', 'ZMW', 0.5625],
    ['2013-01-03', 'USD', 'ZMW', 5.1875],
  ]);
  expect(skipped).toEqual({ 'no rate': 1 });
  expect(Object.fromEntries(requests[0]?.query ?? [])).toEqual({
    include: 'field_average_historical_file',
    'page[limit]': '1',
    sort: '-created',
  });
});

test('hidden rows are not read, be they like rates or not', async () => {
  const remains: Row[] = [
    [null, 41271, 3467.4, 3528.5, 551.6, 561],
    [null, 41276, 43649, 0.645, 'Stable', 'Stay Out'],
    [null, 'x', 1, 1, 1, 1],
  ];
  const { rows } = await read([...remains, ...DAYS], { hidden: [5, 6, 7], asked: '2012-12-28..2012-12-28' });
  expect(rows).toEqual([
    ['2012-12-28', 'USD', 'ZMK', 5146.5],
    ['2012-12-28', 'ZAR', 'ZMK', 605],
  ]);
});

test('a text is no figure, whatever it looks like, and a note no day', async () => {
  const { rows, skipped } = await read([
    [null, 41276, '5.25', 5.3, 0.5, 0.625],
    [null, 'Source: Bank of Zambia'],
    [null, 25],
  ]);
  expect(rows).toEqual([['2013-01-02', 'ZAR', 'ZMW', 0.5625]]);
  expect(skipped).toEqual({ 'a text in place of a figure': 1 });
});

test('a day ahead of the download is dropped', async () => {
  const { rows, dropped } = await read(
    [
      [null, 41276, 5.25, 5.3, 0.5, 0.625],
      [null, 41300, 5, 6, 1, 2],
    ],
    {
      asked: '2013-01-02..2013-02-01',
      today: '2013-01-03',
    },
  );
  expect(rows.map(([date]) => date)).toEqual(['2013-01-02', '2013-01-02']);
  expect(dropped).toEqual({ future: 2 });
});

test('a window newer than the workbook is empty', async () => {
  expect((await read(DAYS, { asked: '2013-01-07..2013-01-08' })).rows).toEqual([]);
});

test.each<[string, Answer, Answer, RegExp]>([
  ['a page for the list', blockedPage, '', /HTML page/],
  ['a list without an entry', '{"data":[],"included":[]}', '', /documented form at data/],
  ['a list without the file', '{"data":[{"relationships":{}}],"included":[]}', '', /documented form/],
  ['a list without the file it names', listOf(PATH, 'a', 'b'), '', /file of its entry is not included/],
  ['a file of another host', listOf('//elsewhere.example/a.xlsx'), '', /documented form/],
  ['a list that is refused', { status: 403, body: '' }, '', /status 403/],
  ['a page for the workbook', listOf(PATH), blockedPage, /no workbook/],
  ['a workbook that has gone', listOf(PATH), { status: 404, body: '' }, /status 404/],
])('%s is an error', async (_, list, workbook, message) => {
  await expect(readFeed(feed, '2013-01-02..2013-01-03', { [LIST]: list, [FILE]: workbook })).rejects.toThrow(
    message,
  );
});

test.each<[string, { days?: Row[]; names?: Row; labels?: Row }, RegExp]>([
  ['no headings', { labels: [null, 'Day', 'Buy', 'Sale', 'Buy', 'Sale'] }, /no row of the sheet/],
  ['an unknown currency', { names: [null, null, 'Dollar', null, 'Franc', null] }, /but "Franc"/],
  ['a pair without a name', { names: [null, null, 'Dollar'] }, /but ""/],
  ['a pair the other way round', { labels: [null, 'Date', 'Buy', 'Sale', 'Sale', 'Buy'] }, /Sale Buy, not/],
  ['half a pair', { labels: [null, 'Date', 'Buy', 'Sale', 'Buy'] }, /Buy, not/],
  ['sales below buys', { days: [[null, 41276, 5.3, 5.25, 1, 2]] }, /sale of USD is below its buy/],
  ['figures of no day', { days: [...DAYS, [null, null, 5, 6]] }, /row 8 has figures/],
  ['a text for a day', { days: [...DAYS, [null, '2013-01-04', 5, 6]] }, /no day but "2013-01-04"/],
  ['a number that is no day', { days: [...DAYS, [null, 0.645, 5, 6]] }, /no day but "0.645"/],
  ['no rate at all', { days: [[null, 41276, null, 5.3, 'a', 1]] }, /0 of 2 records|archive without a rate/],
  ['no day at all', { days: [] }, /no records/],
])('a workbook with %s is an error', async (_, { days = [...DAYS], ...form }, message) => {
  await expect(read(days, form)).rejects.toThrow(message);
});
