import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createCarriedRows,
  observe,
  type Series,
  seriesOf,
} from '../../../../core/domain/blend/carry-forward.js';
import { createJudge } from '../../../../core/domain/blend/judge.js';
import { isHeld, type Suspect } from '../../../../core/domain/blend/suspect.js';
import { named, type State, type Table, tell, type WalkOptions, walk } from './judging.js';

const [A, B, C, D, E] = ['A USD/EGP', 'B USD/EGP', 'C USD/EGP', 'D USD/EGP', 'E USD/EGP'] as const;
const told = (table: Table, options?: WalkOptions) => walk(table, options).told;
const states = (table: Table, options?: WalkOptions) => walk(table, options).states;
const times = <T>(count: number, one: T): T[] => Array(count).fill(one);
const none = undefined;

it('a suspect is held back until it is confirmed, and again once it is refuted', () => {
  const suspects = [{}, { confirmedOn: 3 }, { confirmedOn: 3, refutedOn: 5 }] as Suspect[];
  expect(suspects.map(isHeld)).toEqual([true, false, true]);
});

describe('what a figure is judged by', () => {
  const evidence = (table: Table, options?: WalkOptions) => {
    const { last, others, expected } = walk(table, options).suspects.at(-1) ?? {};
    return { last, others, expected };
  };

  it('is its last figure and those of others, in its own direction', () => {
    const expected = {
      last: { day: 1, rate: 32 },
      others: [{ provider: 'B', day: 2, rate: 31 }],
      expected: 31,
    };
    expect(evidence({ [A]: [32, 45], [B]: [31, 31] })).toEqual(expected);
    expect(evidence({ 'A EGP/USD': [1 / 32, 1 / 45], [B]: [32, 32] })).toMatchObject({ expected: 1 / 32 });
    expect(evidence({ [A]: [32, 45], 'B EGP/USD': [1 / 32, 1 / 32] })).toMatchObject({ expected: 32 });
  });

  it('is not what its own provider says in another pair', () => {
    expect(evidence({ [A]: [32, 45], 'A EGP/USD': [1 / 32, 1 / 32] })).toMatchObject({
      others: [],
      expected: 32,
    });
  });

  it('is, for a pair without the dollar, what the same provider’s dollar rate makes of it', () => {
    const cross = { 'A EUR/EGP': [33.6, 36.6], [B]: [32, 32] };
    expect(told(cross)).toEqual([]);
    expect(told({ 'A EUR/USD': [1.05, 1.05], ...cross })).toEqual(['2 A EUR/EGP 36.6 jump: held']);
  });

  it('are all figures of others from the 14 days up to it', () => {
    const others = { [B]: [150, none, none], [C]: [none, 125, none] };
    expect(told({ [A]: [120, none, 149], ...others })).toEqual([]);
    expect(told({ [A]: [120, none, 149], ...others }, { days: [1, 2, 16] })).toHaveLength(1);
  });

  it('is, where nobody spoke for 14 days, what was known last', () => {
    const silent = { [B]: [100, none, 100], [C]: [none, 120, none], [A]: [none, none, none, 1999] };
    expect(evidence(silent, { days: [1, 2, 30, 44] }).others).toMatchObject([{ provider: 'B', day: 30 }]);
    expect(evidence({ ...silent, [B]: [100] }, { days: [1, 2, 30, 44] })).toMatchObject({
      others: [{ provider: 'C', day: 2, rate: 120 }],
    });
  });

  it('is, for a first figure of which nothing is known, what other first figures of its day are', () => {
    expect(told({ [A]: [100], [B]: [132] })).toEqual([
      '1 A USD/EGP 100 apart: held',
      '1 B USD/EGP 132 apart: held',
    ]);
    expect(told({ [A]: [100], [B]: [129] })).toEqual([]);
    expect(told({ [A]: [none, 100], [B]: [none, 132], [C]: [100] })).toEqual(['2 B USD/EGP 132 apart: held']);
  });

  it('are figures of its day that moved by less than 5 %, whichever stands first', () => {
    expect(told({ [B]: [90, 109.5], [A]: [100, 104.8] })).toEqual([]);
  });

  it('are dollar rates that are believed', () => {
    const table = { 'A USD/MKD': [60, 6], 'A EUR/MKD': [66, 66.6], 'B EUR/USD': [1.1, 1.1] };
    expect(told(table)).toEqual(['2 A USD/MKD 6 factor_of_ten: held']);
  });
});

