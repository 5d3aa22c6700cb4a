import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/cbm.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET forex.cbm.gov.mm/api/latest';
const table = (rates: object, timestamp: string | number = '1775721600') =>
  JSON.stringify({ info: 'x', timestamp, rates });

test('kyat for one unit, six currencies being quoted for a hundred', async () => {
  const { rows } = await readFeed(feed, '2026-04-09..2026-04-09', {
    [PLACE]: table({ USD: '2,100.00', JPY: '1321.88', MMK: '1', EUR: '0' }, 1775721600),
  });
  expect(rows).toEqual([
    ['2026-04-09', 'USD', 'MMK', 2100],
    ['2026-04-09', 'JPY', 'MMK', 13.2188],
  ]);
});

test('a table of another day is outside the window', async () => {
  expect((await readFeed(feed, '2026-04-11..2026-04-12', { [PLACE]: table({ USD: '2100' }) })).rows).toEqual(
    [],
  );
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['no rates', '{"info":"test","timestamp":"1775721600"}', /rates/],
  ['a table without rates', table({}), /no records that hold a rate/],
  ['a timestamp that is none', table({ USD: '1' }, 'today'), /timestamp/],
  ['a rate that is no number', table({ USD: 'n/a' }), /not a number/],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, '2026-04-09..2026-04-09', { [PLACE]: answer })).rejects.toThrow(message);
});
