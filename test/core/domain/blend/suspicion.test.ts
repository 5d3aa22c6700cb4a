import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  areSwapped,
  type Evidence,
  publicationsNeeded,
  type SuspicionReason,
  suspicionOf,
  type Witness,
} from '../../../../core/domain/blend/suspicion.js';

const TODAY = 20_000;
const last = (rate: number, age = 1) => ({ day: TODAY - age, rate });
const says = (rate: number, age = 0): Witness => ({ provider: 'A', day: TODAY - age, rate });
const doubt = (rate: number, evidence: Partial<Evidence>) =>
  suspicionOf({ day: TODAY, rate, last: undefined, others: [], ...evidence });
const reasonOf = (rate: number, evidence: Partial<Evidence>) => doubt(rate, evidence)?.reason;

/** Reasons for a figure so far above and below a rate of many digits, in logarithms. */
const apart = (distances: readonly number[], evidence: (rate: number) => Partial<Evidence>) =>
  distances.flatMap((distance) =>
    [distance, -distance].map((move) => reasonOf(2.1234567 * Math.exp(move), evidence(2.1234567))),
  );
const BOTH = (reason: SuspicionReason) => [undefined, undefined, reason, reason];

describe('a move from the last figure is ordinary', () => {
  it('within 5 % where others speak, and within 12 % where nobody does', () => {
    const elsewhere = [says(100)];
    expect(apart([0.049, 0.051], (rate) => ({ last: last(rate), others: elsewhere }))).toEqual(BOTH('jump'));
    expect(apart([0.119, 0.121], (rate) => ({ last: last(rate) }))).toEqual(BOTH('jump'));
  });

  it('within 12 % where others have been silent for more than 14 days', () => {
    const reason = (age: number) => reasonOf(1.1234567, { last: last(1.0234567), others: [says(200, age)] });
    expect([14, 15].map(reason)).toEqual(['jump', undefined]);
  });

  it('after more than four days by the square root of time, up to a factor of 2.5', () => {
    expect(apart([0.119, 0.121], (rate) => ({ last: last(rate, 4) }))).toEqual(BOTH('jump'));
    expect(apart([0.238, 0.242], (rate) => ({ last: last(rate, 16) }))).toEqual(BOTH('jump'));
    const limit = Math.log(2.5);
    expect(apart([limit - 0.001, limit + 0.001], (rate) => ({ last: last(rate, 3000) }))).toEqual(
      BOTH('jump'),
    );
  });

  it('by one unit of the last digit more, however many digits there are', () => {
    expect(reasonOf(0.13, { last: last(0.11) })).toBeUndefined();
    expect(reasonOf(0.13, { last: last(0.1101) })).toBe('jump');
    expect(reasonOf(1.3e-7, { last: last(1.1e-7) })).toBeUndefined();
    expect(reasonOf(1.3e-7, { last: last(1.101e-7) })).toBe('jump');
    expect(reasonOf(2, { last: last(1) })).toBeUndefined();
    expect(reasonOf(150, { last: last(110) })).toBe('jump');
  });
});

describe('a figure that moved further', () => {
  it('is believed where another source agrees within 5 %', () => {
    expect(
      apart([0.049, 0.051], (rate) => ({ last: last(100), others: [says(200), says(rate), says(300)] })),
    ).toEqual(BOTH('jump'));
  });

  it('agrees with an older figure within what time explains', () => {
    expect(apart([0.099, 0.101], (rate) => ({ last: last(100), others: [says(rate, 16)] }))).toEqual(
      BOTH('jump'),
    );
  });

  it('is held against the other source nearest to it, else against its own last figure', () => {
    const others = [says(120), says(110), says(90)];
    for (const given of [others, others.toReversed()])
      expect(doubt(101, { last: last(80), others: given })).toEqual({ reason: 'jump', expected: 110 });
    expect(doubt(101, { last: last(80) })).toEqual({ reason: 'jump', expected: 80 });
  });
});

describe('the first figure of a pair', () => {
  it('is believed where nothing is known of the currency', () => {
    expect(doubt(1234, {})).toBeUndefined();
  });

  it('is believed within 30 % of any other source', () => {
    const limit = Math.log(1.3);
    expect(
      apart([limit - 0.001, limit + 0.001], (rate) => ({ others: [says(200), says(rate), says(300)] })),
    ).toEqual(BOTH('apart'));
  });

  it('is believed within a factor of seven of what was last known, however long ago', () => {
    const limit = Math.log(7);
    expect(apart([limit - 0.001, limit + 0.001], (rate) => ({ others: [says(rate, 9000)] }))).toEqual(
      BOTH('apart'),
    );
  });
});

