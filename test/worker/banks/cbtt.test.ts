import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/cbtt.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET www.central-bank.org.tt/wp-json/rates/v1/forex-rate/2026-2026';
const DAYS = '2026-01-01..2026-01-06';
const PREFIXES = ['USD', 'CAD', 'GBP', 'Euro', 'CHF', 'BBD', 'GYD', 'JMD'];
const day = (famedate: string, sides: Record<string, string | number | null> = {}) => ({
  famedate,
  ...Object.fromEntries(
    PREFIXES.flatMap((one) => [
      [`${one}_Buying`, null],
      [`${one}_Selling`, null],
    ]),
  ),
  ...sides,
});
const answer = (cbttdailyforexrates: unknown) => JSON.stringify({ cbttdailyforexrates });

test('the middle of both sides, and none where one is missing or they are crossed', async () => {
  const { rows, skipped } = await readFeed(feed, DAYS, {
    [PLACE]: answer([
      day('2026-01-01'),
      day('2026-01-02', { USD_Buying: '6.7017', USD_Selling: '6.7992', CHF_Selling: '9.0' }),
      day('2026-01-05', {
        Euro_Buying: '9.2017',
        Euro_Selling: '8.5197',
        JMD_Buying: 0.04,
        JMD_Selling: 0.05,
      }),
      day('2026-01-06', { XXX_Buying: '1', XXX_Selling: '1' }),
    ]),
  });
  expect(rows).toEqual([
    ['2026-01-02', 'USD', 'TTD', 6.75045],
    ['2026-01-05', 'JMD', 'TTD', 0.045],
  ]);
  expect(skipped).toMatchObject({ 'a buying rate above the selling rate': 1, 'unknown name': 1 });
});

test('nulls, and one object for years without rows, are an empty window', async () => {
  expect(await readFeed(feed, DAYS, { [PLACE]: answer([day('2026-01-01')]) })).toMatchObject({
    rows: [],
    noData: ['weekends and holidays are rows of nulls'],
  });
  expect(await readFeed(feed, DAYS, { [PLACE]: answer(day('2026-2026')) })).toMatchObject({
    rows: [],
    noData: ['years without a row are one object of nulls'],
  });
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ["the service's own error", JSON.stringify({ code: 'rest_no_route' }), /cbttdailyforexrates/],
  ['a changed layout', answer([{ famedate: '2026-01-02', usd: '6.7' }]), /0 of 8 records/],
  [
    'a date in another form',
    answer([day('02/01/2026', { USD_Buying: '6', USD_Selling: '7' })]),
    /not a date/,
  ],
  ['another year', answer([day('2020-01-02', { USD_Buying: '6', USD_Selling: '7' })]), /other days/],
])('%s is an error', async (_, given, message) => {
  await expect(readFeed(feed, DAYS, { [PLACE]: given })).rejects.toThrow(message);
});
