import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { meansOf } from '../../../../core/columns/means.js';
import { dayNumber, fromDayNumber, type Grouping, periodsOf } from '../../../../core/domain/dates.js';
import { type DayPick, onOrBefore } from '../../../../core/domain/day-pick.js';
import {
  createPairRates,
  type DateSelection,
  type PeriodColumns,
  pegsOn,
  plainRows,
  type RowsRequest,
  rowsBetween,
} from '../../../../src/rates/snapshot/rows.js';
import { propertyRuns } from '../../../support/property-runs.js';
import {
  arbitraryBase,
  arbitraryDay,
  arbitraryQuotes,
  arbitraryRates,
  codesOf,
  columnsFrom,
  daysOf,
  type ExpectedRow,
  FIRST_DAY,
  firstRow,
  newestRow,
  type Pair,
  type Rates,
  ratesOf,
  rowOn,
  shortOf,
  sorted,
} from './reference.js';

const day = (at: number) => FIRST_DAY + at;
const FAR = day(1_000);

type Range = Extract<DateSelection, { form: 'range' }>;
const on = (at: number) => ({ form: 'date', ...onOrBefore(day(at)) }) as const;
const range = (from: number, to: number, more: Partial<Range> = {}): Range => {
  return { form: 'range', from: day(from), to: day(to), period: 'day', ...more };
};

/** The rows of a request, in columns that are the same for days, weeks and months unless they are given. */
function ask(rates: Rates | PeriodColumns, given: Partial<RowsRequest>, tomorrow = FAR) {
  const days = 'days' in rates ? undefined : columnsFrom(rates);
  const columns = days ? { days, weeks: days, months: days } : (rates as PeriodColumns);
  const usual = { base: 'USD', quotes: undefined, providers: undefined, when: { form: 'newest' } } as const;
  return plainRows(columns, { ...usual, ...given }, tomorrow);
}
const rowsOf = (...asked: Parameters<typeof ask>) => shortOf(ask(...asked).rows);
/** `5 EUR 0.8`, with days counted from the first one. */
const texts = (...asked: Parameters<typeof ask>) =>
  rowsOf(...asked).map(({ day, quote, rate }) => `${day - FIRST_DAY} ${quote} ${rate}`);
/** `XOF 655.957`: the rows whose digits are their own. */
const exactOf = (...asked: Parameters<typeof ask>) =>
  [...ask(...asked).rows].flatMap(({ rows }) =>
    rows.filter(({ published }) => published).map(({ quote, rate }) => `${quote} ${rate}`),
  );

/** The quotes that a request asks for and that have rates at all. */
function wantedOf(rates: Rates, quotes: readonly string[] | undefined): string[] {
  return codesOf(rates).filter((code) => quotes?.includes(code) ?? true);
}

type Some = { base: string; quotes: string[] | undefined };

/** Tries any rates, a base and quotes, and something more. */
function forAny<More>(more: fc.Arbitrary<More>, check: (rates: Rates, some: Some, more: More) => void) {
  const some = fc.record({ base: arbitraryBase, quotes: arbitraryQuotes });
  fc.assert(fc.property(arbitraryRates, some, more, check), propertyRuns(3_000));
}

