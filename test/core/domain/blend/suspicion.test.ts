import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  confirmationsNeeded,
  type Evidence,
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

  it('confirms by itself, where others contradict, only at the third time, and an error of a known shape never', () => {
    expect(confirmationsNeeded(held(1.6, { own: own(1.08), others: steady(1.08) }))).toBe(3);
    expect(confirmationsNeeded(held(10.8, { own: own(1.08), others: steady(1.08) }))).toBe(
      Number.POSITIVE_INFINITY,
    );
    expect(confirmationsNeeded(held(10.8, { own: own(1.08) }))).toBe(1);
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
