import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blend } from '../../../../core/domain/blend/blend.js';
import { createCarriedRows, type RawRow, seriesOf } from '../../../../core/domain/blend/carry-forward.js';
import { createJudge, isLeftOut } from '../../../../core/domain/blend/judge.js';
import { addDays, type CalendarDate, dayNumber, fromDayNumber } from '../../../../core/domain/dates.js';

/**
 * Judges rows day by day. Suspects are told as `PROVIDER DATE BASE/QUOTE RATE reason status`; `last` is what is carried on
 * the last day.
 */
function judged(rows: readonly RawRow[]) {
  const carried = createCarriedRows();
  const judge = createJudge(carried, { isJudged: () => true });
  let last: ReturnType<typeof judge.observeDay> = new Map();
  for (const date of [...new Set(rows.map((row) => row.date))].sort()) {
    const today = rows.filter((row) => row.date === date);
    last = judge.observeDay(
      dayNumber(date),
      today.map(({ provider, base, quote, rate }) => ({
        series: seriesOf(carried, provider, base, quote),
        rate,
      })),
    );
  }
  const nameOf = ({ provider, date, base, quote, rate }: RawRow) =>
    `${provider} ${date} ${base}/${quote} ${rate}`;
  const suspects = judge.changed().map(({ series, day, rate, reason, expected, status }) => ({
    name: nameOf({ ...series, date: fromDayNumber(day), rate }),
    reason,
    expected,
    status,
  }));
  const out = new Set(suspects.filter(({ status }) => isLeftOut(status)).map(({ name }) => name));
  return { suspects, counted: rows.filter((row) => !out.has(nameOf(row))), last };
}

const told = (rows: readonly RawRow[]) =>
  judged(rows).suspects.map(({ name, reason, status }) => `${name} ${reason} ${status}`);

const blendedOn = (rows: readonly RawRow[], date: CalendarDate, quote: string) =>
  blend(judged(rows).counted, date).find((one) => one.quote === quote)?.rate;

/** A provider's rates of a pair on consecutive days. */
function series(provider: string, pair: string, from: CalendarDate, rates: readonly number[]): RawRow[] {
  const [base = '', quote = ''] = pair.split('/');
  return rates.map((rate, index) => ({ provider, date: addDays(from, index), base, quote, rate }));
}

describe('one wrong figure', () => {
  const calm = [1.3712, 1.3698, 1.3705, 1.3721];
  const others = [
    ...series('ECB', 'EUR/USD', '2026-03-02', [1.085, 1.086, 1.0855, 1.0862]),
    ...series('ECB', 'EUR/CAD', '2026-03-02', [1.4878, 1.4876, 1.4877, 1.4904]),
  ];

  it('is held back on its day, and gone with the next', () => {
    const rows = [...others, ...series('BOC', 'USD/CAD', '2026-03-02', calm.with(2, 13.705))];
    expect(told(rows)).toEqual(['BOC 2026-03-04 USD/CAD 13.705 factor_of_ten held']);
    expect(blendedOn(rows, '2026-03-04', 'CAD')).toBeCloseTo(1.3704, 3);
  });

  it('is held back where nobody else gives the currency', () => {
    expect(told(series('BOC', 'USD/CAD', '2026-03-02', calm.with(2, 0.73)))).toEqual([
      'BOC 2026-03-04 USD/CAD 0.73 inverted held',
    ]);
  });

  it('does not cost the others of its table, if it is the one in dollars', () => {
    const table = [
      ...series('NBRM', 'USD/MKD', '2026-03-02', [56.6, 56.7, 5.67, 56.5]),
      ...series('NBRM', 'EUR/MKD', '2026-03-02', [61.5, 61.6, 61.55, 61.5]),
    ];
    expect(told([...others, ...table])).toEqual(['NBRM 2026-03-04 USD/MKD 5.67 factor_of_ten held']);
  });

  it('is named after the one that it was swapped with', () => {
    const table = [
      ...series('NBRM', 'USD/MKD', '2026-03-02', [56.6, 56.7, 56.65]),
      ...series('NBRM', 'CAD/MKD', '2026-03-02', [41.3, 41.4, 61.55]),
      ...series('NBRM', 'EUR/MKD', '2026-03-02', [61.5, 61.6, 41.3]),
    ];
    expect(told([...others, ...table])).toEqual([
      'NBRM 2026-03-04 CAD/MKD 61.55 swapped held',
      'NBRM 2026-03-04 EUR/MKD 41.3 swapped held',
    ]);
  });

  it('stays held back however often a page is read wrongly, as long as others stay', () => {
    const rows = [...others, ...series('BOC', 'USD/CAD', '2026-03-02', [1.3712, 137, 136.9, 137.1])];
    expect(judged(rows).suspects.map(({ status }) => status)).toEqual(['held', 'held', 'held']);
  });
});

