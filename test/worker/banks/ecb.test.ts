import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/ecb.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET data-api.ecb.europa.eu/service/data/EXR/D..EUR.SP00.A';
const HEADER = 'KEY,FREQ,CURRENCY,TIME_PERIOD,OBS_VALUE,TITLE';

test('one euro in each currency, wherever the columns stand', async () => {
  const { rows, requests } = await readFeed(feed, '2026-03-02..2026-03-03', {
    [PLACE]: `${HEADER}\nx,D,USD,2026-03-02,1.0845,"US dollar, spot"\nx,D,JPY,2026-03-03,162.41,yen\n`,
  });
  expect(rows).toEqual([
    ['2026-03-02', 'EUR', 'USD', 1.0845],
    ['2026-03-03', 'EUR', 'JPY', 162.41],
  ]);
  expect(requests[0]?.query.toString()).toBe('format=csvdata&startPeriod=2026-03-02&endPeriod=2026-03-03');
});

test('404 is a window without fixings', async () => {
  const { rows } = await readFeed(feed, '2026-03-07..2026-03-08', {
    [PLACE]: { status: 404, body: 'No results found' },
  });
  expect(rows).toEqual([]);
});

test('empty fields, NaN and other frequencies are no rates', async () => {
  const { rows, skipped } = await readFeed(feed, '2026-03-02..2026-03-03', {
    [PLACE]: `${HEADER}\nx,D,USD,2026-03-02,,\nx,D,ISK,2026-03-02,NaN,\nx,D,JPY,2026-03-02,162.41,\nx,M,JPY,2026-03,160,\n,,,,,\n`,
  });
  expect(rows).toEqual([['2026-03-02', 'EUR', 'JPY', 162.41]]);
  expect(skipped).toEqual({ 'no rate': 2, 'not a daily rate': 1, 'a line of blanks': 1 });
});

test.each([
  ['observations', 'x,D,USD,2026-03-02,,\nx,D,ISK,2026-03-02,NaN,\n', /marks of "no rate" alone/],
  ['cells', ',,,,,\n,,,,,\n', /0 of 2 records give a rate/],
  ['observations and a line of blanks', 'x,D,USD,2026-03-02,,\n,,,,,\n', /0 of 2 records give a rate/],
])('a table of which all %s are empty is an error', async (_, lines, message) => {
  const read = readFeed(feed, '2026-03-02..2026-03-03', { [PLACE]: `${HEADER}\n${lines}` });
  await expect(read).rejects.toThrow(message);
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['a header without its columns', 'FREQ,CURRENCY,DAY,VALUE\nD,USD,2026-03-02,1.08\n', /TIME_PERIOD/],
  ['a value that is no number', `${HEADER}\nx,D,USD,2026-03-02,closed,\n`, /not a number: "closed"/],
  ['another status', { status: 500 }, /responded with status 500/],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, '2026-03-02..2026-03-03', { [PLACE]: answer })).rejects.toThrow(message);
});
