import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createCarriedRows,
  observe,
  type Series,
  seriesOf,
} from '../../../../core/domain/blend/carry-forward.js';
import { Judge } from '../../../../core/domain/blend/judge.js';
import { isHeld, type Suspect } from '../../../../core/domain/blend/suspect.js';
import { describeSuspect, named, type State, type Table, type WalkOptions, walk } from './judging.js';

const [A, B, C, D, E] = ['A USD/EGP', 'B USD/EGP', 'C USD/EGP', 'D USD/EGP', 'E USD/EGP'] as const;
const described = (table: Table, days?: number[]) => walk(table, { days }).described;
const states = (table: Table, options?: WalkOptions) => walk(table, options).states;
const times = <T>(count: number, one: T): T[] => Array(count).fill(one);
const held = (count: number) => times(count, 'held');
const none = undefined;

it('a suspect is held back until it is confirmed', () => {
  const suspects = [{}, { confirmedOn: 3 }] as Suspect[];
  expect(suspects.map(isHeld)).toEqual([true, false]);
});

describe('what a figure is judged by', () => {
  const evidence = (table: Table, options?: WalkOptions) => {
    const { last, others, expected } = walk(table, options).suspects.at(-1) ?? {};
    return { last, others, expected };
  };

  it('is its last figure and those of others, in its own direction', () => {
    const others = [{ provider: 'B', day: 2, rate: 31 }];
    const wanted = { last: { day: 1, rate: 32 }, others, expected: 31 };
    expect(evidence({ [A]: [32, 45], [B]: [31, 31] })).toEqual(wanted);
    expect(evidence({ 'A EGP/USD': [1 / 32, 1 / 45], [B]: [32, 32] })).toMatchObject({ expected: 1 / 32 });
    expect(evidence({ [A]: [32, 45], 'B EGP/USD': [1 / 32, 1 / 32] })).toMatchObject({ expected: 32 });
  });

  it('is not what its own provider says in another pair', () => {
    const own = { [A]: [32, 45], 'A EGP/USD': [1 / 32, 1 / 32] };
    expect(evidence(own)).toMatchObject({ others: [], expected: 32 });
  });

  it('is, where nobody spoke for 14 days, what was known last', () => {
    const silent = { [B]: [100, none, 100], [C]: [none, 120, none], [A]: [none, none, none, 1999] };
    const days = [1, 2, 30, 44];
    expect(evidence(silent, { days }).others).toMatchObject([{ provider: 'B', day: 30 }]);
    const others = [{ provider: 'C', day: 2, rate: 120 }];
    expect(evidence({ ...silent, [B]: [100] }, { days })).toMatchObject({ others });
  });

  const CROSS = { 'A EUR/EGP': [33.6, 36.6], [B]: [32, 32] };
  const DOLLAR_CROSS = { 'A EUR/USD': [1.05, 1.05], ...CROSS };
  const RECENT = { [A]: [120, none, 149], [B]: [150, none, none], [C]: [none, 125, none] };
  const LATE_FIRST = { [A]: [none, 100], [B]: [none, 132] };
  const FIRST = ['1 A USD/EGP 100 apart: held', '1 B USD/EGP 132 apart: held'];
  const DINAR = { 'A USD/MKD': [60, 6], 'A EUR/MKD': [66, 66.6], 'B EUR/USD': [1.1, 1.1] };
  const bothOf = (provider: string, reason: string) => [
    `2 A USD/EGP 21 ${reason}: held`,
    `2 ${provider} USD/MAD 30.2 ${reason}: held`,
  ];
  const exchanged = (provider: string) => ({ [A]: [30, 21], [`${provider} USD/MAD`]: [20.5, 30.2] });

  it.each<[what: string, table: Table, suspects: string[], days?: number[]]>([
    ['is nothing for a pair that can not be brought to dollars', CROSS, []],
    ['is its provider’s dollar rate for a cross', DOLLAR_CROSS, ['2 A EUR/EGP 36.6 jump: held']],
    ['are all figures of others from the 14 days up to it', RECENT, []],
    ['are none from before them', RECENT, ['16 A USD/EGP 149 jump: held'], [1, 2, 16]],
    ['is, for a first figure, what other first ones of its day are', { [A]: [100], [B]: [132] }, FIRST],
    ['may be 30 % from them', { [A]: [100], [B]: [129] }, []],
    ['are known ones, if any', { ...LATE_FIRST, [C]: [100] }, ['2 B USD/EGP 132 apart: held']],
    ['are those of its day that moved by less than 5 %', { [B]: [90, 109.5], [A]: [100, 104.8] }, []],
    ['are dollar rates that are trusted', DINAR, ['2 A USD/MKD 6 factor_of_ten: held']],
    ['is one of its table that it was swapped with', exchanged('A'), bothOf('A', 'swapped')],
    ['is none of another table', exchanged('B'), bothOf('B', 'jump')],
  ])('%s', (_, table, suspects, days) => expect(described(table, days)).toEqual(suspects));
});