describe('beside another source', () => {
  const dollar = series('ECB', 'EUR/USD', '2026-03-02', Array(6).fill(1.08));

  it('a figure is unchanged if that one moved', () => {
    const rows = [
      ...dollar,
      ...series('ECB', 'EUR/CAD', '2026-03-02', [1.48, 1.52]),
      ...series('BOC', 'USD/CAD', '2026-03-02', [1.3712, 1.3712]),
    ];
    expect(told(rows)).toEqual(['BOC 2026-03-03 USD/CAD 1.3712 unchanged held']);
    expect(judged(rows).suspects[0]?.expected).toBeCloseTo(1.52 / 1.08, 12);
  });

  it.each([
    ['USD/CAD', 2.1, 1.48 / 1.08],
    ['CAD/USD', 1 / 2.1, 1.08 / 1.48],
  ])(
    'a first figure of %s that is apart is held back until three later ones stay there',
    (pair, rate, expected) => {
      const rows = [
        ...dollar,
        ...series('ECB', 'EUR/CAD', '2026-03-02', Array(6).fill(1.48)),
        ...series('BOC', pair, '2026-03-03', Array(5).fill(rate)),
      ];
      const until = (date: CalendarDate) => judged(rows.filter((row) => row.date <= date)).suspects;
      expect(until('2026-03-05').map(({ reason, status }) => `${reason} ${status}`)).toEqual(
        Array(3).fill('apart held'),
      );
      expect(until('2026-03-05')[0]?.expected).toBeCloseTo(expected, 12);
      expect(until('2026-03-07').map(({ status }) => status)).toEqual(Array(3).fill('confirmed'));
    },
  );
});

describe('the Central Bank of The Gambia', () => {
  const table = (date: CalendarDate, rates: Record<string, number>): RawRow[] =>
    Object.entries(rates).map(([base, rate]) => ({ provider: 'CBG', date, base, quote: 'GMD', rate }));
  const ecb = (date: CalendarDate, rates: Record<string, number>): RawRow[] =>
    Object.entries(rates).map(([quote, rate]) => ({ provider: 'ECB', date, base: 'EUR', quote, rate }));

  it.each([
    ['DKK', '2025-05-02', 1.1223],
    ['DKK', '2025-07-01', 0.9853],
    ['AED', '2026-02-27', 234.32],
    ['SEK', '2026-04-01', 0.9325],
    ['GBP', '2026-04-16', 14.54],
  ])('printed %s on %s at %d: held back, with or without another source', (code, date, wrong) => {
    const right = { DKK: 10.9, AED: 19.6, SEK: 7.66, GBP: 97.1 }[code] ?? 1;
    const before = [-3, -2, -1].flatMap((step) => [
      ...table(addDays(date, step), { USD: 71.5, EUR: 81.5, [code]: right }),
    ]);
    const rows = [...before, ...table(date, { USD: 71.45, EUR: 81.4, [code]: wrong })];
    const rate = Number(((81.5 / right) * 1).toPrecision(6));
    const others = [-2, -1, 0].flatMap((step) => ecb(addDays(date, step), { USD: 1.14, [code]: rate }));
    for (const all of [rows, [...others, ...rows]]) {
      expect(judged(all).suspects).toMatchObject([
        { name: `CBG ${date} ${code}/GMD ${wrong}`, status: 'held' },
      ]);
    }
  });
});

