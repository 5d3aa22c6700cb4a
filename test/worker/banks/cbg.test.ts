import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/cbg.js';
import { type Answer, type Answers, blockedPage, readFeed } from '../feeds/support.js';

const MIDNIGHT = { may20: 1779235200000, may21: 1779321600000, may22: 1779408000000 } as const;
const bank = (series: Record<string, Answer>): Answers => {
  const codes =
    'USD EUR GBP CHF SEK CAD XOF NOK DKK SAR JPY AUD TWD LKR THB PHP NZD AED KWD NGN HKD ZAR EGP CNY BRL INR GHS SLL TRY GNF XDR SGD';
  return Object.fromEntries(
    codes
      .split(' ')
      .map((code) => [`GET www.cbg.gm/ajax/indicative-exchange-rates/${code}`, series[code] ?? '[]']),
  );
};
const points = (...list: unknown[][]) => JSON.stringify(list);

test('dalasi for one unit, the first of two prices of a day', async () => {
  const { rows, requests } = await readFeed(
    feed,
    '2026-05-21..2026-05-22',
    bank({
      USD: points(
        [MIDNIGHT.may22, 72.39],
        [MIDNIGHT.may22, 70],
        [MIDNIGHT.may21, 0],
        [MIDNIGHT.may20, 72.41],
      ),
      XOF: points([MIDNIGHT.may22, 646.22]),
      JPY: points([MIDNIGHT.may22, 45.47], [MIDNIGHT.may21, null], [MIDNIGHT.may21]),
    }),
  );
  expect(rows).toEqual([
    ['2026-05-22', 'USD', 'GMD', 72.39],
    ['2026-05-22', 'XOF', 'GMD', 0.129244],
    ['2026-05-22', 'JPY', 'GMD', 0.4547],
  ]);
  expect(requests).toHaveLength(32);
});

test('a price cut at its thousands comma is malformed', async () => {
  const { rows, dropped } = await readFeed(
    feed,
    '2026-05-21..2026-05-22',
    bank({ DKK: points([MIDNIGHT.may22, 1], [MIDNIGHT.may21, 1012.5]) }),
  );
  expect(rows).toEqual([['2026-05-21', 'DKK', 'GMD', 10.125]]);
  expect(dropped).toEqual({ malformed: 1 });
});

test('the series of the leone goes on with the new one', async () => {
  const { rows } = await readFeed(
    feed,
    '2022-06-01..2022-07-12',
    bank({ SLL: points([Date.UTC(2022, 6, 12), 4.11], [Date.UTC(2022, 5, 1), 0.01]) }),
  );
  expect(rows).toEqual([
    ['2022-07-12', 'SLE', 'GMD', 4.11],
    ['2022-06-01', 'SLL', 'GMD', 0.01],
  ]);
});

test('empty series are an empty window', async () => {
  expect((await readFeed(feed, '2026-05-21..2026-05-22', bank({}))).rows).toEqual([]);
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['an object', '{"error":"x"}', /documented form/],
  ['a price that is no number', points([MIDNIGHT.may22, 'x']), /0 of 2 records give a rate; \d malformed/],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, '2026-05-21..2026-05-22', bank({ SGD: answer }))).rejects.toThrow(message);
});
