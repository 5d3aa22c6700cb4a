import { expect, test } from 'vitest';
import { providerOf } from '../../../core/domain/providers.js';
import { feed } from '../../../worker/banks/nbk.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET nationalbank.kz/rss/get_rates.cfm';
const item = (title: string, quant: string, description: string) =>
  `<item><fullname>ВОН</fullname><title>${title}</title><description>${description}</description><quant>${quant}</quant><index>DOWN</index><change>-0.47</change></item>`;
const xml = (...inner: string[]) =>
  `<?xml version="1.0" encoding="utf-8"?>\n<rates><title>Official exchange rates</title><description>x</description>${inner.join('')}</rates>`;
const day = (date: string) => `<date>${date}</date>`;

test('tenge for one unit, by the nominal of each item and the date of the answer; no weekends', async () => {
  const { rows, requests } = await readFeed(feed, '2026-04-03..2026-04-06', {
    [PLACE]: [
      xml(
        day('03.04.2026'),
        item('KRW', '100', '31.29'),
        item('IRR', '1000', '0.4'),
        item('USD', '1', '478.77'),
      ),
      xml(day('04.04.2026'), item('USD', '1', '480')),
    ],
  });
  expect(rows).toEqual([
    ['2026-04-03', 'KRW', 'KZT', 0.3129],
    ['2026-04-03', 'IRR', 'KZT', 0.0004],
    ['2026-04-03', 'USD', 'KZT', 478.77],
    ['2026-04-04', 'USD', 'KZT', 480],
  ]);
  expect(requests.map(({ query }) => query.get('fdate'))).toEqual(['03.04.2026', '06.04.2026']);
});

test('the archive begins on 1999-11-17, and its quantities count from there on', async () => {
  const { rows, requests } = await readFeed(
    feed,
    `${providerOf(feed.key)?.coverage_start}..1999-11-17`,
    { [PLACE]: xml(day('17.11.1999'), item('USD', '1', '138.2'), item('ITL', '1000', '73.64')) },
    { today: '2026-04-03' },
  );
  expect(rows).toEqual([
    ['1999-11-17', 'USD', 'KZT', 138.2],
    ['1999-11-17', 'ITL', 'KZT', 0.07364],
  ]);
  expect(requests.map(({ query }) => query.get('fdate'))).toEqual(['17.11.1999']);
});

test('a day without items is empty', async () => {
  expect((await readFeed(feed, '2026-04-03..2026-04-03', { [PLACE]: xml(day('03.04.2026')) })).rows).toEqual(
    [],
  );
});

test('items without a rate or a nominal are dropped', async () => {
  const { rows, dropped } = await readFeed(feed, '2026-04-03..2026-04-03', {
    [PLACE]: xml(
      day('03.04.2026'),
      item('USD', '1', '480'),
      item('EUR', '1', ''),
      item('GBP', '0', '600'),
      item('CHF', '1', '0'),
      item('JPY', 'x', '3'),
    ),
  });
  expect([rows.length, dropped]).toEqual([1, { malformed: 2 }]);
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['another root', '<rss/>', /not rates/],
  ['an answer without its date', xml(item('USD', '1', '480')), /no date/],
  ['another form of date', xml(day('2026-04-03')), /not a date/],
  [
    'items of another form',
    xml(day('03.04.2026'), '<item><title>USD</title><rate>480</rate></item>'),
    /0 of 1 records give a rate/,
  ],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, '2026-04-03..2026-04-03', { [PLACE]: answer })).rejects.toThrow(message);
});