it.each<[decided: string, isAccepted: boolean, rates: number[], suspects: string[], known: number]>([
  [`2 ${A} 300`, true, [100, 300, 101], ['3 A USD/EGP 101 jump: held'], 300],
  [`2 ${A} 101`, false, [100, 101], [], 100],
  [`2 ${A} 102`, false, [100, 101], [], 101],
  [`3 ${A} 101`, false, [100, 101], [], 101],
  [`2 ${B} 101`, false, [100, 101], [], 101],
])('an operator decides on one figure: %s, accepted: %s', (decided, isAccepted, rates, suspects, known) => {
  const { carried, described } = walk({ [A]: rates }, { decided: { [decided]: isAccepted } });
  expect([described, named(carried, A).rate]).toEqual([suspects, known]);
});

it.each([
  ['what waits at its level', [100, 150, 151, 200], ['next 3', 'held']],
  ['nothing of another level', [100, 180, 151, 200], ['held', 'held']],
])('a figure that an operator accepts confirms %s', (_, rates, wanted) => {
  expect(states({ [A]: rates, [B]: times(4, 100) }, { decided: { [`3 ${A} 151`]: true } })).toEqual(wanted);
});

describe('what waits is confirmed', () => {
  const CROSS = { 'B EUR/USD': [1.1, 1.1], 'B EUR/EGP': [110, 165] };
  const LONG = { [A]: [100, ...times(12, 1000)], [B]: [...times(13, 100), 1000] };
  const LATER = { [A]: [100, 150], [B]: [none, none, 100, 152] };
  /** Two agree on a rate, and others contradict. */
  const against = (rate: number, ...others: string[]): Table => ({
    ...Object.fromEntries([A, B].map((name) => [name, [100, rate]])),
    ...Object.fromEntries(others.map((name) => [name, [100, 100]])),
  });
  const twice = (rate: number) => ({ [A]: [100, rate, rate], [B]: [100, rate, rate] });

  it.each<[what: string, table: Table, states: string[], days?: number[]]>([
    ['by the next of its level where nobody else speaks', { [A]: [100, 150, 151] }, times(2, 'next 3')],
    ['by none of another level', { [A]: [100, 150, 180, 181] }, ['held', 'next 4', 'next 4']],
    ['by one that is ordinary, and of its level', { [A]: [100, 115, 108] }, ['next 3']],
    ['not by two more if others contradict', { [A]: [100, 150, 151, 150], [B]: times(4, 100) }, held(3)],
    ['by three more', { [A]: [100, 150, 151, 150, 151], [B]: times(5, 100) }, times(4, 'next 5')],
    ['not by those of two levels', { [A]: [100, 150, 151, 160, 161], [B]: times(5, 100) }, held(4)],
    ['not once an ordinary one came between', { [A]: [100, 115, 104, 115.2] }, ['held']],
    ['not by two where any looks like a repeated error', { [A]: [100, 1100, 1200] }, held(2)],
    ['by another source that is trusted', { [A]: [120, 150], [B]: [none, none, 149] }, ['other 3']],
    [
      'by its next, with which others agree',
      { [A]: [100, 120, 119], [B]: times(3, 100), [C]: [112, 112, 115] },
      ['next 3'],
    ],
    ['ten at a time at most', LONG, [...held(2), ...times(10, 'peers 14'), 'other 14']],
    ['by a suspect of another source, in any pair', { [A]: [100, 150], ...CROSS }, times(2, 'peers 2')],
    ['by none that does not agree', { [A]: [100, 150], [B]: [100, 160] }, held(2)],
    ['by none that another followed', { [A]: [100, 150, 180], [B]: [100, none, 150] }, held(3)],
    ['by none of its own source', { [A]: [100, 150], 'A EGP/USD': [0.01, 1 / 150] }, held(2)],
    ['by one within 14 days', LATER, times(2, 'peers 16'), [1, 2, 15, 16]],
    ['by none after them', LATER, held(2), [1, 2, 16, 17]],
    ['by two where one contradicts', against(125, C), times(2, 'peers 2')],
    ['not by two where two contradict', against(125, C, D), held(2)],
    ['not by two of more than 30 % where one contradicts', against(150, C), held(2)],
    ['but by both of two days', { ...against(150, C), ...twice(150) }, times(4, 'peers 3')],
    ['not by repeated errors where any contradicts', against(1000, C), held(2)],
  ])('%s', (_, table, wanted, days) => expect(states(table, { days })).toEqual(wanted));
});

