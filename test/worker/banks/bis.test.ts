import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/bis.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET stats.bis.org/api/v2/data/dataflow/BIS/WS_XRU/1.0/M...E';
const HEADER = 'DATAFLOW,FREQ,REF_AREA,CURRENCY,COLLECTION,TIME_PERIOD,OBS_VALUE,UNIT_MULT,TITLE\n';
const line = (area: string, currency: string, month: string, value: string, mult = '0') =>
  `BIS:WS_XRU(1.0),M,${area},${currency},E,${month},${value},${mult},"a, title"\n`;
const DAYS = '2025-01-31..2025-02-01';

test('the last day of each month, one area for each currency, true codes', async () => {
  const { rows, skipped, requests } = await readFeed(feed, DAYS, {
    [PLACE]:
      HEADER +
      line('BG', 'EUR', '2025-01', '0.9') +
      line('XM', 'EUR', '2025-01', '0.962186') +
      line('ST', 'STD', '2025-01', '23550.9') +
      line('MR', 'MRO', '2025-01', '396') +
      line('VE', 'VEF', '2025-01', '57.821684') +
      line('SL', 'SLL', '2025-01', '22.6082') +
      line('JP', 'JPY', '2025-01', '1.54902338', '2') +
      line('US', 'USD', '2025-01', '1') +
      line('IN', 'INR', '2025-01', 'NaN'),
  });
  expect(rows).toEqual([
    ['2025-01-31', 'USD', 'EUR', 0.962186],
    ['2025-01-31', 'USD', 'STN', 23.5509],
    ['2025-01-31', 'USD', 'MRU', 39.6],
    ['2025-01-31', 'USD', 'VES', 57.821684],
    ['2025-01-31', 'USD', 'SLE', 22.6082],
    ['2025-01-31', 'USD', 'JPY', 154.902338],
  ]);
  expect(skipped).toMatchObject({ 'no rate': 1, 'another area of the same currency': 1 });
  expect(requests[0]?.query.get('c[TIME_PERIOD]')).toBe('ge:2025-01+le:2025-01');
});

test('the ECU before the euro', async () => {
  const { rows } = await readFeed(feed, '1998-12-01..1998-12-31', {
    [PLACE]: HEADER + line('XM', 'EUR', '1998-12', '0.85'),
  });
  expect(rows).toEqual([['1998-12-31', 'USD', 'XEU', 0.85]]);
});

test('windows without observations and without a month end are empty', async () => {
  expect(await readFeed(feed, DAYS, { [PLACE]: HEADER })).toMatchObject({
    rows: [],
    noData: [expect.any(String)],
  });
  const nothing = { [PLACE]: { status: 404, body: 'No results found.' } };
  expect(await readFeed(feed, DAYS, nothing)).toMatchObject({ rows: [], noData: [expect.any(String)] });
  expect(await readFeed(feed, '2025-02-03..2025-02-05', {})).toMatchObject({
    noData: ['no month ends in the window'],
    requests: [],
  });
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['a moved service', { status: 404, body: 'gone' }, /moved/],
  [
    'a changed layout',
    `${HEADER.replace('UNIT_MULT', 'MULT')}${line('JP', 'JPY', '2025-01', '1')}`,
    /UNIT_MULT/,
  ],
  ['a month that is none', HEADER + line('JP', 'JPY', '2025-13', '1'), /not a date/],
  ['a multiplier that is none', HEADER + line('JP', 'JPY', '2025-01', '1', 'x'), /not a number/],
  ['another month', HEADER + line('JP', 'JPY', '2024-01', '1'), /other days/],
])('%s is an error', async (_, given, message) => {
  await expect(readFeed(feed, DAYS, { [PLACE]: given })).rejects.toThrow(message);
});
