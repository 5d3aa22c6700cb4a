import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/cbu.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const place = (day: string) => `GET cbu.uz/en/arkhiv-kursov-valyut/json/all/${day}/`;
const list = (...rows: [string, string, string, string][]) =>
  JSON.stringify(rows.map(([Ccy, Nominal, Rate, day]) => ({ id: 1, Ccy, Nominal, Rate, Date: day })));

test('soum for one unit, one request a weekday, under the date of the answer', async () => {
  const { rows, requests } = await readFeed(feed, '2026-04-03..2026-04-06', {
    [place('2026-04-03')]: list(['VND', '10', '4.63', '03.04.2026'], ['USD', '1', '12194.21', '03.04.2026']),
    [place('2026-04-06')]: list(['USD', '1', '12194.21', '03.04.2026'], ['EUR', '0', '1', '06.04.2026']),
  });
  expect(rows).toEqual([
    ['2026-04-03', 'VND', 'UZS', 0.463],
    ['2026-04-03', 'USD', 'UZS', 12194.21],
  ]);
  expect(requests).toHaveLength(2);
});

test('an empty list is a day without rates', async () => {
  expect((await readFeed(feed, '2026-04-03..2026-04-03', { [place('2026-04-03')]: '[]' })).rows).toEqual([]);
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['another form', '{}', /documented form/],
  ['a rate that is no number', list(['USD', '1', 'x', '03.04.2026']), /not a number/],
  ['a date in another form', list(['USD', '1', '1', '2026-04-03']), /not a date/],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, '2026-04-03..2026-04-03', { [place('2026-04-03')]: answer })).rejects.toThrow(
    message,
  );
});
