import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/boi.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET edge.boi.gov.il/FusionEdgeServer/sdmx/v2/data/dataflow/BOI.STATISTICS/EXR/1.0/';
const HEADER = 'SERIES_CODE,BASE_CURRENCY,COUNTER_CURRENCY,UNIT_MULT,COMMENTS,TIME_PERIOD,OBS_VALUE';
const csv = (...lines: string[]) => [HEADER, ...lines, ''].join('\n');
const DAYS = '2026-03-01..2026-03-03';

test('shekels for one unit, by the power of ten of each row', async () => {
  const { rows, requests } = await readFeed(feed, DAYS, {
    [PLACE]: csv(
      'x,USD,ILS,0,"a, b",2026-03-02,3.073',
      'x,JPY,ILS,2,,2026-03-02,1.971',
      'x,LBP,ILS,1,,2026-03-02,0.0003',
      'x,EUR,ILS,,,2026-03-03,3.5499',
    ),
  });
  expect(rows).toEqual([
    ['2026-03-02', 'USD', 'ILS', 3.073],
    ['2026-03-02', 'JPY', 'ILS', 0.01971],
    ['2026-03-02', 'LBP', 'ILS', 0.00003],
    ['2026-03-03', 'EUR', 'ILS', 3.5499],
  ]);
  expect(Object.fromEntries(requests[0]?.query ?? [])).toEqual({
    'c[DATA_TYPE]': 'OF00',
    startperiod: '2026-03-01',
    endperiod: '2026-03-03',
    format: 'csv',
  });
});

test.each([
  ['a header alone', csv()],
  ['404 that says so', { status: 404, body: 'No Results Found' }],
  ['rows without a value', csv('x,USD,ILS,0,,2026-03-02,', 'x,USD,ILS,0,,2026-03-02,0')],
])('%s gives no rows', async (_, answer) => {
  expect((await readFeed(feed, DAYS, { [PLACE]: answer })).rows).toEqual([]);
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['another 404', { status: 404, body: 'The resource cannot be found' }, /moved/],
  ['a header without its columns', 'BASE_CURRENCY,DAY,OBS_VALUE\nUSD,2026-03-02,3\n', /TIME_PERIOD/],
  ['a value that is no number', csv('x,USD,ILS,0,,2026-03-02,x'), /not a number/],
  ['a multiplier that is no number', csv('x,USD,ILS,units,,2026-03-02,3'), /not a number/],
  ['another date', csv('x,USD,ILS,0,,2026-03,3'), /not a date/],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, DAYS, { [PLACE]: answer })).rejects.toThrow(message);
});