it('two figures of one table that were exchanged are swapped, two of different tables are not', () => {
  const table = (provider: string) => ({ [A]: [30, 21], [`${provider} USD/MAD`]: [20.5, 30.2] });
  expect(told(table('A'))).toEqual(['2 A USD/EGP 21 swapped: held', '2 A USD/MAD 30.2 swapped: held']);
  expect(told(table('B'))).toEqual(['2 A USD/EGP 21 jump: held', '2 B USD/MAD 30.2 jump: held']);
});

it('an operator decides on one figure of one day', () => {
  const decided = (rates: number[], ...[text, isAccepted]: [string, boolean]) => {
    const { carried, told } = walk({ [A]: rates }, { decided: { [text]: isAccepted } });
    return [told, named(carried, A).rate];
  };
  expect(decided([100, 300, 101], `2 ${A} 300`, true)).toEqual([['3 A USD/EGP 101 jump: held'], 300]);
  expect(decided([100, 101], `2 ${A} 101`, false)).toEqual([[], 100]);
  expect(decided([100, 101], `2 ${A} 102`, false)).toEqual([[], 101]);
  expect(decided([100, 101], `3 ${A} 101`, false)).toEqual([[], 101]);
  expect(decided([100, 101], `2 ${B} 101`, false)).toEqual([[], 101]);
});

it('what an operator accepted is not reconsidered', () => {
  const { states } = walk({ [A]: [100, 150, 151, 152, 100] }, { decided: { [`4 ${A} 152`]: true } });
  expect(states).toEqual(['next 3, refuted 5', 'next 3, refuted 5']);
});

describe('what waits is confirmed', () => {
  it('by the next figure of its level where nobody else speaks', () => {
    expect(states({ [A]: [100, 150, 151] })).toEqual(['next 3', 'next 3']);
    expect(states({ [A]: [100, 150, 180, 181] })).toEqual(['held', 'next 4', 'next 4']);
    expect(told({ [A]: [100, 115, 108] })).toEqual(['2 A USD/EGP 115 jump: next 3']);
  });

  it('by three more figures of its level where others contradict', () => {
    expect(states({ [A]: [100, 150, 151, 150], [B]: times(4, 100) })).toEqual(times(3, 'held'));
    expect(states({ [A]: [100, 150, 151, 150, 151], [B]: times(5, 100) })).toEqual(times(4, 'next 5'));
  });

  it('not by figures of two levels, nor once an ordinary one came between', () => {
    expect(states({ [A]: [100, 150, 151, 160, 161], [B]: times(5, 100) })).toEqual(times(4, 'held'));
    expect(told({ [A]: [100, 115, 104, 115.2] })).toEqual(['2 A USD/EGP 115 jump: held']);
  });

  it('by ten where any has the shape of an error that is repeated', () => {
    expect(states({ [A]: [100, 1100, 1200] })).toEqual(['held', 'held']);
  });

  it('by another source that is believed', () => {
    expect(told({ [A]: [120, 150], [B]: [none, none, 149] })).toEqual(['2 A USD/EGP 150 jump: other 3']);
    expect(told({ [A]: [100, 120, 119], [B]: times(3, 100), [C]: [112, 112, 115] })).toEqual([
      '2 A USD/EGP 120 jump: other 3',
    ]);
  });

  it('ten at a time at most', () => {
    const all = states({ [A]: [100, ...times(12, 1000)], [B]: [...times(13, 100), 1000] });
    expect(all).toEqual(['held', 'held', ...times(10, 'other 14'), 'peers 14']);
  });

  describe('by another suspect that agrees', () => {
    it('of another source, in any pair', () => {
      const cross = { 'B EUR/USD': [1.1, 1.1], 'B EUR/EGP': [110, 165] };
      expect(states({ [A]: [100, 150], ...cross })).toEqual(['peers 2', 'peers 2']);
      expect(states({ [A]: [100, 150], [B]: [100, 160] })).toEqual(['held', 'held']);
      expect(states({ [A]: [100, 150, 180], [B]: [100, none, 150] })).toEqual(['held', 'held', 'held']);
      expect(states({ [A]: [100, 150], 'A EGP/USD': [0.01, 1 / 150] })).toEqual(['held', 'held']);
    });

    it('within 14 days', () => {
      const after = (days: number) =>
        states({ [A]: [100, 150], [B]: [none, none, 100, 152] }, { days: [1, 2, 1 + days, 2 + days] });
      expect([after(14), after(15)]).toEqual([
        ['peers 16', 'peers 16'],
        ['held', 'held'],
      ]);
    });

    it('unless more than those contradict, or, of repeated errors, any', () => {
      const against = (rate: number, ...others: string[]) =>
        states({
          ...{ [A]: [100, rate], [B]: [100, rate] },
          ...Object.fromEntries(others.map((name) => [name, [100, 100]])),
        })[0];
      expect([against(150, C), against(150, C, D), against(1000, C)]).toEqual(['peers 2', 'held', 'held']);
    });
  });
});

