import { expect, test } from 'vitest';
import { changePrices } from '../../../core/domain/sides.js';
import { FeedError } from '../../../worker/feeds/feed-error.js';
import { pricesOf, sidesOf, withSides } from '../../../worker/feeds/sides.js';

test('the midpoint is exact where doubles are not, and there is none of one side alone', () => {
  expect((1.005 + 1.015) / 2).not.toBe(1.01);
  expect(sidesOf(1.005, 1.015)).toEqual({ rate: 1.01, buy: 1.005, sell: 1.015 });
  const lone = [sidesOf(undefined, 1), sidesOf(1, null), sidesOf(0, 1), sidesOf(1, 0)];
  expect(lone.map(({ rate }) => rate)).toEqual(Array(4));
});

test.each([
  [[2, 1, 3], '2 1 3'],
  [[2, 2, 2], '2 2 2'],
  [[2, undefined, 3], '2 3'],
  [[2, 1, 0], '2 1'],
  [[2, 3, 1], '2'],
  [[2, 2.1, 3], '2'],
  [[2, 1, 1.9], '2'],
  [[undefined, 1, 3], ''],
] as const)('of the rate and the sides %j, %s is kept', ([rate, buy, sell], kept) => {
  const prices = withSides((price) => price, rate, buy, sell);
  expect(pricesOf(prices.rate === undefined ? prices : changePrices({ ...prices, rate: 2 }, Number))).toBe(
    kept,
  );
});

test('a side that can not be read is left out, and any other error is thrown', () => {
  const read = (text: string) => {
    if (text === 'ccccc') throw new FeedError('not a number: ccccc');
    if (text === '') throw new TypeError('a mistake');
    return Number(text);
  };
  expect(withSides(read, '2', '1', 'ccccc')).toEqual({ rate: 2, buy: 1, sell: undefined });
  expect(() => withSides(read, 'ccccc', '1', '2')).toThrow(FeedError);
  expect(() => withSides(read, '2', '1', '')).toThrow(TypeError);
});
