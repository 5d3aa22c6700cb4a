import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  areSwapped,
  confirmationsNeeded,
  type Evidence,
  type HeldFigure,
  isConfirmedByOther,
  type OtherFigure,
  staysAtLevel,
  suspicionOf,
} from '../../../../core/domain/blend/suspicion.js';

const TODAY = 20_000;
const own = (rate: number, swing = 0) => ({ day: TODAY - 1, rate, swing });
const steady = (...rates: number[]): OtherFigure[] => rates.map((rate) => ({ now: rate, before: rate }));
const judge = (rate: number, evidence: Partial<Evidence>) =>
  suspicionOf({ day: TODAY, rate, own: undefined, others: [], ...evidence });

describe('a figure that nobody else gives', () => {
  it.each([
    [10.873, 'factor_of_ten'],
    [108.73, 'factor_of_ten'],
    [0.0010873, 'factor_of_ten'],
    [1.6, 'jump'],
    [0.7, 'jump'],
  ])('is suspect at %d after 1.0873: %s', (rate, reason) => {
    expect(judge(rate, { own: own(1.0873) })).toEqual({ reason, expected: 1.0873, others: 0 });
  });

  it('is suspect where it is the inverse of the last one', () => {
    expect(judge(1 / 157.3, { own: own(158) })?.reason).toBe('inverted');
  });

  it('is ordinary within 12 %, or within three of its recent swings up to 20 %', () => {
    expect(judge(1.2, { own: own(1.0873) })).toBeUndefined();
    expect(judge(1.3, { own: own(1.0873, 0.06) })).toBeUndefined();
    expect(judge(1.4, { own: own(1.0873, 0.5) })?.reason).toBe('jump');
  });

  it('may have moved further in a longer time', () => {
    const monthAgo = { ...own(100), day: TODAY - 31 };
    expect(judge(125, { own: monthAgo })).toBeUndefined();
    expect(judge(160, { own: monthAgo })?.reason).toBe('jump');
    expect(judge(300, { own: { ...monthAgo, day: TODAY - 3000 } })?.reason).toBe('jump');
  });

  it('may be coarse: after 0.11 comes 0.12', () => {
    expect(judge(0.13, { own: own(0.11) })).toBeUndefined();
    expect(judge(0.13, { own: own(0.1101) })?.reason).toBe('jump');
  });

  it('may be coarse where its digits are few, however small it is', () => {
    expect(judge(1.3e-7, { own: own(1.1e-7) })).toBeUndefined();
    expect(judge(1.3e-7, { own: own(1.101e-7) })?.reason).toBe('jump');
    expect(judge(4e-7, { own: own(3e-7) })).toBeUndefined();
    expect(judge(0.1, { own: own(0.2) })).toBeUndefined();
    expect(judge(1, { own: own(2) })).toBeUndefined();
    expect(judge(110, { own: own(150) })?.reason).toBe('jump');
  });

  it('is ordinary up to a factor of 2.5 after however long a gap', () => {
    const yearsAgo = { ...own(1000), day: TODAY - 3000 };
    expect(judge(2500, { own: yearsAgo })).toBeUndefined();
    expect(judge(2501, { own: yearsAgo })?.reason).toBe('jump');
  });

  it('may have moved no further within a week', () => {
    const days = (gap: number) => judge(1.23, { own: { ...own(1.0873), day: TODAY - gap } })?.reason;
    expect([1, 7, 8].map(days)).toEqual(['jump', 'jump', undefined]);
  });

  it.each([
    [10 * Math.exp(0.14), 'factor_of_ten'],
    [10 * Math.exp(0.16), 'jump'],
    [0.01 * Math.exp(-0.14), 'factor_of_ten'],
    [0.01 * Math.exp(-0.16), 'jump'],
  ])('has slipped its point where it is within 15 %% of that: %d times the last one', (factor, reason) => {
    expect(judge(3.1234 * factor, { own: own(3.1234) })?.reason).toBe(reason);
  });

  it.each([
    [Math.exp(0.14), 'inverted'],
    [Math.exp(0.16), 'jump'],
    [Math.exp(-0.14), 'inverted'],
    [Math.exp(-0.16), 'jump'],
  ])('is the inverse of the last one where it is within 15 %% of that: %d times', (factor, reason) => {
    expect(judge(factor / 2.1234, { own: own(2.1234) })?.reason).toBe(reason);
  });

  it('is believed where nothing is known', () => {
    expect(judge(1234, {})).toBeUndefined();
  });
});

