import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  areSwapped,
  type Evidence,
  publicationsNeeded,
  type SuspicionReason,
  suspicionOf,
  usualMove,
  type Witness,
} from '../../../../core/domain/blend/suspicion.js';

const TODAY = 20_000;
/** A rate of many digits. */
const RATE = 2.1234567;
const { exp, log } = Math;
const last = (rate: number, age = 1) => ({ day: TODAY - age, rate });
const says = (rate: number, age = 0): Witness => ({ provider: 'A', day: TODAY - age, rate });
const judged = (rate: number, evidence: Partial<Evidence>) =>
  suspicionOf({ day: TODAY, rate, last: undefined, others: [], usual: 0, ...evidence });
const reasonOf = (rate: number, evidence: Partial<Evidence>) => judged(rate, evidence)?.reason;

const THREE = [200, RATE, 300].map((rate) => says(rate));
it.each<[what: string, most: number, evidence: Partial<Evidence>]>([
  ['moved by 5 % where others speak', 0.05, { last: last(RATE), others: [says(1.25 * RATE)] }],
  ['moved by 12 % where nobody does', 0.12, { last: last(RATE) }],
  ['moved by 12 % where others give another market', 0.12, { last: last(RATE), others: [says(1.4 * RATE)] }],
  ['moved by four times what is usual', 0.2, { last: last(RATE), others: [says(1.29 * RATE)], usual: 0.05 }],
  ['moved by 12 % in four days', 0.12, { last: last(RATE, 4) }],
  ['moved by the square root of more days', 0.24, { last: last(RATE, 16) }],
  ['moved by a factor of 2.5 in years', log(2.5), { last: last(RATE, 3000) }],
  ['is within 5 % of another source', 0.05, { last: last(100), others: THREE }],
  ['is within what time explains of an older figure', 0.1, { last: last(100), others: [says(RATE, 16)] }],
  ['is a first one within 30 % of any other source', log(1.3), { others: THREE }],
  ['is a first one within a factor of seven of what was known', log(7), { others: [says(RATE, 9000)] }],
])('a figure is trusted that %s, and no further away', (_, most, evidence) => {
  const at = (distance: number) => [1, -1].map((sign) => reasonOf(RATE * exp(sign * distance), evidence));
  const reason = evidence.last ? 'jump' : 'apart';
  expect([...at(most - 0.002), ...at(most + 0.002)]).toEqual([undefined, undefined, reason, reason]);
});

it('others that have been silent for more than 14 days do not speak', () => {
  const reason = (age: number) => reasonOf(1.1234567, { last: last(1.0234567), others: [says(1.3, age)] });
  expect([14, 15].map(reason)).toEqual(['jump', undefined]);
});

it.each([
  [0.11, 0.13, undefined],
  [0.1101, 0.13, 'jump'],
  [1.1e-7, 1.3e-7, undefined],
  [1.101e-7, 1.3e-7, 'jump'],
  [1, 2, undefined],
  [110, 150, 'jump'],
])('a move may be one unit of the last digit more: %d to %d, %s', (from, to, reason) => {
  expect(reasonOf(to, { last: last(from) })).toBe(reason);
});

it('a figure is held against the other source nearest to it, else its own last one, else nothing', () => {
  const others = [says(120), says(110), says(90)];
  for (const given of [others, others.toReversed()])
    expect(judged(101, { last: last(80), others: given })).toEqual({ reason: 'jump', expected: 110 });
  expect(judged(101, { last: last(80) })).toEqual({ reason: 'jump', expected: 80 });
  expect(judged(1234, {})).toBeUndefined();
});

it.each([
  ['is within 15 % of a power of ten', 'factor_of_ten', 10, 1],
  ['is as near to a small one', 'factor_of_ten', 0.001, -1],
  ['is within 15 % of the inverse', 'inverted', RATE ** -2, 1],
  ['is as near to it from below', 'inverted', RATE ** -2, -1],
])('the reason says that a figure %s: %s', (_, reason, factor, sign) => {
  const at = (move: number) => reasonOf(RATE * factor * exp(sign * move), { last: last(RATE) });
  expect([0.149, 0.151].map(at)).toEqual([reason, 'jump']);
});

it('the reason is no inverse where the rate was expected to be within 30 % of its own', () => {
  const inverse = (expected: number) => reasonOf(1 / expected, { last: last(expected) });
  expect([exp(0.149), exp(0.151)].map(inverse)).toEqual(['jump', 'inverted']);
});

it.each<[SuspicionReason, alone: number, contradicted: number]>([
  ['jump', 2, 4],
  ['apart', 2, 4],
  ['factor_of_ten', 10, Number.POSITIVE_INFINITY],
  ['inverted', 10, Number.POSITIVE_INFINITY],
  ['swapped', 10, Number.POSITIVE_INFINITY],
])('%s takes %d publications in a row where nobody speaks, else %d', (reason, alone, contradicted) => {
  const needed = (...others: Witness[]) =>
    publicationsNeeded({ day: TODAY, rate: 10, last: last(1), others, usual: 0 }, reason);
  expect([needed(), needed(says(1, 15)), needed(says(1, 14))]).toEqual([alone, alone, contradicted]);
});

