import { describe, expect, it } from 'vitest';
import { applyPegs, type DollarRate } from '../../../../core/domain/blend/apply-pegs.js';
import { type Blend, blend, sourcesOf } from '../../../../core/domain/blend/blend.js';
import type { RawRow } from '../../../../core/domain/blend/carry-forward.js';
import { upperMedian } from '../../../../core/domain/blend/consensus.js';
import { recencyWeight } from '../../../../core/domain/blend/weight.js';
import type { Peg } from '../../../../core/domain/pegs.js';
import { blendEachDate } from './blend-each-date.js';

const row = (provider: string, date: string, base: string, quote: string, rate: number): RawRow => {
  return { provider, date, base, quote, rate };
};

const of = (blends: readonly Blend[], quote: string): Blend => {
  const found = blends.find((blend) => blend.quote === quote);
  if (!found) throw new Error(`no ${quote} among ${blends.map((blend) => blend.quote).join()}`);
  return found;
};

describe('carrying forward', () => {
  it('counts a row for 15 days, its own and the 14 after it', () => {
    const rows = [row('A', '2026-03-01', 'USD', 'NOK', 10)];
    expect(blend(rows, '2026-03-15')).toHaveLength(1);
    expect(blend(rows, '2026-03-16')).toEqual([]);
  });

  it('takes the newest row of a pair, whatever order they come in, and none after the date', () => {
    const rows = [
      row('A', '2026-03-04', 'USD', 'NOK', 12),
      row('A', '2026-03-03', 'USD', 'NOK', 11),
      row('A', '2026-03-05', 'USD', 'NOK', 13),
    ];
    expect(of(blend(rows, '2026-03-04'), 'NOK')).toMatchObject({ date: '2026-03-04', rate: 12 });
  });
});

describe('the dollar pivot', () => {
  const rateOf = (quote: string, ...rows: RawRow[]) => of(blend(rows, '2026-03-02'), quote).rate;
  const on = (base: string, quote: string, rate: number) => row('A', '2026-03-02', base, quote, rate);

  it('keeps dollar rows and inverts those towards the dollar', () => {
    expect(rateOf('JPY', on('USD', 'JPY', 150))).toBe(150);
    expect(rateOf('GBP', on('GBP', 'USD', 1.25))).toBe(0.8);
  });

  it('divides by the pair over the quote, with dollars as its base', () => {
    expect(rateOf('EUR', on('EUR', 'NOK', 12), on('USD', 'NOK', 9))).toBe(0.75);
  });

  it('multiplies by the pair over the base, with dollars as its base', () => {
    expect(rateOf('NOK', on('EUR', 'NOK', 12), on('USD', 'EUR', 0.75))).toBe(9);
  });

  it('divides by the pair of the base in dollars', () => {
    expect(rateOf('NOK', on('EUR', 'NOK', 12), on('EUR', 'USD', 1.6))).toBe(7.5);
  });

  it('looks for bridges in that order', () => {
    const all = [on('USD', 'NOK', 9), on('USD', 'EUR', 0.5), on('EUR', 'USD', 4)];
    const blends = blend([on('EUR', 'NOK', 12), ...all], '2026-03-02');
    // EUR: 0.75 by the quote, 0.5 as published, 0.25 inverted; NOK only as published.
    expect(of(blends, 'EUR').rate).toBe(0.5);
    expect(of(blends, 'NOK').rate).toBe(9);
    const without = blend([on('EUR', 'NOK', 12), on('USD', 'EUR', 0.5), on('EUR', 'USD', 4)], '2026-03-02');
    expect(of(without, 'NOK').rate).toBe(6);
  });

  it('crosses only within one provider, and drops what has no bridge', () => {
    const blends = blend(
      [row('A', '2026-03-02', 'EUR', 'NOK', 12), row('B', '2026-03-02', 'USD', 'NOK', 9)],
      '2026-03-02',
    );
    expect(blends.map(({ quote }) => quote)).toEqual(['NOK']);
  });

  it('drops a bridge that has left the window', () => {
    const rows = [row('A', '2026-03-02', 'EUR', 'NOK', 12), row('A', '2026-02-15', 'EUR', 'USD', 1.2)];
    expect(blend(rows, '2026-03-01').map(({ quote }) => quote)).toEqual(['EUR']);
    expect(blend(rows, '2026-03-02')).toEqual([]);
  });

  it('takes the mean where one provider reaches a quote twice on a date, and both on two dates', () => {
    const twice = blend([on('USD', 'EUR', 0.5), on('EUR', 'USD', 1)], '2026-03-02');
    expect(sourcesOf(of(twice, 'EUR'))).toEqual([
      { provider: 'A', date: '2026-03-02', rate: 0.75, excluded: false },
    ]);
    const apart = blend([on('EUR', 'USD', 1), row('A', '2026-03-01', 'USD', 'EUR', 0.5)], '2026-03-02');
    expect(sourcesOf(of(apart, 'EUR')).map(({ date, rate }) => [date, rate])).toEqual([
      ['2026-03-01', 0.5],
      ['2026-03-02', 1],
    ]);
  });
});