describe('a devaluation', () => {
  const anchor = series('ECB', 'EUR/USD', '2023-06-10', Array(8).fill(1.08));

  it('of the naira, 2023: is blended from its first day on once the next rate confirms it', () => {
    const naira = series('CBN', 'USD/NGN', '2023-06-12', [464.67, 464.8, 664.04, 671.1]);
    expect(told(naira.slice(0, 3))).toEqual(['CBN 2023-06-14 USD/NGN 664.04 jump held']);
    expect(blendedOn(naira.slice(0, 3), '2023-06-14', 'NGN')).toBe(464.8);
    expect(told(naira)).toEqual(['CBN 2023-06-14 USD/NGN 664.04 jump confirmed']);
    expect(blendedOn(naira, '2023-06-14', 'NGN')).toBe(664.04);
  });

  it('of the naira: a whole table is held back and confirmed with it', () => {
    const rows = [
      ...anchor,
      ...series('CBN', 'USD/NGN', '2023-06-12', [464.67, 464.8, 664.04, 671.1]),
      ...series('CBN', 'EUR/NGN', '2023-06-12', [501.8, 502, 717.2, 724.8]),
    ];
    expect(judged(rows).suspects.map(({ status }) => status)).toEqual(['confirmed', 'confirmed']);
    const [first] = ['2023-06-14'];
    expect(blendedOn(rows, first ?? '', 'NGN')).toBe(664.04);
  });

  it('of the Egyptian pound, 2024: never doubted if two sources have it the same day', () => {
    const rows = [
      ...series('CBE', 'USD/EGP', '2024-03-04', [30.85, 30.84, 49.5, 49.4]),
      ...series('CBG', 'USD/EGP', '2024-03-04', [30.9, 30.9, 48.9, 49.5]),
      ...series('IMF', 'USD/EGP', '2024-03-04', [30.9, 30.9, 30.9, 49.4]),
    ];
    expect(told(rows)).toEqual([]);
    expect(blendedOn(rows, '2024-03-07', 'EGP')).toBeCloseTo(49.433, 2);
  });

  it('is never doubted if two sources have it the same day, though neither in dollars', () => {
    const rows = ['CBE', 'CBG'].flatMap((provider) => [
      ...series(provider, 'EUR/USD', '2024-03-04', Array(4).fill(1.09)),
      ...series(provider, 'EUR/EGP', '2024-03-04', [33.6, 33.7, 54, 54.1]),
    ]);
    expect(told(rows)).toEqual([]);
  });

  it('of the Argentine peso, 2023: is blended from its first day on once another source follows', () => {
    const rows = [
      ...series('BCRA', 'USD/ARS', '2023-12-11', [366.1, 366.45, 799.95]),
      ...series('BCU', 'USD/ARS', '2023-12-11', [366, 366.3, 366.4, 799.9]),
    ];
    expect(judged(rows.slice(0, 6)).suspects).toMatchObject([{ status: 'held' }]);
    expect(told(rows)).toEqual(['BCRA 2023-12-13 USD/ARS 799.95 jump confirmed']);
    expect(judged(rows).last.get('ARS')).toMatchObject([{ rate: 799.95 }, { rate: 799.9 }]);
    expect(blendedOn(rows, '2023-12-13', 'ARS')).toBeCloseTo((799.95 + 366.4) / 2, 6);
    expect(blendedOn(rows, '2023-12-14', 'ARS')).toBeCloseTo((799.95 + 799.9) / 2, 6);
  });

  it('of the birr, 2024: goes on falling, and is blended from its first day on', () => {
    const birr = series('NBE', 'USD/ETB', '2024-07-26', [57.68, 57.7, 57.75, 74.74, 77.13, 83.9, 90.1]);
    expect(judged(birr).suspects.every(({ status }) => status === 'confirmed')).toBe(true);
    expect(blendedOn(birr, '2024-07-29', 'ETB')).toBe(74.74);
  });

  it('by a new unit, as the bolivar in 2021: is blended from its first day on', () => {
    const alone = series('BDP', 'USD/VES', '2021-09-29', [4_165_000, 4_181_781.84, 4.18, 4.17]);
    expect(judged(alone.slice(0, 3)).suspects).toMatchObject([{ reason: 'factor_of_ten', status: 'held' }]);
    expect(judged(alone).suspects).toMatchObject([{ status: 'confirmed' }]);
    expect(blendedOn(alone, '2021-10-01', 'VES')).toBe(4.18);
    const late = series('CBR', 'USD/VES', '2021-09-29', [4_165_000, 4_181_000, 4_181_000, 4_181_000, 4.17]);
    const both = [
      ...series('BDP', 'USD/VES', '2021-09-29', [4_165_000, 4_181_781.84, 4.18, 4.17, 4.17]),
      ...late,
    ];
    expect(judged(both).counted).toHaveLength(both.length);
  });
});