describe('the newest rows', () => {
  it('are the last before a day, or on it, and the next ones the first on it or after it, also looked up one by one', () => {
    const expectedOf: Record<DayPick, (rates: Rates, pair: Pair, day: number) => ExpectedRow | undefined> = {
      'on-or-before': (rates, pair, day) => newestRow(rates, pair, day - 14, day),
      before: (rates, pair, day) => newestRow(rates, pair, day - 15, day - 1),
      next: (rates, pair, day) => firstRow(rates, pair, day, day + 14),
    };
    const picks = fc.constantFrom<DayPick>('on-or-before', 'before', 'next');
    const picked = fc.array(fc.record({ day: arbitraryDay, pick: picks }), { minLength: 1 });
    forAny(picked, (rates, { base, quotes }, several) => {
      const find = createPairRates(columnsFrom(rates), base, undefined);
      for (const one of several) {
        const rowOf = (quote: string) =>
          [base, quote].every((code) => codesOf(rates).includes(code))
            ? expectedOf[one.pick](rates, { base, quote }, one.day)
            : undefined;
        for (const quote of ['CHF', 'EUR', 'NOK', 'USD']) {
          const row = rowOf(quote);
          expect(find(quote, one)).toEqual(row && { day: row.day, rate: row.rate });
        }
        const { rows, newest } = ask(rates, { base, quotes, when: { form: 'date', ...one } });
        const shown = shortOf(rows);
        expect(newest).toBe(columnsFrom(rates).days.at(-1));
        expect(shown).toEqual(sorted(wantedOf(rates, quotes).flatMap((quote) => rowOf(quote) ?? [])));
        if (one.pick !== 'next') continue;
        const days = { from: one.day, to: one.day + 14 };
        const inRange = shortOf(rowsBetween(columnsFrom(rates), { base, quotes }, days));
        const isFirst = ({ quote }: ExpectedRow, at: number) =>
          quote !== base && inRange.findIndex((row) => row.quote === quote) === at;
        expect(shown.filter(({ quote }) => quote !== base)).toEqual(inRange.filter(isFirst));
      }
    });
  });

  it('reach up to tomorrow where no day is named, and say so', () => {
    const rates = ratesOf({ EUR: { 0: 0.9, 5: 0.8, 6: 0.7 } });
    const newest = (tomorrow: number) => {
      const { rows, newest: found = Number.NaN } = ask(rates, { quotes: ['EUR'] }, day(tomorrow));
      return [found - FIRST_DAY, ...shortOf(rows).map(({ rate }) => rate)].join(' ');
    };
    // The newest day counts, however long ago it is.
    expect([-1, 4, 5, 6, 400].map(newest)).toEqual(['NaN', '0 0.9', '5 0.8', '6 0.7', '6 0.7']);
    // Those of a day are of that day, though tomorrow is before it.
    expect(texts(rates, { quotes: ['EUR'], when: on(5) }, day(1))).toEqual(['5 EUR 0.8']);
  });

  it.each<[given: Partial<RowsRequest>, estimate: number, quotes: string[]]>([
    [{}, 3, ['EUR', 'JPY', 'USD']],
    [{ quotes: ['EUR', 'NOK'] }, 2, ['EUR']],
    // None where the base has no rates, or no day is old enough.
    [{ base: 'NOK', when: on(3) }, 3, []],
    [{ when: on(2) }, 3, []],
  ])('are about as many as there are quotes: %j', (given, estimate, quotes) => {
    const { rows, ...found } = ask(ratesOf({ EUR: { 3: 0.9 }, JPY: { 3: 150 } }), given);
    expect([found.estimate, rows.quotes]).toEqual([estimate, quotes]);
    expect(shortOf(rows).map(({ quote }) => quote)).toEqual(quotes);
  });
});