describe('consensus', () => {
  const say = (...rates: number[]) =>
    rates.map((rate, index) => row(`P${index}`, '2026-03-02', 'USD', 'NOK', rate));
  const excluded = (rows: RawRow[]) => [...of(blend(rows, '2026-03-02'), 'NOK').excluded];

  it('takes the upper of two middle values', () => {
    expect(upperMedian(Float64Array.of(4, 1, 3, 2))).toBe(3);
    expect(upperMedian(Float64Array.of(3, 1, 2))).toBe(2);
  });

  it('excludes no provider if there are fewer than four', () => {
    expect(excluded(say(10, 10, 100))).toEqual([]);
    expect(excluded(say(10, 10, 10, 100))).toEqual(['P3']);
  });

  it('counts providers, not rows', () => {
    const rows = [
      ...say(10, 10, 100),
      row('P0', '2026-03-01', 'NOK', 'USD', 0.1),
      row('P1', '2026-03-01', 'NOK', 'USD', 0.1),
    ];
    expect(excluded(rows)).toEqual([]);
  });

  it('allows 5 % of the median, the limit included', () => {
    expect(excluded(say(100, 100, 100, 105))).toEqual([]);
    expect(excluded(say(100, 100, 100, 105.01))).toEqual(['P3']);
    expect(excluded(say(100, 100, 100, 94.99))).toEqual(['P3']);
  });

  it('allows ten median absolute deviations where that is more', () => {
    // Median 100, deviations 0 1 1 1 9.5: ten times 1.
    expect(excluded(say(99, 100, 101, 101, 109.5))).toEqual([]);
    expect(excluded(say(99, 100, 101, 101, 111.5))).toEqual(['P4']);
  });

  it('leaves out every row of a provider that is left out, of that quote alone', () => {
    const rows = [
      ...say(10, 10, 10, 30),
      row('P3', '2026-03-01', 'NOK', 'USD', 0.1),
      row('P3', '2026-03-02', 'USD', 'SEK', 11),
    ];
    const blends = blend(rows, '2026-03-02');
    expect(sourcesOf(of(blends, 'NOK')).filter((source) => source.excluded)).toHaveLength(2);
    expect(of(blends, 'NOK').rate).toBe(10);
    expect([...of(blends, 'SEK').excluded]).toEqual([]);
  });
});

