import { describe, expect, it } from 'vitest';
import { createCarriedRows, observe, seriesOf } from '../../../../core/domain/blend/carry-forward.js';
import { createJudge, isLeftOut, type Suspect } from '../../../../core/domain/blend/judge.js';

/** Figures by `PROVIDER BASE/QUOTE`. */
type Figures = Record<string, number>;
type Day = [day: number, figures: Figures];
type Known = [day: number, name: string, rate: number, part?: Partial<Suspect>];

interface Options {
  /** Whose figures are judged; all without it. */
  judged?: readonly string[];
  from?: number;
  /** What was carried before the first day. */
  carried?: readonly Day[];
  known?: readonly Known[];
}

const name = ({ series: { provider, base, quote } }: Suspect) => `${provider} ${base}/${quote}`;
const told = (suspect: Suspect) =>
  `${suspect.day} ${name(suspect)} ${suspect.rate} ${suspect.reason} ${suspect.status}`;

/** A judge whose days are small numbers. */
function judging({ judged, from, carried: before = [], known = [] }: Options = {}) {
  const carried = createCarriedRows();
  const series = (of: string) => {
    const [provider = '', base = '', quote = ''] = of.split(/[ /]/);
    return seriesOf(carried, provider, base, quote);
  };
  const observations = (figures: Figures) =>
    Object.entries(figures).map(([of, rate]) => ({ series: series(of), rate }));
  for (const [day, figures] of before)
    for (const { series, rate } of observations(figures)) observe(series, day, rate);
  const judge = createJudge(carried, {
    isJudged: (provider) => judged?.includes(provider) ?? true,
    ...(from === undefined ? {} : { from }),
    known: known.map(([day, of, rate, part]) => {
      const doubt = { reason: 'jump' as const, expected: 100, others: 0, status: 'held' as const };
      return { series: series(of), day, rate, ...doubt, ...part };
    }),
  });
  return {
    on: (day: number, figures: Figures = {}) => judge.observeDay(day, observations(figures)),
    preview: (day: number, figures: Figures) => judge.preview(day, observations(figures)).map(told),
    /** The suspects that are new or have another status. */
    told: () => judge.changed().map(told),
    /** What a series carries. */
    carried: (of: string) => series(of).rate,
    state: () => [...carried.series].map(([key, { day, rate, swing }]) => [key, day, rate, swing]),
  };
}

it.each([
  ['held', true],
  ['rejected', true],
  ['confirmed', false],
  ['accepted', false],
  ['corrected', false],
] as const)('a figure that is %s is left out: %s', (status, isOut) => {
  expect(isLeftOut(status)).toBe(isOut);
});

describe('figures that are not judged', () => {
  it('are carried however far they are from the last one', () => {
    const { on, told, carried } = judging({ judged: ['BOC'] });
    on(1, { 'ECB USD/CAD': 100, 'BOC USD/CAD': 100 });
    on(2, { 'ECB USD/CAD': 150, 'BOC USD/CAD': 200 });
    expect([carried('ECB USD/CAD'), carried('BOC USD/CAD')]).toEqual([150, 100]);
    expect(told()).toEqual(['2 BOC USD/CAD 200 jump held']);
  });

  it('are those of all days before the first that is judged', () => {
    const { on, told } = judging({ from: 3 });
    on(1, { 'BOC USD/CAD': 100 });
    on(2, { 'BOC USD/CAD': 150 });
    on(3, { 'BOC USD/CAD': 100 });
    expect(told()).toEqual(['3 BOC USD/CAD 100 jump held']);
  });

  it('stay held back where they are known to be', () => {
    const { on, told, carried } = judging({ judged: [], known: [[2, 'BOC USD/CAD', 150]] });
    on(1, { 'BOC USD/CAD': 100 });
    on(2, { 'BOC USD/CAD': 150 });
    expect(carried('BOC USD/CAD')).toBe(100);
    on(3, { 'BOC USD/CAD': 150 });
    expect(carried('BOC USD/CAD')).toBe(150);
    expect(told()).toEqual([]);
  });

  it('are confirmed by others nevertheless', () => {
    const { on, told, carried } = judging({ judged: [], known: [[2, 'BOC USD/CAD', 150]] });
    on(1, { 'BOC USD/CAD': 100 });
    on(2, { 'BOC USD/CAD': 150 });
    const contributions = on(3, { 'ECB USD/CAD': 151 });
    expect(told()).toEqual(['2 BOC USD/CAD 150 jump confirmed']);
    expect(carried('BOC USD/CAD')).toBe(150);
    expect(contributions.get('CAD')).toMatchObject([
      { provider: 'BOC', day: 2, rate: 150 },
      { provider: 'ECB', day: 3, rate: 151 },
    ]);
  });
});

