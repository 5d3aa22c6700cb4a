import { expect, it } from 'vitest';
import { GrowableArray } from '../../../core/columns/growable-array.js';

it.each([undefined, 0, 64, 1000])('keeps what is pushed, with room for %s', (room) => {
  const array = new GrowableArray(Float64Array, room);
  expect([array.length, array.values]).toEqual([0, new Float64Array()]);
  const numbers = Float64Array.from({ length: 500 }, (_, index) => index / 4);
  for (const number of numbers) array.push(number);
  expect([array.length, array.values]).toEqual([500, numbers]);
});