describe('weights', () => {
  it('are whole for three days and decay from then on', () => {
    expect([0, 3].map(recencyWeight)).toEqual([1, 1]);
    expect(recencyWeight(4)).toBe(Math.exp(-0.5));
    expect(recencyWeight(14)).toBe(Math.exp(-5.5));
  });

  it('count from the newest contribution over all quotes', () => {
    const rows = [
      row('A', '2026-03-16', 'USD', 'NOK', 20),
      row('B', '2026-03-12', 'USD', 'NOK', 10),
      row('C', '2026-03-12', 'USD', 'SEK', 8),
      row('D', '2026-03-02', 'USD', 'SEK', 4),
    ];
    const blends = blend(rows, '2026-03-16');
    expect(of(blends, 'NOK')).toMatchObject({ date: '2026-03-16' });
    const four = Math.exp(-0.5);
    const fourteen = Math.exp(-5.5);
    expect(of(blends, 'NOK').rate).toBeCloseTo((20 + 10 * four) / (1 + four), 12);
    expect(of(blends, 'SEK').rate).toBeCloseTo((8 * four + 4 * fourteen) / (four + fourteen), 12);
    expect(of(blends, 'SEK')).toMatchObject({ date: '2026-03-12' });
  });

  it('dates a blend by the newest contribution that counts', () => {
    const rows = ['A', 'B', 'C'].map((provider) => row(provider, '2026-03-01', 'USD', 'NOK', 10));
    rows.push(row('D', '2026-03-02', 'USD', 'NOK', 99));
    expect(of(blend(rows, '2026-03-02'), 'NOK')).toMatchObject({ date: '2026-03-01', rate: 10 });
  });
});

describe('pegs', () => {
  const peg = (quote: string, base: string, rate: number, since: string, until?: string): Peg => {
    return { quote, base, rate, since, until, authority: 'an authority', source: 'https://example.com' };
  };
  const blends: DollarRate[] = [
    { quote: 'AED', date: '2026-02-27', rate: 3.7 },
    { quote: 'EUR', date: '2026-03-02', rate: 0.8 },
  ];

  it('replace what providers say and keep its date', () => {
    expect(applyPegs(blends, [peg('AED', 'USD', 3.6725, '1997-11-02')])[0]).toEqual({
      quote: 'AED',
      date: '2026-02-27',
      rate: 3.6725,
    });
  });

  it('go over the blended rate of the anchor, and date the unpublished as the newest row', () => {
    const anchored = applyPegs(blends, [peg('XOF', 'EUR', 655.957, '1999-01-01')]);
    expect(anchored[2]).toEqual({ quote: 'XOF', date: '2026-03-02', rate: 655.957 * 0.8 });
  });

  it('hold from their first day on, and not without their anchor', () => {
    const unpublished = (since: string) => applyPegs(blends, [peg('BMD', 'USD', 1, since)]).length;
    expect([unpublished('2026-03-02'), unpublished('2026-03-03')]).toEqual([3, 2]);
    expect(applyPegs(blends, [peg('AED', 'USD', 3.6725, '2026-02-28')])[0]?.rate).toBe(3.7);
    expect(applyPegs(blends, [peg('BTN', 'INR', 1, '1974-01-01')])).toEqual(blends);
    expect(applyPegs([], [peg('BMD', 'USD', 1, '1972-02-06')])).toEqual([]);
  });

  it('hold up to the day before their end', () => {
    const unpublished = (until: string) => applyPegs(blends, [peg('ANG', 'USD', 1.79, '1971-12-18', until)]);
    expect(unpublished('2026-03-03').map(({ quote }) => quote)).toEqual(['AED', 'ANG', 'EUR']);
    expect(unpublished('2026-03-02')).toEqual(blends);
    expect(applyPegs(blends, [peg('AED', 'USD', 3.6725, '1997-11-02', '2026-02-27')])[0]?.rate).toBe(3.7);
  });
});

describe('each date of a window', () => {
  const rows = ['2026-03-02', '2026-03-03', '2026-03-05', '2026-03-06'].flatMap((date, index) => [
    row('B', date, 'USD', 'NOK', 10.1 + index),
    row('A', date, 'NOK', 'USD', 0.3 / (index + 1)),
  ]);

  it('is blended exactly as that date alone', () => {
    const window = { from: '2026-03-03', to: '2026-03-05' };
    const days = [...blendEachDate(rows, window)];
    expect(days.map(({ date }) => date)).toEqual(['2026-03-03', '2026-03-05']);
    for (const { date, blends } of days) expect(blends).toEqual(blend(rows.toReversed(), date));
  });

  it('refuses rows out of order', () => {
    expect(() => [...blendEachDate(rows.toReversed(), { from: '2026-03-01', to: '2026-03-09' })]).toThrow(
      RangeError,
    );
  });
});
