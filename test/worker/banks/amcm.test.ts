import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/amcm.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET www.amcm.gov.mo/api/v1.0/cms/financial_info';
const row = (date: string, currency: string, unit: number | string | null, usdMeanValue: number | null) => ({
  id: 1,
  date,
  currency,
  unit,
  usdMean: '0.0000',
  usdMeanValue,
  bid: '159.09',
});
const answer = (...data: object[]) => JSON.stringify({ message: 'OK', data, code: 0, type: 'Success' });

test('patacas for one unit, the value and not the bid', async () => {
  const { rows, requests } = await readFeed(feed, '2026-05-21..2026-05-22', {
    [PLACE]: answer(
      row('2026-05-22 00:00:00', 'JPY', 100, 5.0727),
      row('2026-05-22 00:00:00', 'USD', 1, 8.0705),
      row('2026-05-21 14:00:00', 'KRW', '100', 0.54),
    ),
  });
  expect(rows).toEqual([
    ['2026-05-22', 'JPY', 'MOP', 0.050727],
    ['2026-05-22', 'USD', 'MOP', 8.0705],
    ['2026-05-21', 'KRW', 'MOP', 0.0054],
  ]);
  expect(requests[0]?.query.toString()).toBe('QueryType=1&Begin=20260521&End=20260522');
});

test('the ECU under its ISO code', async () => {
  const { rows } = await readFeed(feed, '1990-01-02..1990-01-02', {
    [PLACE]: answer(row('1990-01-02 00:00:00', 'ECU', 1, 9.55)),
  });
  expect(rows).toEqual([['1990-01-02', 'XEU', 'MOP', 9.55]]);
});

test('a long window is asked for in parts of ninety days', async () => {
  const { requests } = await readFeed(feed, '2026-01-01..2026-05-22', { [PLACE]: answer() });
  expect(requests.map(({ query }) => `${query.get('Begin')}..${query.get('End')}`)).toEqual([
    '20260101..20260331',
    '20260401..20260522',
  ]);
});

test('an empty list, and rows without a unit or a value', async () => {
  const { rows, dropped } = await readFeed(feed, '2026-05-22..2026-05-22', {
    [PLACE]: answer(row('2026-05-22 00:00:00', 'LIQ', 0, 0), row('2026-05-22 00:00:00', 'GBP', 1, null)),
  });
  expect(rows).toEqual([]);
  expect(dropped).toEqual({});
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['an answer without data', '{"message":"maintenance","data":null}', /no data: maintenance/],
  ['data in another form', '{"message":"OK","data":{}}', /documented form at data/],
  ['a list', '[]', /documented form/],
  ['a date in another form', answer(row('22/05/2026', 'USD', 1, 8)), /not a date/],
])('%s is an error', async (_, body, message) => {
  await expect(readFeed(feed, '2026-05-22..2026-05-22', { [PLACE]: body })).rejects.toThrow(message);
});