describe('the rows of a range', () => {
  // Of few currencies, longer ranges than sixty days are read from arrays of their own.
  const arbitraryRange = fc
    .tuple(arbitraryDay, fc.oneof(fc.nat(30), fc.integer({ min: 58, max: 80 })))
    .map(([from, length]) => ({ from, to: from + length }));

  it('are those of the days of which a pair has a row as of some day, and the base has one with any, wanted or not', () => {
    forAny(arbitraryRange, (rates, { base, quotes }, { from, to }) => {
      const expected = daysOf(rates)
        .filter((each) => each >= from && each <= to)
        .flatMap((each) => {
          const all = codesOf(rates).flatMap((quote) => rowOn(rates, { base, quote }, each) ?? []);
          const others = all.filter(({ quote }) => quote !== base);
          const rows = all.length > 0 ? [...others, { day: each, quote: base, rate: 1 }] : [];
          return sorted(rows.filter(({ quote }) => wantedOf(rates, quotes).includes(quote)));
        });
      const when = { form: 'range', from, to, period: 'day' } as const;
      expect(rowsOf(rates, { base, quotes, when })).toEqual(expected);
      expect(shortOf(rowsBetween(columnsFrom(rates), { base, quotes }, { from, to }))).toEqual(expected);
    });
  });

  it('filled forward are the newest of some days, on every calendar day up to tomorrow', () => {
    const filled = fc.tuple(arbitraryRange, fc.integer({ min: 1, max: 40 }), arbitraryDay);
    forAny(filled, (rates, { base, quotes }, [{ from, to }, fillDays, tomorrow]) => {
      const expected: ExpectedRow[] = [];
      for (let each = from; each <= Math.min(to, tomorrow); each++) {
        for (const quote of wantedOf(rates, quotes)) {
          const row = newestRow(rates, { base, quote }, each - fillDays, each);
          if (row) expected.push({ ...row, day: each, observed: quote === base ? each : row.day });
        }
      }
      const when = { form: 'range', from, to, period: 'day', fillDays } as const;
      expect(rowsOf(rates, { base, quotes, when }, tomorrow)).toEqual(expected);
    });
  });

  it.each<[when: Range, count: number, quotes?: string[] | undefined, tomorrow?: number]>([
    [range(0, 8), 6],
    [range(0, 9), 9],
    [range(1, 8), 2, ['EUR', 'NOK']],
    [range(0, 8, { fillDays: 3 }), 27],
    [range(0, 8, { fillDays: 3 }), 6, ['EUR'], 5],
    [range(0, 8, { fillDays: 3 }), 0, undefined, -1],
    [range(0, 8, { fillDays: 3 }), 0, undefined, -5],
    [range(12, 20), 0],
    [range(3, 2), 0],
    [range(2, 2), 3],
  ])('are about as many as days times quotes: %j', (when, count, quotes, tomorrow = 1_000) => {
    const rates = ratesOf({ EUR: { 0: 0.9, 2: 0.8, 9: 0.7 }, JPY: { 2: 150 } });
    expect(ask(rates, { quotes, when }, day(tomorrow)).estimate).toBe(count);
  });

  it.each([{}, { fillDays: 5 }])('are none of no days, or of a base without rates: %j', (fill) => {
    const rates = ratesOf({ EUR: { 0: 0.9, 2: 0.8 } });
    expect(rowsOf(rates, { when: range(3, 2, fill) })).toEqual([]);
    const { rows } = ask(rates, { base: 'NOK', when: range(0, 2, fill) });
    expect([rows.quotes, shortOf(rows)]).toEqual([[], []]);
  });

  it('of weeks and months come from their own columns, from the first day of the first on', () => {
    const of = (rate: number, at: number) => columnsFrom(ratesOf({ EUR: { [at]: rate } }));
    // The first day is a Monday; its month begins fifteen days before.
    const columns = { days: of(1, 2), weeks: of(2, 0), months: of(3, -15) };
    const rows = (period: Grouping) => texts(columns, { quotes: ['EUR'], when: range(2, 3, { period }) });
    expect([rows('day'), rows('week'), rows('month')].flat()).toEqual(['2 EUR 1', '0 EUR 2', '-15 EUR 3']);
  });

  it('of weeks and months need a rate of the base in the same one', () => {
    const rates = ratesOf({ EUR: { 0: 2 }, JPY: { 0: 300, 7: 310 } });
    const when = range(0, 10, { period: 'week' });
    const found = [...ask(rates, { base: 'EUR', quotes: ['JPY'], when }).rows];
    expect(found).toMatchObject([{ day: day(0), rows: [{ quote: 'JPY', rate: 150 }] }]);
  });

  it.each<[Grouping, when: Range, rows: string[]]>([
    // The first day is the sixteenth of February 2026: its quarter began 46 days before.
    ['quarter', range(3, 5), ['-46 CHF 0.55', '-46 EUR 1']],
    ['quarter', range(3, 50), ['-46 CHF 0.55', '-46 EUR 1', '44 EUR 1']],
    ['year', range(3, 5), ['-46 CHF 0.4125', '-46 EUR 1']],
    ['range', range(3, 5), ['3 CHF 0.375', '3 EUR 1']],
    ['range', range(4, 4), []],
  ])('of a %s are means of all its days, divided by that of the base: %j', (period, when, rows) => {
    const rates = ratesOf({ EUR: { 0: 2, 3: 4, 60: 6 }, CHF: { 0: 1.8, 5: 1.5, 7: 1.65 } });
    const found = rowsOf(rates, { base: 'EUR', quotes: ['CHF', 'EUR', 'NOK'], when: { ...when, period } });
    expect(
      found.map(({ day, quote, rate }) => `${day - FIRST_DAY} ${quote} ${Number(rate.toPrecision(10))}`),
    ).toEqual(rows);
  });
});

describe('rows without objects', () => {
  const series = (rate: number) => Object.fromEntries(Array.from({ length: 12 }, (_, at) => [at, rate + at]));
  const rates = ratesOf({ EUR: series(2), JPY: series(150), CHF: { 3: 0.8 }, GBP: { 5: 0.7 } });
  const kinds: [string, when: DateSelection, dates: number][] = [
    ['newest', on(11), 3],
    ['of a range', range(0, 11), 12],
    ['filled forward', range(0, 11, { fillDays: 5 }), 12],
  ];

  it.each(kinds)('come date by date, and no more after the last: %s', (_kind, when, dates) => {
    const { rows } = ask(rates, { quotes: ['CHF', 'EUR', 'GBP', 'JPY'], when });
    const days: number[] = [];
    for (let date = rows.nextDate(); date; date = rows.nextDate()) days.push(date.day);
    expect(days).toHaveLength(dates);
    expect(days).toEqual([...new Set(days)].sort((one, other) => one - other));
    expect([rows.nextDate(), rows.nextDate()]).toEqual([undefined, undefined]);
  });
});