describe('a figure that others give as well', () => {
  it('is suspect beyond 5 % of its last one and of all others', () => {
    expect(judge(1.16, { own: own(1.08), others: steady(1.081) })).toEqual({
      reason: 'jump',
      expected: 1.081,
      others: 1,
    });
  });

  it('is believed where any of them agrees', () => {
    expect(
      judge(1.16, { own: own(1.08), others: [...steady(1.081), { now: 1.15, before: 1.081 }] }),
    ).toBeUndefined();
  });

  it('is believed where it moves as another does, from which it has always been apart', () => {
    expect(judge(700, { own: own(500), others: [{ now: 1400, before: 1000 }] })).toBeUndefined();
  });

  it('is suspect where it is exactly the last one, though the others have left it', () => {
    expect(judge(1.08, { own: own(1.08), others: [{ now: 1.12, before: 1.082 }] })?.reason).toBe('unchanged');
    expect(judge(1.08, { own: own(1.08), others: steady(1.12) })).toBeUndefined();
    expect(judge(1.08, { own: own(1.08), others: [{ now: 1.085, before: 1.082 }] })).toBeUndefined();
  });

  it('is suspect as the first of its pair where it is 30 % from all of them', () => {
    expect(judge(1.5, { others: steady(1.08, 1.09) })).toEqual({
      reason: 'apart',
      expected: 1.09,
      others: 2,
    });
    expect(judge(1.35, { others: steady(1.08, 1.09) })).toBeUndefined();
  });

  it('is unchanged from 2 % on, where it had been within 1 % of another', () => {
    const unchanged = (now: number, before: number | undefined) =>
      judge(1.08, { own: own(1.08), others: [{ now: 1.08 * now, before: before && 1.08 * before }] });
    expect(unchanged(Math.exp(0.021), Math.exp(0.009))).toEqual({
      reason: 'unchanged',
      expected: 1.08 * Math.exp(0.021),
      others: 1,
    });
    expect(unchanged(Math.exp(-0.021), Math.exp(-0.009))?.reason).toBe('unchanged');
    expect(unchanged(Math.exp(0.019), 1)).toBeUndefined();
    expect(unchanged(Math.exp(0.021), Math.exp(0.011))).toBeUndefined();
    expect(unchanged(Math.exp(0.021), undefined)).toBeUndefined();
  });

  it('is unchanged where it had been near to one of several that have moved', () => {
    const others = [
      { now: 1.12, before: 1.08 },
      { now: 1.13, before: 1.2 },
    ];
    expect(judge(1.08, { own: own(1.08), others })).toEqual({
      reason: 'unchanged',
      expected: 1.12,
      others: 2,
    });
  });

  it('is not unchanged where nobody else gives it, or one of the others has not moved', () => {
    expect(judge(1.08, { own: own(1.08) })).toBeUndefined();
    expect(
      judge(1.08, { own: own(1.08), others: [{ now: 1.12, before: 1.08 }, ...steady(1.09)] }),
    ).toBeUndefined();
  });

  it('agrees with another within 5 %', () => {
    const agrees = (apart: number) =>
      judge(1.2 * Math.exp(apart), { own: own(1), others: [{ now: 1.2, before: undefined }] });
    expect([0.049, -0.049].map(agrees)).toEqual([undefined, undefined]);
    expect([0.051, -0.051].map((apart) => agrees(apart)?.reason)).toEqual(['jump', 'jump']);
  });

  it('moves as another does where the moves differ by 5 % at most', () => {
    const moved = (apart: number, before: number | undefined = 1000) =>
      judge(700, { own: own(500), others: [{ now: 1400 * Math.exp(apart), before }] });
    expect([0.049, -0.049].map((apart) => moved(apart))).toEqual([undefined, undefined]);
    expect([0.051, -0.051].map((apart) => moved(apart)?.reason)).toEqual(['jump', 'jump']);
    expect(judge(700, { own: own(500), others: [{ now: 1400, before: undefined }] })?.reason).toBe('jump');
  });

  it('may swing as it has lately where it is less than 30 % from the nearest of all', () => {
    const swung = (now: number) => judge(1.3, { own: own(1.1, 0.2), others: [{ now, before: undefined }] });
    expect(swung(1.001)).toBeUndefined();
    expect(swung(1)).toMatchObject({ reason: 'jump', expected: 1 });
  });

  it('may move by three of its recent swings, and by 5 % where these are less', () => {
    const after = (swing: number) => judge(94.12, { own: own(100, swing), others: steady(101.23) })?.reason;
    expect([0.001, 0.019, 0.021].map(after)).toEqual(['jump', 'jump', undefined]);
    expect(judge(96.12, { own: own(100, 0.001), others: steady(101.23) })).toBeUndefined();
  });

  it('is held against the nearest of the others, whichever stands first', () => {
    for (const others of [steady(120, 110, 130), steady(110, 120, 130)])
      expect(judge(90, { own: own(110.1), others })).toEqual({ reason: 'jump', expected: 110, others: 3 });
  });

  it('may be apart by one unit more of its last digit as the first of its pair', () => {
    expect(judge(0.14, { others: steady(0.1) })).toBeUndefined();
    expect(judge(0.1412, { others: steady(0.1) })?.reason).toBe('apart');
  });

  it('gets no excuse from its swings where it is 30 % from all of them', () => {
    const evidence = { own: own(8.2, 0.2), others: steady(8.9) };
    expect(judge(6.9, evidence)).toBeUndefined();
    expect(judge(6.7, evidence)?.reason).toBe('jump');
  });
});

