import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/hnb.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET api.hnb.hr/tecajn-eur/v3';
const list = (...rows: [string | null, string | null, string | null][]) =>
  JSON.stringify(
    rows.map(([datum_primjene, valuta, srednji_tecaj]) => ({
      datum_primjene,
      valuta,
      srednji_tecaj,
      drzava: 'SAD',
    })),
  );

test('what one euro costs', async () => {
  const { rows, requests } = await readFeed(feed, '2023-01-02..2023-01-03', {
    [PLACE]: list(
      ['2023-01-02', 'USD', '1,066600'],
      ['2023-01-02', 'JPY', '140,660000'],
      ['2023-01-02', 'GBP', '0,000000'],
      ['2023-01-02', 'CHF', null],
      [null, 'CHF', '1,0'],
    ),
  });
  expect(rows).toEqual([
    ['2023-01-02', 'EUR', 'USD', 1.0666],
    ['2023-01-02', 'EUR', 'JPY', 140.66],
  ]);
  expect(requests[0]?.query.toString()).toBe('datum-primjene-od=2023-01-02&datum-primjene-do=2023-01-03');
});

test('an empty list is an empty window', async () => {
  expect((await readFeed(feed, '2023-01-02..2023-01-03', { [PLACE]: '[]' })).rows).toEqual([]);
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['another form', '{"message":"x"}', /documented form/],
  ['a rate that is no number', list(['2023-01-02', 'USD', 'x']), /not a number/],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, '2023-01-02..2023-01-03', { [PLACE]: answer })).rejects.toThrow(message);
});
