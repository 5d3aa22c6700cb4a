import { describe, expect, it } from 'vitest';
import { mergeWindows, toChange } from '../../../../src/rates/snapshot/snapshot.js';

describe('windows that are read again', () => {
  const merged = (...windows: [number, number][]) =>
    mergeWindows(windows.map(([from, to]) => ({ from, to }))).map(({ from, to }) => [from, to]);

  it('are one where no more than forty days are between them', () => {
    expect(merged([0, 10], [50, 60])).toEqual([[0, 60]]);
    expect(merged([0, 10], [51, 60])).toEqual([
      [0, 10],
      [51, 60],
    ]);
  });

  it('come in order, whatever the order of the changes', () => {
    expect(merged([500, 510], [0, 10], [200, 210])).toEqual([
      [0, 10],
      [200, 210],
      [500, 510],
    ]);
  });

  it('end with the one that ends last', () => {
    expect(merged([0, 100], [20, 30])).toEqual([[0, 100]]);
    expect(merged([0, 100], [20, 120], [160, 170])).toEqual([[0, 170]]);
  });

  it('leave the changes as they are', () => {
    const changes = [
      { from: 0, to: 10 },
      { from: 5, to: 20 },
    ] as const;
    mergeWindows(changes);
    expect(changes).toEqual([
      { from: 0, to: 10 },
      { from: 5, to: 20 },
    ]);
  });

  it('are none without changes', () => expect(merged()).toEqual([]));
});

describe('a data version', () => {
  it('is named by its number and its instant, which tells databases apart', () => {
    const version = {
      version: 7n,
      from: '1970-01-02',
      to: '1970-01-11',
      provider: 'ECB',
      createdAt: 1_000_000,
    };
    expect(toChange(version)).toEqual({
      version: 7n,
      name: '7.lfls',
      from: 1,
      to: 10,
      provider: 'ECB',
      at: 1_000_000,
    });
    expect(toChange({ ...version, createdAt: 1_000_001 }).name).not.toBe('7.lfls');
  });
});
