import { expect, test } from 'vitest';
import { GrowableArray } from '../../../core/columns/growable-array.js';

test('is empty at first', () => {
  const array = new GrowableArray(Int32Array);
  expect(array.length).toBe(0);
  expect(array.values).toEqual(new Int32Array());
});

test.each([0, 1, 64, 1000])('keeps what is pushed, with room for %i', (room) => {
  const array = new GrowableArray(Float64Array, room);
  const numbers = Array.from({ length: 500 }, (_, index) => index / 4);
  for (const number of numbers) array.push(number);
  expect(array.length).toBe(500);
  expect(array.values).toEqual(Float64Array.from(numbers));
});

test('has the numbers of its type', () => {
  const array = new GrowableArray(Uint16Array);
  array.push(65_536 + 7);
  expect([...array.values]).toEqual([7]);
});