describe('a confirmation is reconsidered', () => {
  it('where a source that nobody contradicts is back where it was, with all that followed', () => {
    expect(states({ [A]: [100, 150, 151, 152, 100] })).toEqual(
      times(3, 'next 3, refuted 5').with(2, 'next 4, refuted 5'),
    );
    expect(states({ [A]: [100, 150, 151, 200] })).toEqual(['next 3', 'next 3', 'held']);
    expect(states({ [A]: [100, 121, 121, 110] })).toEqual(['next 3', 'next 3']);
  });

  it('within seven days', () => {
    const back = (after: number) => states({ [A]: [100, 150, ...times(after - 1, 150), 100] });
    expect(back(6)).toEqual(
      ['next 3', 'next 3', ...[4, 5, 6, 7].map((day) => `next ${day}`)].map((one) => `${one}, refuted 8`),
    );
    expect(back(7)).toEqual(['next 3', 'next 3', ...[4, 5, 6, 7, 8].map((day) => `next ${day}`), 'held']);
  });

  it('where half of those that agreed are back', () => {
    const three = (...rates: number[]) =>
      walk({ [A]: [100, 150, rates[0]], [B]: [100, 150, rates[1]], [C]: [100, 150], [D]: [100, none, 100] });
    expect(three(100, 150).states).toEqual(['peers 2', 'peers 2', 'peers 2', 'next 3']);
    const refuted = three(100, 100);
    expect(refuted.states).toEqual(times(3, 'peers 2, refuted 3'));
    expect(named(refuted.carried, C)).toMatchObject({ day: 1, rate: 100 });
  });

  it('of each currency, and of those that agreed alone', () => {
    const one = { [A]: [100, 150, 100], [B]: [100, 150], [D]: [100, none, 100] };
    expect(states(one)).toEqual(times(2, 'peers 2, refuted 3'));
    const other = { 'A USD/LBP': [15, 25, 25], 'B USD/LBP': [15, 25, 25], 'C USD/LBP': [15, 25, 25] };
    const both = states({ ...one, ...other });
    expect(both.filter((state) => state === 'peers 2, refuted 3')).toHaveLength(2);
    expect(both.filter((state) => state.includes('refuted'))).toHaveLength(2);
  });

  it('for good: what was refuted confirms nothing later', () => {
    expect(states({ [A]: [100, 150, 151, 100, 150] }).at(-1)).toBe('held');
  });
});

