import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/mma.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET www.mma.gov.mv/JSON/referencerates.json';
const history = (...entries: [string | null, string | number | null][]) =>
  JSON.stringify(entries.map(([day, Rate]) => ({ Date: day, Rate })));

test('rufiyaa for one dollar, the first of two entries for a day, a span as its later day', async () => {
  const { rows, requests } = await readFeed(feed, '2021-02-07..2021-02-10', {
    [PLACE]: history(
      ['10 February 2021', 15.42],
      ['10 February 2021', '15.37'],
      ['08/09 February 2021', '15.4'],
      ['07 February 2021', null],
      [null, '15'],
      ['6 February 2021', '15.42'],
    ),
  });
  expect(rows).toEqual([
    ['2021-02-10', 'USD', 'MVR', 15.42],
    ['2021-02-09', 'USD', 'MVR', 15.4],
  ]);
  expect(requests[0]?.query.get('v')).toBe('20210210');
});

test('a window without an entry is empty', async () => {
  expect(
    (await readFeed(feed, '2026-05-22..2026-05-23', { [PLACE]: history(['21 May 2026', '15.42']) })).rows,
  ).toEqual([]);
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['another form', '{}', /documented form/],
  ['an empty history', '[]', /no records that hold a rate/],
  ['a rate that is no number', history(['21 May 2026', 'x']), /not a number/],
  ['a date in another form', history(['2026-05-21', '15.42']), /not a date/],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, '2026-05-21..2026-05-21', { [PLACE]: answer })).rejects.toThrow(message);
});