it.each([
  ['each is within 15 % of what was expected of the other', 60 * exp(0.149), 40, 40 * exp(-0.149), 60, true],
  ['one is further away', 60 * exp(0.151), 40, 40, 60, false],
  ['the other is further away', 60, 40, 40 * exp(-0.151), 60, false],
  ['both were expected within 30 %', 100 * exp(0.299), 100, 100, 100 * exp(0.299), false],
  ['they were not', 100 * exp(0.301), 100, 100, 100 * exp(0.301), true],
])('two figures are swapped or not where %s', (_, rate, expected, otherRate, other, isSwapped) => {
  const held = { day: TODAY, reason: 'jump' as const };
  expect(areSwapped({ ...held, rate, expected }, { ...held, rate: otherRate, expected: other })).toBe(
    isSwapped,
  );
});

/** Rates of a given precision, all below one, so that none is the inverse of another. */
const coarse = fc
  .tuple(fc.integer({ min: 1, max: 99_999 }), fc.integer({ min: 5, max: 9 }))
  .map(([digits, decimals]) => Number(`${digits}e-${decimals}`));
const fine = fc.double({ min: log(1e-4), max: log(1e4), noNaN: true }).map(exp);
const dayWithin = (days: number, from = 0) => fc.integer({ min: TODAY - days, max: TODAY - from });
const evidenceOf = (rate: fc.Arbitrary<number>): fc.Arbitrary<Evidence> =>
  fc.record({
    day: fc.constant(TODAY),
    rate,
    last: fc.option(fc.record({ day: dayWithin(400, 1), rate }), { nil: undefined }),
    others: fc.array(fc.record({ provider: fc.constantFrom('A', 'B', 'C'), day: dayWithin(30), rate }), {
      maxLength: 5,
    }),
    usual: fc.constantFrom(0, 0.01, 0.1),
  });
const divided = (rate: number, power: number) => {
  const [digits, exponent] = rate.toExponential().split('e');
  return Number(`${digits}e${Number(exponent) - power}`);
};
const mapped = ({ day, rate, last, others, usual }: Evidence, map: (rate: number) => number): Evidence => ({
  day,
  usual,
  rate: map(rate),
  last: last && { ...last, rate: map(last.rate) },
  others: others.map((other) => ({ ...other, rate: map(other.rate) })),
});

it.each<[what: string, rates: (number | undefined)[], usual: number]>([
  ['the second largest', [100, 103, 99, 99.5], log(103 / 100)],
  ['none of one alone', [100, 130], 0],
  ['none of days before them', [100, 130, 90, ...Array(14).fill(undefined), 91, 92], 0],
  ['over a gap as much as of four days', [100, ...Array(7).fill(undefined), 110, 109], log(110 / 109)],
])('the usual move of the two weeks before is %s', (_, rates, usual) => {
  const figures = rates.flatMap((rate, at) =>
    rate === undefined ? [] : [{ day: TODAY + at - rates.length, rate }],
  );
  expect(usualMove(figures, TODAY)).toBeCloseTo(usual, 5);
  expect(usualMove([...figures, { day: TODAY, rate: 200 }], TODAY)).toBeCloseTo(usual, 5);
});

it('for any evidence the unit does not matter', () => {
  fc.assert(
    fc.property(evidenceOf(coarse), fc.integer({ min: 1, max: 6 }), (given, power) => {
      const scaled = mapped(given, (rate) => divided(rate, power));
      expect(suspicionOf(scaled)?.reason).toBe(suspicionOf(given)?.reason);
    }),
    { examples: [[{ day: TODAY, rate: 1.2e-8, last: { day: TODAY, rate: 3e-8 }, others: [], usual: 1 }, 4]] },
  );
});

it('for any evidence the direction of the pair does not matter, but for one unit of the last digit', () => {
  fc.assert(
    fc.property(evidenceOf(fine), (given) => {
      const [one, other] = [suspicionOf(given), suspicionOf(mapped(given, (rate) => 1 / rate))];
      expect(other?.reason).toBe(one?.reason);
      if (one) expect(other?.expected).toBeCloseTo(1 / one.expected, 6);
    }),
  );
});

it('for any evidence the order of the others does not matter', () => {
  // Both are as far away.
  const others = [says(1 / 1024), says(1024)];
  fc.assert(
    fc.property(evidenceOf(fine), (given) => {
      expect(suspicionOf({ ...given, others: given.others.toReversed() })).toEqual(suspicionOf(given));
    }),
    { examples: [[{ day: TODAY, rate: 1, last: undefined, others, usual: 0 }]] },
  );
  expect(judged(1, { others })?.expected).toBe(1 / 1024);
});

it('for any evidence one more source that says the same is never a reason to suspect a rate', () => {
  fc.assert(
    fc.property(evidenceOf(fine), (given) => {
      expect(suspicionOf({ ...given, others: [...given.others, says(given.rate)] })).toBeUndefined();
    }),
  );
});