describe('a figure that was doubted before', () => {
  const again = (status: Suspect['status'], rate = 150) => {
    const judge = judging({ known: [[2, 'BOC USD/CAD', 150, { status }]] });
    judge.on(1, { 'BOC USD/CAD': 100 });
    judge.on(2, { 'BOC USD/CAD': rate });
    return { told: judge.told(), carried: judge.carried('BOC USD/CAD') };
  };

  it.each(['accepted', 'confirmed', 'corrected'] as const)('and is %s is not doubted again', (status) => {
    expect(again(status)).toMatchObject({ told: [], carried: 150 });
  });

  it('and is rejected is left out for good', () => {
    expect(again('rejected')).toMatchObject({ told: [], carried: 100 });
  });

  it('and is held back is the same suspect as before', () => {
    expect(again('held')).toMatchObject({ told: [], carried: 100 });
  });

  it('and is held back waits for the next figure to confirm it', () => {
    const judge = judging({ known: [[2, 'BOC USD/CAD', 150]] });
    judge.on(1, { 'BOC USD/CAD': 100 });
    judge.on(2, { 'BOC USD/CAD': 150 });
    judge.on(3, { 'BOC USD/CAD': 151 });
    expect(judge.told()).toEqual(['2 BOC USD/CAD 150 jump confirmed']);
    expect(judge.carried('BOC USD/CAD')).toBe(151);
  });

  it('is corrected where its provider restates it', () => {
    expect(again('held', 101)).toMatchObject({ told: ['2 BOC USD/CAD 150 jump corrected'], carried: 101 });
  });

  it('is corrected where its provider restates it to another that is doubted', () => {
    expect(again('held', 200)).toMatchObject({
      told: ['2 BOC USD/CAD 150 jump corrected', '2 BOC USD/CAD 200 jump held'],
      carried: 100,
    });
  });

  it('keeps what an operator said of it where its provider restates it', () => {
    expect(again('rejected', 101)).toMatchObject({ told: [], carried: 101 });
    expect(again('accepted', 200)).toMatchObject({ told: ['2 BOC USD/CAD 200 jump held'], carried: 100 });
  });

  it('is confirmed where it is not doubted any more, as the one before it was restated', () => {
    const judge = judging({ known: [[2, 'BOC USD/CAD', 150]] });
    judge.on(1, { 'BOC USD/CAD': 149 });
    judge.on(2, { 'BOC USD/CAD': 150 });
    expect(judge.told()).toEqual(['2 BOC USD/CAD 150 jump confirmed']);
    expect(judge.carried('BOC USD/CAD')).toBe(150);
  });

  it('is confirmed where another source has come to agree on its day', () => {
    const judge = judging({ judged: ['BOC'], known: [[2, 'BOC USD/CAD', 150]] });
    judge.on(1, { 'BOC USD/CAD': 100, 'ECB USD/CAD': 100 });
    judge.on(2, { 'BOC USD/CAD': 150, 'ECB USD/CAD': 151 });
    expect(judge.told()).toEqual(['2 BOC USD/CAD 150 jump confirmed']);
  });

  it('says nothing of the figures of other days or other pairs', () => {
    const judge = judging({
      known: [
        [2, 'BOC USD/CAD', 150, { status: 'rejected' }],
        [3, 'BOC USD/NOK', 101, { status: 'rejected' }],
      ],
    });
    judge.on(1, { 'BOC USD/CAD': 150 });
    judge.on(3, { 'BOC USD/CAD': 101, 'BOC USD/SEK': 101 });
    judge.on(4, { 'BOC USD/CAD': 101.5 });
    expect(judge.carried('BOC USD/CAD')).toBe(101.5);
    expect(judge.told()).toEqual(['3 BOC USD/CAD 101 jump confirmed']);
  });
});

