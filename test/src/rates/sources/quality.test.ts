import { describe, expect, it } from 'vitest';
import type { RowSource } from '../../../../src/rates/snapshot/row.js';
import { qualityOf } from '../../../../src/rates/sources/row-sources.js';

const SOURCE: RowSource = { key: 'ECB', day: 20_500, rate: 1, published: false, excluded: false };
const source = (rate: number, more: Partial<RowSource> = {}) => ({ ...SOURCE, rate, ...more });

describe('the quality of a rate', () => {
  it('counts sources, outliers and suspects apart, and is spread over what counted', () => {
    const sources = [
      source(1.25),
      source(1.5, { excluded: true }),
      source(1),
      source(1.125),
      source(9, { suspect: 'jump' }),
      source(0.1, { suspect: 'jump', excluded: true }),
    ];
    const counts = { sources: 4, excluded: 1, spread: 0.2, age_days: 3, suspects: 2 };
    expect(qualityOf(1.25, sources, 3)).toEqual(counts);
  });

  it('has a spread of four digits', () => {
    expect(qualityOf(3, [source(3), source(3.0012345)], 0)).toMatchObject({ spread: 0.000_411_5 });
  });

  it('has no spread where nothing counted, or one source did', () => {
    const nothing = { sources: 0, excluded: 0, spread: 0, age_days: 0, suspects: 0 };
    expect(qualityOf(2, [], 0)).toEqual(nothing);
    expect(qualityOf(2, [source(2, { excluded: true })], 0)).toEqual({ ...nothing, sources: 1, excluded: 1 });
    expect(qualityOf(2, [source(2)], 0)).toEqual({ ...nothing, sources: 1 });
  });
});