describe('for all rows', () => {
  const codes = ['NOK', 'SEK', 'PLN', 'CZK'];
  const calm = fc.record({
    providers: fc.integer({ min: 1, max: 6 }),
    days: fc.integer({ min: 2, max: 12 }),
    noise: fc.array(fc.double({ min: -0.004, max: 0.004, noNaN: true }), { minLength: 400, maxLength: 400 }),
  });
  const rowsOf = ({ providers, days, noise }: { providers: number; days: number; noise: number[] }) => {
    let at = 0;
    return Array.from({ length: providers }, (_, number) =>
      codes.flatMap((code, index) =>
        series(
          `P${number}`,
          `USD/${code}`,
          '2026-03-02',
          Array.from({ length: days }, () => 10 * (index + 1) * (1 + (noise[at++] ?? 0))),
        ),
      ),
    ).flat();
  };

  it('rates that agree with their last ones are never suspect', () => {
    fc.assert(
      fc.property(calm, (given) => {
        expect(told(rowsOf(given))).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });

  it('the order of the rows of a day does not matter', () => {
    fc.assert(
      fc.property(calm, fc.nat(), fc.double({ min: 1.2, max: 50, noNaN: true }), (given, which, factor) => {
        const rows = rowsOf(given).map((row, index, all) =>
          index === which % all.length ? { ...row, rate: row.rate * factor } : row,
        );
        expect(told([...rows].reverse()).sort()).toEqual(told(rows).sort());
      }),
      { numRuns: 20 },
    );
  });

  it('a row that is accepted makes the blend that there is without judging', () => {
    fc.assert(
      fc.property(calm, fc.double({ min: 1.5, max: 50, noNaN: true }), (given, factor) => {
        const rows = rowsOf(given).map((row, index) =>
          index === 1 ? { ...row, rate: row.rate * factor } : row,
        );
        const carried = createCarriedRows();
        const known = rows.slice(1, 2).map(({ provider, date, base, quote, rate }) => ({
          series: seriesOf(carried, provider, base, quote),
          day: dayNumber(date),
          rate,
          reason: 'jump' as const,
          expected: 10,
          others: 0,
          status: 'accepted' as const,
        }));
        const judge = createJudge(carried, { isJudged: ({ length }) => length === 0, known });
        const date = '2026-03-03';
        for (const day of ['2026-03-02', date]) {
          const today = rows.filter((row) => row.date === day);
          judge.observeDay(
            dayNumber(day),
            today.map((row) => ({
              series: seriesOf(carried, row.provider, row.base, row.quote),
              rate: row.rate,
            })),
          );
        }
        const plain = blend(rows, date).map(({ quote, contributions }) => [quote, contributions]);
        const byQuote = [...judge.observeDay(dayNumber(date), [])].sort(([one], [other]) =>
          one < other ? -1 : 1,
        );
        expect(byQuote).toEqual(plain);
      }),
      { numRuns: 20 },
    );
  });
});
