import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/nbu.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET bank.gov.ua/NBU_Exchange/exchange_site';
const rate = (exchangedate: string, cc: string, price: number, units?: number) => ({
  exchangedate,
  cc,
  rate: price,
  units,
  special: null,
});

test('hryvnias for one unit, without weekends', async () => {
  const { rows, requests } = await readFeed(feed, '2026-03-06..2026-03-09', {
    [PLACE]: JSON.stringify([
      rate('06.03.2026', 'JPY', 2.7646, 10),
      rate('06.03.2026', 'XAU', 223573.57),
      rate('07.03.2026', 'JPY', 2.7646, 10),
      rate('09.03.2026', 'USD', 0, 1),
    ]),
  });
  expect(rows).toEqual([
    ['2026-03-06', 'JPY', 'UAH', 0.27646],
    ['2026-03-06', 'XAU', 'UAH', 223573.57],
  ]);
  expect(requests[0]?.query.get('start')).toBe('20260306');
  expect(requests[0]?.query.get('json')).toBe('');
});

test('an empty list is an empty window', async () => {
  expect((await readFeed(feed, '2026-03-07..2026-03-08', { [PLACE]: '[]' })).rows).toEqual([]);
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['another form', '{"message":"wrong"}', /documented form/],
  ['a row without its rate', '[{"exchangedate":"06.03.2026","cc":"USD"}]', /rate/],
  ['a date in another form', JSON.stringify([rate('2026-03-06', 'USD', 41)]), /not a date/],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, '2026-03-06..2026-03-09', { [PLACE]: answer })).rejects.toThrow(message);
});