describe('the next figure', () => {
  const held = (rate: number, evidence: Partial<Evidence>) => {
    const suspicion = judge(rate, evidence);
    if (!suspicion) throw new Error(`${rate} is no suspect`);
    return { rate, ...suspicion };
  };

  it('confirms a level within 5 %', () => {
    const suspect = held(1500, { own: own(1000) });
    expect(staysAtLevel(suspect, { rate: 1480, days: 1, own: 1000 })).toBe(true);
    expect(staysAtLevel(suspect, { rate: 1010, days: 1, own: 1000 })).toBe(false);
    expect(confirmationsNeeded(suspect)).toBe(1);
  });

  it('or it is one unit of the last digit away, however much that is', () => {
    const suspect = held(0.13, { own: own(0.01), others: steady(0.01) });
    expect(staysAtLevel(suspect, { rate: 0.14, days: 1, own: 0.01 })).toBe(true);
    expect(staysAtLevel(suspect, { rate: 0.16, days: 1, own: 0.01 })).toBe(false);
  });

  it('confirms a fall that goes on, as long as no other source contradicts', () => {
    expect(staysAtLevel(held(1300, { own: own(1000) }), { rate: 1400, days: 1, own: 1000 })).toBe(true);
    const contradicted = held(1400, { own: own(1000), others: steady(1000) });
    expect(staysAtLevel(contradicted, { rate: 1500, days: 1, own: 1000 })).toBe(false);
  });

  it('confirms a move that goes on by 20 % at most, and does not go back', () => {
    const jump = { rate: 1300, reason: 'jump' as const, expected: 1000, others: 0 };
    const next = (rate: number, own: number | undefined = 1000) => staysAtLevel(jump, { rate, days: 1, own });
    expect([1580, 1592, 1100].map((rate) => next(rate))).toEqual([true, false, false]);
    expect(staysAtLevel(jump, { rate: 1400, days: 1, own: undefined })).toBe(false);
  });

  it('confirms a small move that goes on by three times as much at most', () => {
    const jump = { rate: 1055, reason: 'jump' as const, expected: 1000, others: 1 };
    const next = (rate: number) => staysAtLevel(jump, { rate, days: 1, own: 1000 });
    expect([1237, 1241].map(next)).toEqual([true, false]);
  });

  it('may be further away after a longer time', () => {
    const held = { rate: 1000, reason: 'factor_of_ten' as const, expected: 100, others: 1 };
    const after = (days: number, rate: number) => staysAtLevel(held, { rate, days, own: 100 });
    expect([after(7, 1050), after(7, 1053), after(28, 1053), after(28, 1103), after(28, 1107)]).toEqual([
      true,
      false,
      true,
      true,
      false,
    ]);
  });

  it.each<[HeldFigure['reason'], rate: number, expected: number, others: number, needed: number]>([
    ['jump', 129, 100, 1, 1],
    ['jump', 1.3, 1, 1, 3],
    ['jump', 1.3, 1, 0, 1],
    ['apart', 140, 100, 2, 3],
    ['factor_of_ten', 1000, 100, 0, 1],
    ['factor_of_ten', 1000, 100, 1, Number.POSITIVE_INFINITY],
    ['inverted', 1000, 100, 1, Number.POSITIVE_INFINITY],
    ['swapped', 1000, 100, 1, Number.POSITIVE_INFINITY],
    ['unchanged', 100, 103, 1, Number.POSITIVE_INFINITY],
  ])(
    'for %s at %d instead of %d, with %i others, has to come %d times',
    (reason, rate, expected, others, needed) => {
      expect(confirmationsNeeded({ reason, rate, expected, others })).toBe(needed);
    },
  );

  it('confirms by itself, where others contradict, only at the third time, and an error of a known shape never', () => {
    expect(confirmationsNeeded(held(1.6, { own: own(1.08), others: steady(1.08) }))).toBe(3);
    expect(confirmationsNeeded(held(10.8, { own: own(1.08), others: steady(1.08) }))).toBe(
      Number.POSITIVE_INFINITY,
    );
    expect(confirmationsNeeded(held(10.8, { own: own(1.08) }))).toBe(1);
  });
});