describe('the reason', () => {
  const SHAPED = [
    ['is within 15 % of a power of ten', 'factor_of_ten', 10, 0.149, 0.151],
    ['is as near to a small one', 'factor_of_ten', 0.001, -0.149, -0.151],
    ['is within 15 % of the inverse', 'inverted', 2.1234567 ** -2, 0.149, 0.151],
    ['is as near to it from below', 'inverted', 2.1234567 ** -2, -0.149, -0.151],
  ] as const;

  it.each(SHAPED)('tells that a figure %s: %s', (_, reason, factor, within, beyond) => {
    const at = (move: number) => reasonOf(2.1234567 * factor * Math.exp(move), { last: last(2.1234567) });
    expect([within, beyond].map(at)).toEqual([reason, 'jump']);
  });

  it('is no inverse where the rate was expected to be within 30 % of its own', () => {
    const inverse = (expected: number) => reasonOf(1 / expected, { last: last(expected) });
    expect([Math.exp(0.149), Math.exp(0.151)].map(inverse)).toEqual(['jump', 'inverted']);
  });

  it.each<[SuspicionReason, alone: number, contradicted: number]>([
    ['jump', 2, 4],
    ['apart', 2, 4],
    ['factor_of_ten', 10, Number.POSITIVE_INFINITY],
    ['inverted', 10, Number.POSITIVE_INFINITY],
    ['swapped', 10, Number.POSITIVE_INFINITY],
  ])('%s takes %d publications in a row where nobody speaks, else %d', (reason, alone, contradicted) => {
    const needed = (...others: Witness[]) =>
      publicationsNeeded({ day: TODAY, rate: 10, last: last(1), others }, reason);
    expect([needed(), needed(says(1, 15)), needed(says(1, 14))]).toEqual([alone, alone, contradicted]);
  });
});

describe('two figures of a table are swapped', () => {
  const held = (rate: number, expected: number) => ({ day: TODAY, rate, expected, reason: 'jump' as const });

  it('where each is within 15 % of what was expected of the other', () => {
    expect(areSwapped(held(60 * Math.exp(0.149), 40), held(40 * Math.exp(-0.149), 60))).toBe(true);
    expect(areSwapped(held(60 * Math.exp(0.151), 40), held(40, 60))).toBe(false);
    expect(areSwapped(held(60, 40), held(40 * Math.exp(-0.151), 60))).toBe(false);
  });

  it('but not where the two were expected to be within 30 % of each other', () => {
    const swapped = (other: number) => areSwapped(held(other, 100), held(100, other));
    expect([100 * Math.exp(0.299), 100 * Math.exp(0.301)].map(swapped)).toEqual([false, true]);
  });
});

describe('of all evidence', () => {
  /** Rates of a given precision, all below one, so that none is the inverse of another. */
  const coarse = fc
    .tuple(fc.integer({ min: 1, max: 99_999 }), fc.integer({ min: 5, max: 9 }))
    .map(([digits, decimals]) => Number(`${digits}e-${decimals}`));
  const fine = fc.double({ min: Math.log(1e-4), max: Math.log(1e4), noNaN: true }).map(Math.exp);
  const evidenceOf = (rate: fc.Arbitrary<number>): fc.Arbitrary<Evidence> =>
    fc.record({
      day: fc.constant(TODAY),
      rate,
      last: fc.option(fc.record({ day: fc.integer({ min: TODAY - 400, max: TODAY - 1 }), rate }), {
        nil: undefined,
      }),
      others: fc.array(
        fc.record({
          provider: fc.constantFrom('A', 'B', 'C'),
          day: fc.integer({ min: TODAY - 30, max: TODAY }),
          rate,
        }),
        { maxLength: 5 },
      ),
    });
  const divided = (rate: number, power: number) => {
    const [digits, exponent] = rate.toExponential().split('e');
    return Number(`${digits}e${Number(exponent) - power}`);
  };
  const mapped = ({ day, rate, last, others }: Evidence, map: (rate: number) => number): Evidence => ({
    day,
    rate: map(rate),
    last: last && { ...last, rate: map(last.rate) },
    others: others.map((other) => ({ ...other, rate: map(other.rate) })),
  });

  it('the unit does not matter', () => {
    fc.assert(
      fc.property(evidenceOf(coarse), fc.integer({ min: 1, max: 6 }), (given, power) => {
        const scaled = mapped(given, (rate) => divided(rate, power));
        expect(suspicionOf(scaled)?.reason).toBe(suspicionOf(given)?.reason);
      }),
    );
  });

  it('the direction of the pair does not matter, but for one unit of the last digit', () => {
    fc.assert(
      fc.property(evidenceOf(fine), (given) => {
        const [one, other] = [suspicionOf(given), suspicionOf(mapped(given, (rate) => 1 / rate))];
        expect(other?.reason).toBe(one?.reason);
        if (one) expect(other?.expected).toBeCloseTo(1 / one.expected, 6);
      }),
    );
  });

  it('the order of the others does not matter', () => {
    const [low, high] = [says(1 / 1024), says(1024)];
    for (const others of [
      [low, high],
      [high, low],
    ])
      expect(suspicionOf({ day: low.day, rate: 1, last: undefined, others })?.expected).toBe(low.rate);
    fc.assert(
      fc.property(evidenceOf(fine), (given) => {
        const reversed = { ...given, others: given.others.toReversed() };
        expect(suspicionOf(reversed)).toEqual(suspicionOf(given));
      }),
    );
  });

  it('one more source that says the same is never a reason to doubt', () => {
    fc.assert(
      fc.property(evidenceOf(fine), (given) => {
        expect(suspicionOf({ ...given, others: [...given.others, says(given.rate)] })).toBeUndefined();
      }),
    );
  });
});
