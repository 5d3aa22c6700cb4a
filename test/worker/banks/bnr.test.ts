import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/bnr.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const place = (year: number) => `GET curs.bnr.ro/files/xml/years/nbrfxrates${year}.xml`;
const xml = (cubes: string, namespace = 'https://www.bnr.ro/xsd') =>
  `<?xml version="1.0" encoding="utf-8"?>\n<DataSet xmlns="${namespace}"><Header><PublishingDate>2026-01-09</PublishingDate></Header><Body><Subject>Reference rates</Subject>${cubes}</Body></DataSet>`;
const cube = (day: string, rates: string) => `<Cube date="${day}">${rates}</Cube>`;
const DAYS = '2026-01-05..2026-01-09';

test('lei for one unit and for a troy ounce, both ends of the window included', async () => {
  const { rows } = await readFeed(feed, DAYS, {
    [place(2026)]: xml(
      cube(
        '2026-01-05',
        '<Rate currency="HUF" multiplier="100">1.3247</Rate><Rate currency="XAU">621.3365</Rate>',
      ) +
        cube('2026-01-09', '<Rate currency="XDR">5.9</Rate>') +
        cube('2026-01-12', '<Rate currency="XDR">6</Rate>'),
    ),
  });
  expect(rows).toEqual([
    ['2026-01-05', 'HUF', 'RON', 0.013247],
    ['2026-01-05', 'XAU', 'RON', 19325.7254127],
    ['2026-01-09', 'XDR', 'RON', 5.9],
  ]);
});

test('each year that the window touches, in both namespaces; texts that are no rates are dropped', async () => {
  const { rows, requests } = await readFeed(feed, '2025-12-31..2026-01-02', {
    [place(2025)]: xml(
      cube(
        '2025-12-31',
        '<Rate currency="USD">4.3</Rate><Rate currency="EUR">-</Rate><Rate currency="CHF"/><Rate currency="GBP">0</Rate>',
      ),
      'http://www.bnr.ro/xsd',
    ),
    [place(2026)]: xml(''),
  });
  expect(rows).toEqual([['2025-12-31', 'USD', 'RON', 4.3]]);
  expect(requests).toHaveLength(2);
});

test('lei of before July 2005 are the old ones where the dollar says so', async () => {
  const { rows } = await readFeed(feed, '2005-06-29..2005-07-01', {
    [place(2005)]: xml(
      cube('2005-06-29', '<Rate currency="EUR">36050</Rate><Rate currency="USD">29891</Rate>') +
        cube('2005-06-30', '<Rate currency="USD">2.9891</Rate>') +
        cube('2005-07-01', '<Rate currency="USD">2.9886</Rate>'),
    ),
  });
  expect(rows).toEqual([
    ['2005-06-29', 'EUR', 'ROL', 36050],
    ['2005-06-29', 'USD', 'ROL', 29891],
    ['2005-06-30', 'USD', 'RON', 2.9891],
    ['2005-07-01', 'USD', 'RON', 2.9886],
  ]);
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['a redirect to the home page', { status: 302, headers: { location: '/' } }, /302|redirect/],
  ['404', { status: 404 }, /responded with status 404/],
  ['another root', '<Error/>', /not DataSet/],
  ['a DataSet without a Body', '<DataSet/>', /0 elements Body in DataSet, where one is meant/],
  [
    'a cube without a date',
    xml('<Cube><Rate currency="USD">4.3</Rate></Cube>'),
    /no date where YYYY-MM-DD is expected/,
  ],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, DAYS, { [place(2026)]: answer })).rejects.toThrow(message);
});