describe('what was held back before the days that are observed', () => {
  const known: Known[] = [[2, 'BOC USD/CAD', 150]];
  const before = (day: number): Day[] => [[day, { 'BOC USD/CAD': 100 }]];

  it('is confirmed by the next figure', () => {
    const { on, told } = judging({ known, carried: before(1) });
    on(3, { 'BOC USD/CAD': 151 });
    expect(told()).toEqual(['2 BOC USD/CAD 150 jump confirmed']);
  });

  it('is confirmed by another source, of its day or later', () => {
    const day = (other: number) => {
      const { on, told } = judging({
        known,
        carried: [...before(1), [other, { 'ECB USD/CAD': 149 }]],
      });
      on(3);
      return told();
    };
    expect(day(2)).toEqual(['2 BOC USD/CAD 150 jump confirmed']);
    expect(day(1)).toEqual([]);
  });

  it('is not confirmed by another pair of its own provider', () => {
    const { on, told } = judging({ known, carried: before(1) });
    on(3, { 'BOC CAD/USD': 1 / 150 });
    expect(told()).toEqual([]);
  });

  it('is not confirmed any more where a later figure is carried, or one of its day', () => {
    for (const carried of [before(2), before(3)]) {
      const { on, told } = judging({ known, carried });
      on(4, { 'BOC USD/CAD': 151 });
      expect(told()).toEqual(['4 BOC USD/CAD 151 jump held']);
    }
  });

  it('is not confirmed where it was rejected, or lies after the first day', () => {
    const rejected = judging({
      known: [[2, 'BOC USD/CAD', 150, { status: 'rejected' }]],
      carried: before(1),
    });
    rejected.on(3, { 'BOC USD/CAD': 151 });
    expect(rejected.told()).toEqual(['3 BOC USD/CAD 151 jump held']);
    const later = judging({ known: [[5, 'BOC USD/CAD', 150]], carried: before(1) });
    later.on(3, { 'BOC USD/CAD': 151 });
    expect(later.told()).toEqual(['3 BOC USD/CAD 151 jump held']);
  });

  it('is not confirmed where it is of the first day, which no longer has it', () => {
    const { on, told } = judging({ known, carried: before(1) });
    on(2);
    on(3, { 'BOC USD/CAD': 151 });
    expect(told()).toEqual(['3 BOC USD/CAD 151 jump held']);
  });

  it('is taken in day by day, in whatever order it is known', () => {
    const three: Known[] = [
      [4, 'BOC USD/CAD', 152],
      [2, 'BOC USD/CAD', 150],
      [3, 'BOC USD/CAD', 151],
    ];
    const part = { expected: 100, others: 1 };
    const { on, told, carried } = judging({
      known: three.map(([day, of, rate]) => [day, of, rate, part]),
      carried: before(1),
    });
    // Three times against other sources are enough.
    on(5, { 'BOC USD/CAD': 153 });
    expect(told()).toEqual([2, 3, 4].map((day) => `${day} BOC USD/CAD ${148 + day} jump confirmed`));
    expect(carried('BOC USD/CAD')).toBe(153);
  });

  it('is too old for another source after fourteen days', () => {
    const after = (days: number) => {
      const { on, told } = judging({ known, carried: before(1) });
      on(2 + days, { 'ECB USD/CAD': 150 });
      return told();
    };
    expect(after(14)).toEqual(['2 BOC USD/CAD 150 jump confirmed']);
    expect(after(15)).toEqual([]);
  });
});

