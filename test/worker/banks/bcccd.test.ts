import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/bcccd.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET www.bcc.cd/marche-des-changes/cours-de-change';
const DAY = '2026-09-02';
const entry = (date: string, average: number | null, more: object = {}) => ({
  date,
  buy: 1,
  average,
  sell: 2,
  unit: 1,
  ...more,
});
const history = (rates: object) => `0:["$","div",null,{"content":{"history":${JSON.stringify(rates)}}}]\n`;
const page = (rates: Record<string, string>) =>
  `<!DOCTYPE html><html><head><title>Cours de change</title></head><body><dl>${Object.entries(rates)
    .map(([code, figure]) => `<div><dt>${code} (cours moyen)</dt><dd>${figure}</dd></div>`)
    .join('')}</dl></body></html>`;
const closed = { status: 404, body: 'not found' };

test('the page of the day and the history, of which the page counts', async () => {
  const { rows, requests } = await readFeed(feed, `${DAY}..${DAY}`, {
    [PLACE]: history({
      USD: [entry('2026-09-01', 1), entry(DAY, 2263), entry(DAY, 2264)],
      BIF: [entry(DAY, 76, { unit: 100 })],
    }),
    [`${PLACE}/${DAY}`]: page({ USD: '2264', EUR: '2 626,1200' }),
  });
  expect(rows).toEqual([
    [DAY, 'USD', 'CDF', 2264],
    [DAY, 'EUR', 'CDF', 2626.12],
    [DAY, 'BIF', 'CDF', 0.76],
  ]);
  expect(requests[0]?.headers.rsc).toBe('1');
});

test('a day without a fixing is 404', async () => {
  const answers = { [PLACE]: history({ USD: [entry('2026-09-01', 2264)] }), [`${PLACE}/${DAY}`]: closed };
  const { rows, noData } = await readFeed(feed, `${DAY}..${DAY}`, answers);
  expect(rows).toEqual([]);
  expect(noData).toEqual(['404 as the bank answers a day without a fixing']);
});

test('an early page without rates is empty, an average that is missing is counted', async () => {
  const { rows, noData, skipped } = await readFeed(feed, `${DAY}..${DAY}`, {
    [PLACE]: history({ USD: [entry('2026-09-01', 1), entry('2026-09-03', null)] }),
    [`${PLACE}/${DAY}`]: page({}),
  });
  expect(rows).toEqual([]);
  expect(noData).toEqual(['the pages of some early days have no rates']);
  expect(skipped).toMatchObject({ 'no rate': 1 });
});

test.each([
  ['a blocked page', blockedPage, closed, /no history/],
  ['a changed layout', history({ USD: [{ date: DAY, mean: 1 }] }), closed, /give a rate/],
  [
    'a page without the rates that the history has',
    history({ USD: [entry(DAY, 1)] }),
    page({}),
    /no rate on the page/,
  ],
  ['a blocked page of a day', history({ USD: [entry('2026-09-01', 1)] }), blockedPage, /no rate on the page/],
  ['the page of another day', history({ USD: [entry(DAY, 1)] }), page({ USD: '2' }), /0 of 1 rates/],
])('%s is an error', async (_, list, day, message) => {
  await expect(readFeed(feed, `${DAY}..${DAY}`, { [PLACE]: list, [`${PLACE}/${DAY}`]: day })).rejects.toThrow(
    message,
  );
});
