import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { inSharedMemory, shared } from '../../../core/columns/shared-memory.js';

test('arrays of numbers are copied into shared memory once, by their own length, and other fields are kept', () => {
  const days = new Int32Array([1, 2, 3, 4]).subarray(1, 3);
  const made = inSharedMemory({ days, states: new Uint8Array([7]), names: ['EUR'] });
  expect(made).toEqual({ days: new Int32Array([2, 3]), states: new Uint8Array([7]), names: ['EUR'] });
  expect([made.days, made.states].map(({ buffer }) => buffer instanceof SharedArrayBuffer)).toEqual([
    true,
    true,
  ]);
  expect(shared(made.days)).toBe(made.days);
  expect(structuredClone(made.days).buffer.byteLength).toBe(8);
  const other = structuredClone(made.days);
  other[0] = 9;
  expect(made.days[0]).toBe(9);
});

test('the garbage collector counts shared memory once, also in the thread that receives it', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const size = 16 * 1024 * 1024;
  const bytes = () => {
    collect();
    return process.memoryUsage().arrayBuffers;
  };
  // What other tests leave may take several collections.
  let before = bytes();
  for (let last = Number.NaN; last !== before; before = bytes()) {
    last = before;
    await setTimeout(50);
  }
  const arrays = [new Uint8Array(size), new Uint8Array(new SharedArrayBuffer(size))].map(shared);
  for (const array of arrays) shared(array);
  // The array that was copied is collected, too.
  await expect.poll(() => (bytes() - before) / size).toBeCloseTo(arrays.length, 1);
  expect(arrays.map(({ length }) => length)).toEqual([size, size]);
});