/** What three sources say while the first sees a spike on the third day. */
const spike = (other: (number | undefined)[], third: (number | undefined)[] = []): Table => ({
  ...{ [A]: [100, 100, 120, 100, 100], [B]: other, [C]: third },
});
const BACK = ['3 A USD/EGP 120 jump: peers 3', '3 B USD/EGP 121 jump: peers 3'];
const WAY = ['4 A USD/EGP 100 jump: peers 4', '4 B USD/EGP 100 jump: peers 4'];
const LATER = ['3 A USD/EGP 120 jump: peers 4', '4 B USD/EGP 120 jump: peers 4'];
const LONE = '3 A USD/EGP 120 jump: held';

describe('agreement is final', () => {
  it.each<[what: string, table: Table, suspects: string[], days?: number[]]>([
    ['of a spike that two saw, and of their way back', spike([100, 100, 121, 100]), [...BACK, ...WAY]],
    ['of one that two saw, though a third did not', spike([100, 100, 121, 100], times(5, 100)), BACK],
    ['of one that the other saw a publication later', spike([100, 100, 100, 120, 100]), LATER],
    [
      'over a weekend',
      spike([100, 100, none, 120, 100]),
      LATER.map((one) => one.replace(/\b4\b/g, '6')),
      [1, 2, 3, 6, 7],
    ],
    ['not two publications later', spike([100, 100, 100, 100, 120]), [LONE, '5 B USD/EGP 120 jump: held']],
    ['not of what one saw alone', spike(times(5, 100)), [LONE]],
  ])('%s', (_, table, suspects, days) => expect(described(table, days)).toEqual(suspects));
});

describe('alone, a move is weighed against those of the two weeks before', () => {
  it.each<[what: string, rates: number[], suspects: number[], days?: number[]]>([
    ['which were large', [100, 104, 98, 103, 97, 115, 96], []],
    ['which were small', [100, 101, 100, 101, 100, 115, 101], [115]],
    ['of which one alone was large', [100, 111, 111, 111, 111, 130, 111], [130]],
    ['but not those of earlier weeks', [100, 106, 98, 106, 98, 115, 98], [98], [1, 2, 3, 4, 5, 30, 31]],
    ['nor those that are held back', [100, 150, 101, 151, 100, 115, 100], [150, 151, 115]],
  ])('%s', (_, rates, suspects, days) => {
    expect(walk({ [A]: rates }, { days }).suspects.map(({ rate }) => rate)).toEqual(suspects);
  });
});

/** A table of the krona, and what another source says of it. */
const KRONA = { 'I EUR/ISK': 120, 'I GBP/ISK': 150, 'I USD/ISK': 100 };
const table = (
  rows: Readonly<Record<string, number>>,
  ...factors: (number | Readonly<Record<string, number>>)[]
): Table =>
  Object.fromEntries(
    Object.entries(rows).map(([name, rate]) => {
      const by = factors.map((factor) => (typeof factor === 'number' ? factor : (factor[name] ?? 1)));
      return [name, [rate, ...by.map((factor) => Number((rate * factor).toPrecision(6)))]];
    }),
  );