describe('another source that is doubted as well', () => {
  const second = (day: number, figures: Figures, first: Figures = { 'BOC USD/CAD': 150 }) => {
    const { on, told, carried } = judging();
    on(1, { 'BOC USD/CAD': 100 });
    on(2, first);
    on(day - 1, { 'ECB USD/CAD': 100 });
    on(day, figures);
    return { told: told(), carried: [carried('BOC USD/CAD'), carried('ECB USD/CAD')] };
  };

  it('confirms within fourteen days, as two that agree are believed', () => {
    expect(second(16, { 'ECB USD/CAD': 152 })).toEqual({
      told: ['2 BOC USD/CAD 150 jump confirmed'],
      carried: [150, 152],
    });
  });

  it('does not confirm after that', () => {
    expect(second(17, { 'ECB USD/CAD': 152 })).toEqual({
      told: ['2 BOC USD/CAD 150 jump held', '17 ECB USD/CAD 152 jump held'],
      carried: [100, 100],
    });
  });

  it('confirms by a pair without the dollar, at the dollar rate of its day', () => {
    const { on, told } = judging({ judged: ['CBN', 'BOC'] });
    on(1, { 'CBN USD/NGN': 460, 'CBN EUR/NGN': 500, 'BOC USD/EUR': 0.92, 'ECB USD/EUR': 0.92 });
    const figures = { 'CBN USD/NGN': 660, 'CBN EUR/NGN': 900, 'BOC USD/EUR': 0.735, 'ECB USD/EUR': 0.92 };
    on(2, { ...figures, 'IMF USD/NGN': 661 });
    expect(told()).toEqual([]);
  });

  it('does not confirm with the last figure again, which is carried no longer', () => {
    const { on, told } = judging({ judged: ['BOC', 'CBR'] });
    on(1, { 'BOC USD/CAD': 100, 'ECB USD/CAD': 100 });
    on(15, { 'ECB USD/CAD': 110, 'CBR USD/CAD': 130 });
    on(16, { 'ECB USD/CAD': 110, 'BOC USD/CAD': 100 });
    on(17, { 'ECB USD/CAD': 110, 'CBR USD/CAD': 101 });
    expect(told()).toEqual(['16 BOC USD/CAD 100 unchanged held', '17 CBR USD/CAD 101 jump held']);
  });

  it('does not confirm where it is more than 5 % away', () => {
    expect(second(16, { 'ECB USD/CAD': 158 }).carried).toEqual([100, 100]);
  });
});

describe('what contributes to the blend of a day', () => {
  const contributions = (days: readonly Figures[], options?: Options) => {
    const { on } = judging(options);
    const last = days.map((figures, index) => on(index + 1, figures)).at(-1);
    return last?.get('CAD')?.map(({ provider, day, rate }) => `${provider} ${day} ${rate}`);
  };
  const [BOC, ECB] = ['BOC USD/CAD', 'ECB USD/CAD'];

  it('is no first figure that is apart from all others', () => {
    expect(contributions([{ [ECB]: 100 }, { [BOC]: 200, [ECB]: 101 }])).toEqual(['ECB 2 101']);
  });

  it('is a figure that is unchanged, beside which a first one is apart', () => {
    const { on, told } = judging();
    on(1, { [ECB]: 100 });
    // Nothing else is carried by now.
    on(20, { [ECB]: 100, [BOC]: 200 });
    expect(told()).toEqual(['20 BOC USD/CAD 200 apart held']);
  });

  it('is the last one before a figure that is unchanged though the others moved', () => {
    expect(
      contributions([
        { [BOC]: 100, [ECB]: 100 },
        { [BOC]: 100, [ECB]: 104 },
      ]),
    ).toEqual(['BOC 1 100', 'ECB 2 104']);
  });

  it('is the last one before a figure that jumped', () => {
    expect(
      contributions([
        { [BOC]: 100, [ECB]: 100 },
        { [BOC]: 150, [ECB]: 101 },
      ]),
    ).toEqual(['BOC 1 100', 'ECB 2 101']);
  });

  it('are two figures that jumped alike, whichever of them is judged', () => {
    const days = [
      { [BOC]: 100, [ECB]: 100 },
      { [BOC]: 150, [ECB]: 151 },
    ];
    for (const judged of [[], ['BOC'], ['ECB'], ['BOC', 'ECB']])
      expect(contributions(days, { judged })).toEqual(['BOC 2 150', 'ECB 2 151']);
  });

  it('are a jump and a first figure of another source that agrees, of its day or the next', () => {
    const sameDay = [{ [BOC]: 100 }, { [BOC]: 150, [ECB]: 151 }];
    expect(contributions(sameDay)).toEqual(['BOC 2 150', 'ECB 2 151']);
    const nextDay = [{ [BOC]: 100 }, { [BOC]: 150 }, { [ECB]: 151 }];
    expect(contributions(nextDay)).toEqual(['BOC 2 150', 'ECB 3 151']);
  });

  it('is the rate of a pair without the dollar by the dollar rate of its day that is believed', () => {
    const { on } = judging();
    on(1, { 'NBRM USD/MKD': 60, 'NBRM EUR/MKD': 66 });
    const day = on(2, { 'NBRM USD/MKD': 6, 'NBRM EUR/MKD': 66.6 });
    expect(day.get('EUR')?.[0]?.rate).toBeCloseTo(60 / 66.6, 12);
    expect(day.get('MKD')).toMatchObject([{ day: 1, rate: 60 }]);
  });
});

