import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/rb.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET api.riksbank.se/swea/v1/Observations/ByGroup/130/2026-03-24/2026-03-25';
const observations = (...rows: [string | null, string | null, number | string | null][]) =>
  JSON.stringify(rows.map(([seriesId, date, value]) => ({ seriesId, date, value })));

test('kronor for one unit of each series', async () => {
  const { rows } = await readFeed(feed, '2026-03-24..2026-03-25', {
    [PLACE]: observations(
      ['SEKJPYPMI', '2026-03-24', 0.05885],
      ['SEKETT', '2026-03-24', 1],
      ['SEKUSDPMI', '2026-03-25', null],
      ['SEKUSDPMI', '2026-03-24', 0],
      [null, '2026-03-24', 2],
    ),
  });
  expect(rows).toEqual([['2026-03-24', 'JPY', 'SEK', 0.05885]]);
});

test('the euro of before 1999 is the ECU', async () => {
  const place = 'GET api.riksbank.se/swea/v1/Observations/ByGroup/130/1998-12-30/1999-01-04';
  const { rows } = await readFeed(feed, '1998-12-30..1999-01-04', {
    [place]: observations(['SEKEURPMI', '1998-12-30', 9.5], ['SEKEURPMI', '1999-01-04', 9.4696]),
  });
  expect(rows).toEqual([
    ['1998-12-30', 'XEU', 'SEK', 9.5],
    ['1999-01-04', 'EUR', 'SEK', 9.4696],
  ]);
});

test.each([
  ['an empty list', '[]'],
  ['an empty body', ''],
  ['no content', { status: 204 }],
])('%s is an empty window', async (_, answer) => {
  expect((await readFeed(feed, '2026-03-24..2026-03-25', { [PLACE]: answer })).rows).toEqual([]);
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['a text', 'Not found', /no JSON/],
  ['an object', '{"statusCode":429,"message":"slow down"}', /documented form/],
  ['a value that is no number', observations(['SEKUSDPMI', '2026-03-24', 'x']), /value/],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, '2026-03-24..2026-03-25', { [PLACE]: answer })).rejects.toThrow(message);
});
