import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/bdi.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET tassidicambio.bancaditalia.it/terzevalute-wf-web/rest/v1.0/dailyRates';
const csv = (...lines: [code: string, rate: string, day: string][]) =>
  [
    'Country,Currency,ISO Code,UIC Code,Rate,Rate convention,Reference date (CET)',
    ...lines.map(
      ([code, rate, day]) => `LAND,Coin,${code},1,${rate},Foreign currency amount for 1 Euro.,${day}`,
    ),
    '\n\n# Rates, which are cross rates, are for information.\n# No responsibility\n',
  ].join('\n');

test('one euro in each currency once, weekdays only, dated by the table', async () => {
  const { rows, requests } = await readFeed(feed, '2026-02-06..2026-02-09', {
    [PLACE]: [
      csv(['XCD', '3.2092', '2026-02-06'], ['XCD', '3.2092', '2026-02-06']),
      csv(['TND', '3.377200', '2026-02-09']),
    ],
  });
  expect(rows).toEqual([
    ['2026-02-06', 'EUR', 'XCD', 3.2092],
    ['2026-02-09', 'EUR', 'TND', 3.3772],
  ]);
  expect(requests.map(({ query }) => query.get('referenceDate'))).toEqual(['2026-02-06', '2026-02-09']);
  expect(requests[0]?.headers.accept).toBe('text/csv');
  expect(requests[0]?.query.get('lang')).toBe('en');
});

test('currencies that are not quoted, and a table without lines', async () => {
  const { rows, dropped } = await readFeed(feed, '2026-02-09..2026-02-10', {
    [PLACE]: [
      csv(['RUB', 'N.A.', '2026-02-09'], ['BYN', '', '2026-02-09'], ['USD', '0', '2026-02-09']),
      csv(),
    ],
  });
  expect([rows, dropped]).toEqual([[], {}]);
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  [
    'the Italian table',
    'Paese,Valuta,Codice ISO,Quotazione\nX,Y,USD,1\n# x\n',
    /no row of the CSV has the headings/,
  ],
  ['a rate that is no number', csv(['USD', 'x', '2026-02-09']), /not a number/],
  ['404', { status: 404 }, /responded with status 404/],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, '2026-02-09..2026-02-09', { [PLACE]: answer })).rejects.toThrow(message);
});