describe('digits of their own', () => {
  const PEG = 655.957;
  const franc = (times = 1) => {
    const XOF = { 0: 0.8 * PEG * times, 1: 0.9 * PEG * times };
    return ratesOf({ EUR: { 0: 0.8, 1: 0.9 }, XOF, GBP: { 0: 0.7 } });
  };
  const both = range(0, 1);

  it('are those of the peg for what is pegged to the base, on any day, and not in another base', () => {
    const newest = { base: 'EUR', when: { form: 'newest' } } as const;
    for (const times of [1, 1 + 1e-11]) expect(exactOf(franc(times), newest)).toEqual([`XOF ${PEG}`]);
    for (const when of [both, range(0, 1, { fillDays: 3 })])
      expect(exactOf(franc(1 - 1e-11), { base: 'EUR', when })).toEqual([`XOF ${PEG}`, `XOF ${PEG}`]);
    for (const base of ['USD', 'GBP']) expect(exactOf(franc(), { base })).toEqual([]);
  });

  it('are known for bases that are anchors, and of them for the currencies that are pegged to these', () => {
    const days = Int32Array.of(FIRST_DAY);
    expect(pegsOn('GBP', days)).toBeDefined();
    expect(pegsOn('JPY', days)).toBeUndefined();
    for (const quote of ['AED', 'JPY']) expect(pegsOn('EUR', days)?.(quote)).toBeUndefined();
    expect(pegsOn('USD', days)?.('AED')?.rateOn(3.6, 0)).toBe(3.6725);
    expect(pegsOn('EUR', days)?.('XOF')?.rateOn(Number.NaN, 0)).toBeNaN();
  });

  it.each<[Grouping, pair: string, dates: string[], digits: (number | false)[]]>([
    ['day', 'EUR/XOF', ['1998-12-31', '1999-01-01', '1999-01-02'], [false, PEG, PEG]],
    ['day', 'USD/ANG', ['2025-06-30', '2025-07-01'], [1.79, false]],
    ['week', 'EUR/XOF', ['1998-12-28', '1999-01-04'], [false, PEG]],
    ['month', 'EUR/XOF', ['1998-12-01', '1999-01-01'], [false, PEG]],
    ['quarter', 'USD/ANG', ['2025-04-01', '2025-07-01'], [1.79, false]],
    ['year', 'USD/ANG', ['2024-01-01', '2025-01-01'], [1.79, false]],
  ])('are those of the peg over each whole %s of its time: %s', (period, pair, dates, digits) => {
    const days = Int32Array.from(dates, dayNumber);
    const [base = '', quote = ''] = pair.split('/');
    const all = { from: days[0] ?? 0, to: days.at(-1) ?? 0 };
    const own = pegsOn(base, days, ...(period === 'day' ? [] : [periodsOf(period, all)]))?.(quote);
    expect(dates.map((_, dayIndex) => own?.isExactOn(dayIndex) && own.rateOn(2, dayIndex))).toEqual(digits);
    expect(dates.map((_, dayIndex) => own?.rateOn(2, dayIndex))).toEqual(digits.map((digit) => digit || 2));
  });

  it('are those of the request where there are providers, and those of the pegs only without', () => {
    const pound = { rateOn: (ratio: number) => (ratio > 0 ? 0.875 : ratio), isExactOn: () => true };
    const own = (quote: string) => (quote === 'GBP' ? pound : undefined);
    expect(exactOf(franc(), { base: 'EUR', own, providers: ['ECB'] })).toEqual(['GBP 0.875']);
    expect(exactOf(franc(), { base: 'EUR', own })).toEqual([`XOF ${PEG}`]);
  });

  it('depend on the ratio and the day that a row is of', () => {
    const rates = ratesOf({ EUR: { 0: 0.5, 1: 0.25 }, JPY: { 1: 150 } });
    const first = {
      rateOn: (ratio: number, dayIndex: number) => (dayIndex === 0 ? ratio + 100 : ratio),
      isExactOn: (dayIndex: number) => dayIndex === 0,
    };
    const own = () => first;
    const given = { quotes: ['EUR'], providers: ['ECB'], own };
    for (const when of [both, range(0, 1, { fillDays: 3 })]) {
      expect(texts(rates, { ...given, when })).toEqual(['0 EUR 100.5', '1 EUR 0.25']);
      expect(exactOf(rates, { ...given, when })).toEqual(['EUR 100.5']);
    }
    expect(exactOf(rates, { ...given, when: on(0) })).toEqual(['EUR 100.5']);
    expect(exactOf(rates, { ...given, when: on(1) })).toEqual([]);
    const find = createPairRates(columnsFrom(rates), 'USD', own);
    expect([0, 1].map((at) => find('EUR', onOrBefore(day(at)))?.rate)).toEqual([100.5, 0.25]);
  });

  it('may be there on days on which the two currencies have no rates', () => {
    const rates = ratesOf({ EUR: { 0: 0.5 }, JPY: { 0: 150, 3: 160 } });
    const late = {
      rateOn: (ratio: number, dayIndex: number) => (dayIndex === 1 ? 300 : ratio),
      isExactOn: () => true,
    };
    const given = { base: 'EUR', quotes: ['JPY'], providers: ['ECB'], own: () => late };
    expect(texts(rates, { ...given, when: range(0, 5) })).toEqual(['0 JPY 300', '3 JPY 300']);
    expect(texts(rates, { ...given, when: on(9) })).toEqual(['3 JPY 300']);
    expect(texts(rates, { ...given, when: range(2, 4, { fillDays: 5 }) })).toEqual([
      '2 JPY 300',
      '3 JPY 300',
      '4 JPY 300',
    ]);
  });
});