describe('of all histories', () => {
  const NAMES = ['A USD/EGP', 'A EUR/USD', 'A EUR/EGP', 'B USD/EGP', 'C EGP/USD', 'D EUR/USD', 'D EUR/EGP'];
  const LEVELS: Record<string, number> = { 'USD/EGP': 30, 'EUR/USD': 1.1, 'EUR/EGP': 33, 'EGP/USD': 1 / 30 };
  const factor = fc.oneof(
    { weight: 3, arbitrary: fc.constant(1) },
    { weight: 2, arbitrary: fc.constantFrom(1.4, 10, 0.1, 1.13, 0.9) },
  );
  const cell = fc.option(fc.tuple(factor, fc.integer({ min: 9800, max: 10_200 })), {
    freq: 3,
    nil: undefined,
  });
  const column = fc.record({
    gap: fc.constantFrom(...times(8, 1), 2, 2, 4, 7, 16, 40),
    cells: fc.array(cell, { minLength: NAMES.length, maxLength: NAMES.length }),
  });
  const history = fc
    .tuple(
      fc.subarray(NAMES, { minLength: 1, maxLength: 5 }),
      fc.array(column, { minLength: 3, maxLength: 20 }),
    )
    .map(([names, columns]) => {
      const rate = (name: string, [factor, noise]: [number, number]) =>
        Number((((LEVELS[name.slice(2)] ?? 1) * factor * noise) / 10_000).toPrecision(6));
      const rates = (name: string, index: number) =>
        columns.map(({ cells }) => cells[index] && rate(name, cells[index]));
      const table: Table = Object.fromEntries(names.map((name, index) => [name, rates(name, index)]));
      return {
        table,
        days: columns.map((_, end) => columns.slice(0, end + 1).reduce((sum, { gap }) => sum + gap, 0)),
      };
    });
  const known = ({ series }: State['carried']) =>
    [...series.values()]
      .filter(({ day }) => day > 0)
      .map(({ key, day, rate }) => `${key} ${day} ${rate}`)
      .sort();
  const end = ({ suspects, carried }: ReturnType<typeof walk>) => ({
    suspects: suspects.map((one) => [tell(one), one.last, one.others, one.expected].join()).sort(),
    carried: known(carried),
  });

  const egpAtC = { 'C EGP/USD': [0.0333333, none, 0.03, none, 0.0333333] };
  const seenByD = { 'D EUR/USD': [1.1], 'D EUR/EGP': [330, 37.29, none, 330, 33] };
  const late = { 'C EGP/USD': [none, 0.333333, none, none, 0.333333] };
  const pair = { [B]: [100, 150, 150, 150], [C]: [100, 150, 150, 150] };
  /** Where one confirmation was reconsidered beside another, or what came before a refuted figure was no longer held back. */
  const examples: [{ table: Table; days: number[] }][] = [
    [
      {
        table: { [A]: [120, 150, none, 120], [B]: [none, none, 149], [C]: [none, none, none, 120] },
        days: [1, 2, 3, 4],
      },
    ],
    [{ table: { [A]: [none, 3, none, 30], [B]: [30, 3, 3, 30, 42, 42] }, days: [4, 5, 8, 12, 13, 14] }],
    [{ table: { [A]: [none, none, none, 300], [B]: [42], ...egpAtC, ...seenByD }, days: [1, 2, 3, 4, 5] }],
    [
      {
        table: { [A]: [none, 30, 42, 30], [B]: [42, 30, 42], [C]: [none, none, none, 30] },
        days: [1, 2, 3, 6],
      },
    ],
    [
      {
        table: { [A]: [none, none, none, 33.8729, 3, 30.045], [B]: [30, none, 30.357], ...late },
        days: [1, 2, 3, 6, 7, 9],
      },
    ],
    [
      {
        table: {
          [A]: [100, 150, 100, 150, 100],
          ...pair,
          [D]: [100, none, 100, 150],
          [E]: [none, none, none, 150, 100, 150],
        },
        days: [1, 2, 3, 4, 5, 6],
      },
    ],
  ];

  it('the order of a day’s figures does not matter', () => {
    fc.assert(
      fc.property(history, ({ table, days }) => {
        const reversed = Object.fromEntries(Object.entries(table).reverse());
        expect(end(walk(reversed, { days }))).toEqual(end(walk(table, { days })));
      }),
    );
  });

  it('what is carried is the newest figure of each series that is not held back', () => {
    fc.assert(
      fc.property(history, ({ table, days }) => {
        const { carried, believed } = walk(table, { days });
        expect(known(carried)).toEqual(known(believed(Number.POSITIVE_INFINITY)));
      }),
      { examples },
    );
  });

  it('a judge that starts again, from what is carried and the suspects as of a day, goes on as before', () => {
    const again = ({ carried: before, judge }: State): State => {
      const carried = createCarriedRows();
      const same = ({ provider, base, quote }: Series) => seriesOf(carried, provider, base, quote);
      for (const one of before.series.values()) if (one.day > 0) observe(same(one), one.day, one.rate);
      const suspects = judge.suspects.map((one) => ({ ...one, series: same(one.series) }));
      return { carried, judge: createJudge(carried, suspects) };
    };
    fc.assert(
      fc.property(history, ({ table, days }) => {
        const whole = end(walk(table, { days }));
        for (const start of days) {
          const between = (state: State, day: number) => (day === start ? again(state) : state);
          expect(end(walk(table, { days, between }))).toEqual(whole);
        }
      }),
      { examples },
    );
  });
});