describe('the next figures of a series', () => {
  it('confirm only what is of their level', () => {
    const { on, told } = judging();
    [100, 150, 300, 301].forEach((rate, index) => {
      on(index + 1, { 'BOC USD/CAD': rate });
    });
    expect(told()).toEqual(['2 BOC USD/CAD 150 jump held', '3 BOC USD/CAD 300 jump confirmed']);
  });

  it('confirm a first figure against another source at the third time after it', () => {
    const { on, told, carried } = judging();
    for (let day = 1; day <= 5; day++) {
      on(day, { 'ECB USD/CAD': 100, ...(day > 1 ? { 'BOC USD/CAD': 149 + day / 10 } : {}) });
      if (day === 4) expect(carried('BOC USD/CAD')).toBeNaN();
    }
    expect(carried('BOC USD/CAD')).toBe(149.5);
    expect(told()).toEqual([2, 3, 4].map((day) => `${day} BOC USD/CAD ${149 + day / 10} apart confirmed`));
  });

  it('confirm a level that is still moving, where nobody else gives the currency', () => {
    const { on, told } = judging();
    [100, 150, 162].forEach((rate, index) => {
      on(index + 1, { 'BOC USD/CAD': rate });
    });
    expect(told()).toEqual(['2 BOC USD/CAD 150 jump confirmed']);
  });

  it('are of another level where they are more than 5 % away the next day', () => {
    const { on, told } = judging({ judged: ['BOC'] });
    [150, 151, 152, 160.5].forEach((rate, index) => {
      on(101 + index, { 'BOC USD/CAD': rate, 'ECB USD/CAD': 100 });
    });
    expect(told().map((suspect) => suspect.split(' ').at(-1))).toEqual(Array(4).fill('held'));
  });

  it('that return to the last level leave what is held back behind', () => {
    const { on, told, carried } = judging();
    [100, 150, 101, 150].forEach((rate, index) => {
      on(index + 1, { 'BOC USD/CAD': rate });
    });
    expect(told()).toEqual(['2 BOC USD/CAD 150 jump held', '4 BOC USD/CAD 150 jump held']);
    expect(carried('BOC USD/CAD')).toBe(101);
  });

  it('that return to it for good leave the one behind that was wrong on its day', () => {
    const { on, told, carried } = judging({ judged: ['BOC'] });
    [100, 150, 101].forEach((rate, index) => {
      on(index + 1, { 'BOC USD/CAD': rate });
    });
    on(4, { 'BOC USD/CAD': 150, 'ECB USD/CAD': 151 });
    expect(told()).toEqual(['2 BOC USD/CAD 150 jump held']);
    expect(carried('BOC USD/CAD')).toBe(150);
  });

  it('take in what was held back where another source comes to agree with them', () => {
    const { on, told } = judging({ judged: ['BOC'] });
    on(1, { 'BOC USD/CAD': 100, 'ECB USD/CAD': 100 });
    on(2, { 'BOC USD/CAD': 150, 'ECB USD/CAD': 100 });
    on(3, { 'BOC USD/CAD': 152, 'ECB USD/CAD': 153 });
    expect(told()).toEqual(['2 BOC USD/CAD 150 jump confirmed']);
  });
});