describe('rows with statistics', () => {
  const rates = ratesOf({ EUR: { 0: 1, 1: 1.5, 5: 2, 8: 4 }, CHF: { 1: 3 } });
  const date = (at: number) => fromDayNumber(day(at));
  const day1 = { first: 1.5, last: 1.5, last_date: date(1), low: 1.5, high: 1.5, average: 1.5, days: 1 };
  const day8 = { first: 4, last: 4, last_date: date(8), low: 4, high: 4, average: 4, days: 1 };
  const early = { first: 1.5, last: 2, last_date: date(5), low: 1.5, high: 2, average: 1.75, days: 2 };
  const all = { first: 1, last: 4, last_date: date(8), low: 1, high: 4, average: 2.125, days: 4 };

  it.each<[when: Range, stats: object[]]>([
    // They are those of its daily rows within the range, which may have none.
    [range(1, 5, { period: 'week' }), [early]],
    [range(1, 8, { period: 'week' }), [early, day8]],
    [range(6, 6, { period: 'week' }), [expect.objectContaining({ days: 0, last: null })]],
    [range(1, 4, { period: 'month' }), [day1]],
    [range(0, 8, { period: 'month' }), [all]],
    [range(0, 30, { period: 'quarter' }), [all]],
    [range(8, 30, { period: 'year' }), [day8]],
    [range(1, 4, { period: 'range' }), [day1]],
  ])('have those of the days of each row: %j', (when, expected) => {
    const days = columnsFrom(rates);
    const periods = { from: day(-40), to: day(40) };
    const columns = { days, weeks: meansOf(days, 'week', periods), months: meansOf(days, 'month', periods) };
    const { rows } = ask(columns, { quotes: ['EUR'], when: { ...when, stats: 'full' } });
    expect([...rows].map(({ rows: [row] }) => row?.stats)).toEqual(expected);
  });

  it('have them of daily rates as they are shown, but for exact ones', () => {
    const rates = ratesOf({
      EUR: { 0: 1, 1: 1 },
      JPY: { 0: 1.000_04, 1: 1.000_16 },
      XOF: { 0: 655.957, 1: 655.957 },
    });
    const of = (stats: { stats?: 'display' | 'full' }) => {
      const when = range(0, 6, { period: 'range', ...stats });
      return [...ask(rates, { base: 'EUR', quotes: ['JPY', 'XOF'], when }).rows].flatMap(({ rows }) =>
        rows.map(({ stats }) => stats && [stats.first, stats.last, stats.average]),
      );
    };
    const franc = [655.957, 655.957, 655.957];
    expect(of({ stats: 'display' })).toEqual([[1, 1.0002, 1.0001], franc]);
    expect(of({ stats: 'full' })).toEqual([[1.000_04, 1.000_16, 1.0001], franc]);
    expect(of({})).toEqual([undefined, undefined]);
  });
});
