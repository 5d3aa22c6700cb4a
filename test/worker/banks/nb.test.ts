import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/nb.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET data.norges-bank.no/api/data/EXR/B..NOK.SP';
const csv = (...lines: string[]) =>
  ['FREQ,BASE_CUR,QUOTE_CUR,TENOR,UNIT_MULT,TIME_PERIOD,OBS_VALUE', ...lines, ''].join('\n');
const DAYS = '2026-03-16..2026-03-17';

test('kroner for one unit, by the power of ten of each row, without the indices', async () => {
  const { rows, requests } = await readFeed(feed, DAYS, {
    [PLACE]: csv(
      'B,CHF,NOK,SP,2,2026-03-16,1233.16',
      'B,USD,NOK,SP,0,2026-03-16,9.7',
      'B,XDR,NOK,SP,,2026-03-17,13.2',
      'B,I44,NOK,SP,0,2026-03-16,117.1',
      'B,TWI,NOK,SP,0,2026-03-16,110',
      'M,USD,NOK,SP,0,2026-03,9.9',
    ),
  });
  expect(rows).toEqual([
    ['2026-03-16', 'CHF', 'NOK', 12.3316],
    ['2026-03-16', 'USD', 'NOK', 9.7],
    ['2026-03-17', 'XDR', 'NOK', 13.2],
  ]);
  expect(requests[0]?.query.toString()).toBe('format=csvdata&startPeriod=2026-03-16&endPeriod=2026-03-17');
});

test.each([
  ['a header alone', csv()],
  ['404 that says so', { status: 404, body: '{"errors":[{"code":404,"message":"No data for the query"}]}' }],
  ['blank values', csv('B,USD,NOK,SP,0,2026-03-16,', 'B,USD,NOK,SP,0,2026-03-17,NaN')],
])('%s gives no rows', async (_, answer) => {
  expect((await readFeed(feed, DAYS, { [PLACE]: answer })).rows).toEqual([]);
});

test('a long window goes in years', async () => {
  const { requests } = await readFeed(feed, '2025-01-01..2026-01-01', { [PLACE]: csv() });
  expect(requests.map(({ query }) => query.get('endPeriod'))).toEqual(['2025-12-31', '2026-01-01']);
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['another 404', { status: 404, body: 'Dataset not found' }, /moved/],
  ['a header without its columns', 'FREQ;BASE_CUR;OBS_VALUE\nB;USD;9.7\n', /TIME_PERIOD/],
  ['a value that is no number', csv('B,USD,NOK,SP,0,2026-03-16,x'), /not a number/],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, DAYS, { [PLACE]: answer })).rejects.toThrow(message);
});