it("another source's figure confirms within 5 %, what is unchanged within 1 %", () => {
  const confirms = (reason: HeldFigure['reason'], apart: number) =>
    isConfirmedByOther({ reason }, 100, 100 * Math.exp(apart));
  expect([0.049, -0.049, 0.051, -0.051].map((apart) => confirms('jump', apart))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect([0.009, -0.009, 0.011, -0.011].map((apart) => confirms('unchanged', apart))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

describe('two figures are swapped', () => {
  const held = (rate: number, expected: number): HeldFigure => ({
    rate,
    expected,
    reason: 'jump',
    others: 0,
  });

  it('where each is within 15 % of what was expected of the other', () => {
    expect(areSwapped(held(60, 40), held(40, 60))).toBe(true);
    expect(areSwapped(held(60 * Math.exp(0.14), 40), held(40 * Math.exp(-0.14), 60))).toBe(true);
    expect(areSwapped(held(60 * Math.exp(0.16), 40), held(40, 60))).toBe(false);
    expect(areSwapped(held(60, 40), held(40 * Math.exp(-0.16), 60))).toBe(false);
  });

  it('but not where the two were expected to be within 30 % of each other', () => {
    expect(areSwapped(held(100 * Math.exp(0.31), 100), held(100, 100 * Math.exp(0.31)))).toBe(true);
    expect(areSwapped(held(100 * Math.exp(0.29), 100), held(100, 100 * Math.exp(0.29)))).toBe(false);
  });
});

describe('for all figures', () => {
  const ratio = fc.double({ min: Math.log(1e-4), max: Math.log(1e4), noNaN: true }).map(Math.exp);
  const evidence = fc.record({
    day: fc.constant(TODAY),
    rate: ratio,
    own: fc.option(
      fc.record({
        day: fc.integer({ min: TODAY - 400, max: TODAY - 1 }),
        rate: ratio,
        swing: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      { nil: undefined },
    ),
    others: fc.array(fc.record({ now: ratio, before: fc.option(ratio, { nil: undefined }) }), {
      maxLength: 12,
    }),
  });

  it('the unit does not matter', () => {
    // Powers of two change no digit of the arithmetic; the last digit printed is far below all thresholds.
    const scale = fc.integer({ min: -12, max: 12 }).map((power) => 2 ** power);
    const scaled = ({ own, others, ...figure }: Evidence, by: number): Evidence => ({
      ...figure,
      rate: figure.rate * by,
      own: own && { ...own, rate: own.rate * by },
      others: others.map(({ now, before }) => ({ now: now * by, before: before && before * by })),
    });
    fc.assert(
      fc.property(evidence, scale, (given, by) => {
        const [one, other] = [suspicionOf(given), suspicionOf(scaled(given, by))];
        expect(one === undefined).toBe(other === undefined);
        if (one?.reason !== 'inverted' && other?.reason !== 'inverted')
          expect(one?.reason).toBe(other?.reason);
      }),
    );
  });

  it('the order of the others does not matter', () => {
    fc.assert(
      fc.property(evidence, (given) => {
        const reversed = { ...given, others: [...given.others].reverse() };
        const [one, other] = [suspicionOf(reversed), suspicionOf(given)];
        expect(one?.reason).toBe(other?.reason);
        expect(one?.others).toBe(other?.others);
      }),
    );
  });

  it('one within 5 % of its last one is believed, unless it is exactly that', () => {
    const near = fc.double({ min: -0.0499, max: 0.0499, noNaN: true });
    fc.assert(
      fc.property(evidence, near, (given, move) => {
        fc.pre(given.own !== undefined && Math.abs(move) > 1e-9);
        const rate = (given.own?.rate ?? 1) * Math.exp(move);
        expect(suspicionOf({ ...given, rate })).toBeUndefined();
      }),
    );
  });

  it('one that is a factor of three from its last one and from all others is suspect', () => {
    fc.assert(
      fc.property(evidence, fc.double({ min: 3, max: 1000, noNaN: true }), (given, factor) => {
        fc.pre(given.own !== undefined);
        const last = given.own?.rate ?? 1;
        const others = given.others.map((_, index) => ({ now: last * (1 + index / 1000), before: last }));
        const suspicion = suspicionOf({ ...given, rate: Number((last * factor).toPrecision(8)), others });
        expect(suspicion).toBeDefined();
      }),
    );
  });
});
