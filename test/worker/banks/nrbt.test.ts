import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/nrbt.js';
import { blockedPage, makeXlsx, readFeed } from '../feeds/support.js';

const PLACE = 'GET www.reservebank.to/data/docs/fmarkets/exrates/average_daily_exchange_rates.xlsx';
const CODES = ['AUD', 'EUR', 'FJD', 'GBP', 'JPY', 'NZD', 'USD', 'WST', 'CHF', 'CAD', 'SEK', 'SGD'];
type Line = (string | number | null)[];
const blocks = (first: number | string | null, buy: Line, mid: Line, sell: Line): Line => {
  const wide = (cells: Line) => Array.from(CODES, (_, index) => cells[index] ?? null);
  return [first, ...wide(buy), null, ...wide(mid), null, ...wide(sell)];
};
const sheet = (codes: string[], ...days: Line[]): Line[] => [
  ['NATIONAL RESERVE BANK OF TONGA'],
  ['2025 - 2026'],
  [null],
  blocks(
    null,
    ['AVERAGE EXCHANGE RATES\nBUY'],
    ['AVERAGE EXCHANGE RATES\nMID'],
    ['AVERAGE EXCHANGE RATES\nSELL'],
  ),
  [null],
  blocks(null, codes, codes, codes),
  ...days,
  ['Address', 'Salote Road'],
];

test('what one paʻanga costs, from the middle block', async () => {
  const { rows } = await readFeed(
    feed,
    '2025-01-01..',
    {
      [PLACE]: makeXlsx({
        '2025 to 2026': sheet(
          CODES,
          blocks(45658, ['Public Holiday'], ['Public Holiday'], ['Public Holiday']),
          blocks(45659, [0.6785, 0.4144], [0.6651, 0.3942], [0.6518, 0.3739]),
          blocks(45660, [0.6775, 0.4182], [0, 0.398], [0.6511, 0.3777]),
          // Two years ahead by a slip: not to be taken for news.
          blocks(46390, [0.6], [0.5], [0.4]),
        ),
        '2027 to 2028': sheet(['EUR', 'AUD']),
      }),
    },
    { today: '2025-01-03' },
  );
  expect(rows).toEqual([
    ['2025-01-02', 'TOP', 'AUD', 0.6651],
    ['2025-01-02', 'TOP', 'EUR', 0.3942],
    ['2025-01-03', 'TOP', 'EUR', 0.398],
  ]);
});

test('a window of holidays is empty', async () => {
  const body = makeXlsx({
    '2025 to 2026': sheet(
      CODES,
      blocks(45658, ['Closed'], ['Closed'], ['Closed']),
      blocks(45659, [0.6], [0.5], [0.4]),
    ),
  });
  expect((await readFeed(feed, '2025-01-01..2025-01-01', { [PLACE]: body })).rows).toEqual([]);
});

test.each([
  ['a blocked page', blockedPage, /no workbook/],
  [
    'names instead of codes',
    makeXlsx({
      A: sheet(
        CODES.map((code) => `${code} dollar`),
        blocks(45659, [], [1], []),
      ),
    }),
    /no block of codes/,
  ],
  [
    'a sheet without its heads',
    makeXlsx({ A: [[45659, 1]] }),
    /the sheet A has no block of codes under a title MID/,
  ],
  ['no days at all', makeXlsx({ A: sheet(CODES) }), /no records that hold a rate/],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, '2025-01-01..2025-01-03', { [PLACE]: answer })).rejects.toThrow(message);
});