const OTHER = (...rates: number[]) => ({ 'O USD/ISK': rates, 'O EUR/USD': times(rates.length, 1.2) });
const ONE_OFF = (name: string, factor: number, all = 1) => ({
  ...Object.fromEntries(Object.keys(KRONA).map((key) => [key, all])),
  [name]: factor,
});

describe('a table whose own currency moved asks one question', () => {
  const all = (state: string) => times(3, state);
  it.each<[what: string, table: Table, states: string[]]>([
    ['that it answers the next day', table(KRONA, 1.3, 1.31), times(4, 'next 3')],
    ['that a trusted source answers at once', { ...table(KRONA, 1.3), ...OTHER(130, 130) }, []],
    [
      'that another answers which moves as well',
      { ...table(KRONA, 1.3), ...OTHER(100, 130) },
      times(2, 'peers 2'),
    ],
    [
      'that another answers later',
      { ...table(KRONA, 1.3), ...OTHER(100, 100, 129) },
      [...all('peers 3'), 'peers 3'],
    ],
    ['that stays open if it goes back', table(KRONA, 1.3, 1), all('held')],
    ['by a factor of ten as well', table(KRONA, 10), all('held')],
    [
      'if it moved against the table’s currency',
      { 'I ISK/EUR': [0.12, 0.09], 'I ISK/GBP': [0.15, 0.1125], 'I ISK/USD': [0.1, 0.075] },
      all('held'),
    ],
  ])('%s', (_, given, wanted) => expect(states(given)).toEqual(wanted));

  it.each<[what: string, table: Table, suspects: string[]]>([
    [
      'but one cell that is wrong asks for itself',
      table(KRONA, ONE_OFF('I EUR/ISK', 1.3)),
      ['2 I EUR/ISK 156 jump: held'],
    ],
    [
      'so does the dollar’s',
      table(KRONA, ONE_OFF('I USD/ISK', 10)),
      ['2 I USD/ISK 1000 factor_of_ten: held'],
    ],
    [
      'so does one that did not move with the others',
      { ...table(KRONA, ONE_OFF('I GBP/ISK', 1, 1.2)), ...OTHER(120, 120), 'O GBP/USD': [1.5, 1.5] },
      ['2 I GBP/ISK 150 jump: held'],
    ],
  ])('%s', (_, given, suspects) => expect(described(given)).toEqual(suspects));

  it('its members have the evidence of its leader in their own pair', () => {
    const { suspects } = walk(table(KRONA, 1.3));
    expect(
      suspects.map(({ series, follows, expected, last }) => [series.base, follows, expected, last]),
    ).toEqual([
      ['USD', none, 100, { day: 1, rate: 100 }],
      ['EUR', 'I USD ISK', 120, { day: 1, rate: 120 }],
      ['GBP', 'I USD ISK', 150, { day: 1, rate: 150 }],
    ]);
  });
});

const NAMES = [
  'A USD/EGP',
  'A EUR/EGP',
  'A EGP/GBP',
  'A EUR/USD',
  'B USD/EGP',
  'C EGP/USD',
  'D EUR/USD',
  'D EUR/EGP',
  'D EUR/GBP',
  'D EUR/SEK',
];
const LEVELS: Record<string, number> = {
  'USD/EGP': 30,
  'EUR/USD': 1.1,
  'EUR/EGP': 33,
  'EGP/USD': 1 / 30,
  'EGP/GBP': 0.026,
  'EUR/GBP': 0.86,
  'EUR/SEK': 11,
};
const factor = fc.oneof(
  { weight: 3, arbitrary: fc.constant(1) },
  { weight: 2, arbitrary: fc.constantFrom(1.4, 10, 0.1, 1.13, 0.9) },
);
const noise = fc.integer({ min: 9800, max: 10_200 });
const cell = fc.option(fc.tuple(factor, noise), { freq: 3, nil: undefined });
const column = fc.record({
  gap: fc.constantFrom(...times(8, 1), 2, 2, 4, 7, 16, 40),
  cells: fc.array(cell, { minLength: NAMES.length, maxLength: NAMES.length }),
});
const names = fc.subarray(NAMES, { minLength: 1, maxLength: 6 });
const history = fc.tuple(names, fc.array(column, { minLength: 3, maxLength: 20 })).map(([names, columns]) => {
  const rate = (name: string, [factor, noise]: [number, number]) =>
    Number((((LEVELS[name.slice(2)] ?? 1) * factor * noise) / 10_000).toPrecision(6));
  const rates = (name: string, index: number) =>
    columns.map(({ cells }) => cells[index] && rate(name, cells[index]));
  const table: Table = Object.fromEntries(names.map((name, index) => [name, rates(name, index)]));
  let day = 0;
  return { table, days: columns.map(({ gap }) => (day += gap)) };
});
const known = ({ series }: State['carried']) =>
  [...series.values()]
    .filter(({ day }) => day > 0)
    .map(({ key, day, rate }) => `${key} ${day} ${rate}`)
    .sort();
