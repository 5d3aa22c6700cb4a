import { expect, it } from 'vitest';
import { mergeWindows, toChange } from '../../../../src/rates/snapshot/snapshot.js';

it.each([
  ['are one where no more than forty days are between them', '0-10 50-60', '0-60'],
  ['are two where more are', '0-10 51-60', '0-10 51-60'],
  ['come in order', '500-510 0-10 200-210', '0-10 200-210 500-510'],
  ['end with the first, where that ends last', '0-100 20-30', '0-100'],
  ['end with the last, where that ends last', '0-100 20-120 160-170', '0-170'],
  ['are none without changes', '', ''],
])('windows that are read again %s', (_what, windows, expected) => {
  const given = windows.split(' ').flatMap((window) => {
    const [from = Number.NaN, to = Number.NaN] = window.split('-').map(Number);
    return window === '' ? [] : [Object.freeze({ from, to })];
  });
  const merged = mergeWindows(Object.freeze(given));
  expect(merged.map(({ from, to }) => `${from}-${to}`).join(' ')).toBe(expected);
});

it('a data version is named by its number and its instant, which tells databases apart', () => {
  const changed = { version: 7n, provider: 'ECB' };
  const version = { ...changed, from: '1970-01-02', to: '1970-01-11', createdAt: 1_000_000 };
  expect(toChange(version)).toEqual({ ...changed, name: '7.lfls', from: 1, to: 10, at: 1_000_000 });
  expect(toChange({ ...version, createdAt: 1_000_001 }).name).not.toBe('7.lfls');
});