describe('swapped figures', () => {
  const second = (one: string, other: string) => {
    const { on, told } = judging();
    on(1, { [one]: 40, [other]: 60 });
    on(2, { [one]: 60.5, [other]: 40.5 });
    return told().map((suspect) => suspect.split(' ').at(-2));
  };

  it('are of one provider', () => {
    expect(second('NBRM CAD/MKD', 'NBRM EUR/MKD')).toEqual(['swapped', 'swapped']);
    expect(second('NBRM CAD/MKD', 'NBS EUR/RSD')).toEqual(['jump', 'jump']);
  });
});

describe('the move of another source from which a provider has always been apart', () => {
  const monthly = (gap: number, pair = 'USD/CAD') => {
    const own = (rate: number) => ({ [`BOC ${pair}`]: pair === 'USD/CAD' ? rate : 1 / rate });
    const { on, preview, told } = judging({ judged: ['BOC'], from: 2 });
    on(1, { ...own(500), 'ECB USD/CAD': 1000 });
    for (let day = 2; day < 1 + gap; day++) on(day, { 'ECB USD/CAD': 1000 });
    // Looking ahead forgets nothing.
    preview(1 + gap, {});
    on(1 + gap, { ...own(700), 'ECB USD/CAD': 1400 });
    return told();
  };

  it('is known for 35 days', () => {
    expect(monthly(35)).toEqual([]);
    expect(monthly(35, 'CAD/USD')).toEqual([]);
    expect(monthly(36)).toEqual(['37 BOC USD/CAD 700 jump held']);
  });
});

describe('a preview', () => {
  const prepared = () => {
    const judge = judging();
    judge.on(1, { 'BOC USD/CAD': 100, 'BOC USD/NOK': 10, 'BOC EUR/NOK': 11 });
    judge.on(2, { 'BOC USD/CAD': 150, 'BOC USD/NOK': 10.1 });
    return judge;
  };

  it('tells which figures would be held back', () => {
    expect(prepared().preview(3, { 'BOC USD/CAD': 101, 'BOC USD/NOK': 20 })).toEqual([
      '3 BOC USD/NOK 20 jump held',
    ]);
  });

  it('before the first day leaves what was held back before it to be confirmed', () => {
    const judge = judging({ known: [[2, 'BOC USD/CAD', 150]], carried: [[1, { 'BOC USD/CAD': 100 }]] });
    expect(judge.preview(3, { 'BOC USD/CAD': 200 })).toEqual(['3 BOC USD/CAD 200 jump held']);
    judge.on(3, { 'BOC USD/CAD': 151 });
    expect(judge.told()).toEqual(['2 BOC USD/CAD 150 jump confirmed']);
  });

  it('tells nothing of what would be confirmed', () => {
    const judge = judging({ known: [[2, 'BOC USD/CAD', 150]] });
    judge.on(1, { 'BOC USD/CAD': 100 });
    judge.on(2, { 'BOC USD/CAD': 150 });
    expect(judge.preview(3, { 'BOC USD/CAD': 151 })).toEqual([]);
    expect(judge.told()).toEqual([]);
  });

  it('leaves all as it was', () => {
    const [judge, without] = [prepared(), prepared()];
    const state = judge.state();
    judge.preview(3, { 'BOC USD/CAD': 151, 'BOC USD/NOK': 20 });
    expect(judge.state()).toEqual(state);
    expect(judge.told()).toEqual(['2 BOC USD/CAD 150 jump held']);
    for (const one of [judge, without]) one.on(3, { 'BOC USD/CAD': 152, 'BOC USD/NOK': 20 });
    for (const one of [judge, without]) one.on(4, { 'BOC USD/CAD': 152, 'BOC USD/NOK': 10.2 });
    expect(judge.told()).toEqual(['2 BOC USD/CAD 150 jump confirmed', '3 BOC USD/NOK 20 jump held']);
    expect(judge.told()).toEqual(without.told());
    expect(judge.state()).toEqual(without.state());
  });
});