const end = ({ suspects, carried }: ReturnType<typeof walk>) => ({
  suspects: suspects
    .map((one) => [describeSuspect(one), one.last, one.others, one.expected, one.usual, one.follows].join())
    .sort(),
  carried: known(carried),
});

const CROSSED = {
  'C EGP/USD': [0.0333333, none, 0.03, none, 0.0333333],
  'D EUR/USD': [1.1],
  'D EUR/EGP': [330, 37.29, none, 330, 33],
};
const FIVE = {
  ...{ [A]: [100, 150, 100, 150, 100], [B]: [100, 150, 150, 150], [C]: [100, 150, 150, 150] },
  ...{ [D]: [100, none, 100, 150], [E]: [none, none, none, 150, 100, 150] },
};
const DELAYED = {
  ...{ [A]: [none, none, none, 33.8729, 3, 30.045], [B]: [30, none, 30.357] },
  'C EGP/USD': [none, 0.333333, none, none, 0.333333],
};
const late = (rate: number) => [none, none, none, rate];
/** Where confirmations follow each other within a day. */
const examples: [{ table: Table; days: number[] }][] = [
  [{ table: { [A]: [120, 150, none, 120], [B]: [none, none, 149], [C]: late(120) }, days: [1, 2, 3, 4] }],
  [{ table: { [A]: [none, 3, none, 30], [B]: [30, 3, 3, 30, 42, 42] }, days: [4, 5, 8, 12, 13, 14] }],
  [{ table: { [A]: [none, none, none, 300], [B]: [42], ...CROSSED }, days: [1, 2, 3, 4, 5] }],
  [{ table: { [A]: [none, 30, 42, 30], [B]: [42, 30, 42], [C]: late(30) }, days: [1, 2, 3, 6] }],
  [{ table: DELAYED, days: [1, 2, 3, 6, 7, 9] }],
  [{ table: FIVE, days: [1, 2, 3, 4, 5, 6] }],
];

it('in any history the order of a day’s figures does not matter', () => {
  fc.assert(
    fc.property(history, ({ table, days }) => {
      const reversed = Object.fromEntries(Object.entries(table).reverse());
      expect(end(walk(reversed, { days }))).toEqual(end(walk(table, { days })));
    }),
  );
});

it('in any history what is carried is the newest figure of each series that is not held back', () => {
  fc.assert(
    fc.property(history, ({ table, days }) => {
      const { carried, trusted } = walk(table, { days });
      expect(known(carried)).toEqual(known(trusted()));
    }),
    { examples },
  );
});

it('in any history a judge that starts again, from what is carried and the suspects as of a day, goes on as before', () => {
  const again = ({ carried: before, judge }: State): State => {
    const carried = createCarriedRows();
    const same = ({ provider, base, quote }: Series) => seriesOf(carried, provider, base, quote);
    for (const one of before.series.values())
      for (const { day, rate } of one.recent) observe(same(one), day, rate);
    const suspects = judge.suspects.map((one) => ({ ...one, series: same(one.series) }));
    return { carried, judge: new Judge(carried, suspects) };
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
