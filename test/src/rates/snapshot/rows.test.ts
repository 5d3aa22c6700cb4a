import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnsOf } from '../../../../core/columns/columns.js';
import { dayNumber } from '../../../../core/domain/dates.js';
import { type Grouping, periodsOf } from '../../../../core/domain/periods.js';
import { type DayPick, onOrBefore } from '../../../../src/rates/snapshot/day-pick.js';
import { byDate, type PlainRows } from '../../../../src/rates/snapshot/row.js';
import {
  createPairRates,
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
  carriedTo,
  codesOf,
  columnsFrom,
  daysOf,
  type ExpectedRow,
  FIRST_DAY,
  firstRow,
  newestRow,
  type Rates,
  rateOn,
  ratesOf,
  shortOf,
  sorted,
} from './reference.js';

const RUNS = propertyRuns(3_000);
const FAR = FIRST_DAY + 1_000;

function inAllPeriods(rates: Rates): PeriodColumns {
  const days = columnsFrom(rates);
  return { days, weeks: days, months: days };
}

function request(given: Partial<RowsRequest> & Pick<RowsRequest, 'when' | 'base'>): RowsRequest {
  return { quotes: undefined, providers: undefined, ...given };
}

/** The quotes that a request asks for and that have rates at all. */
function wantedOf(rates: Rates, quotes: readonly string[] | undefined): string[] {
  return codesOf(rates).filter((code) => quotes?.includes(code) ?? true);
}

const day = (at: number) => FIRST_DAY + at;

interface Pair {
  base: string;
  quote: string;
}

describe('the newest rows', () => {
  it('are of the last day of the fourteen on which the quote has a rate and the base a carried one', () => {
    fc.assert(
      fc.property(
        arbitraryRates,
        arbitraryBase,
        arbitraryQuotes,
        arbitraryDay,
        (rates, base, quotes, asOf) => {
          const { rows } = plainRows(
            inAllPeriods(rates),
            request({ base, quotes, when: { form: 'date', ...onOrBefore(asOf) } }),
            FAR,
          );
          const expected = wantedOf(rates, quotes).flatMap(
            (quote) => newestRow(rates, { base, quote }, asOf - 14, asOf) ?? [],
          );
          expect(shortOf(rows)).toEqual(sorted(expected));
        },
      ),
      RUNS,
    );
  });

  it('are in both directions of a pair, or in neither', () => {
    const rates = ratesOf({ CHF: { [day(1)]: 0.8 }, JPY: { [day(0)]: 150 } });
    const rowsOf = (base: string, quote: string, at: number) =>
      shortOf(
        plainRows(
          inAllPeriods(rates),
          request({ base, quotes: [quote], when: { form: 'date', ...onOrBefore(day(at)) } }),
          FAR,
        ).rows,
      );
    expect([rowsOf('JPY', 'CHF', 14), rowsOf('CHF', 'JPY', 14)]).toEqual([
      [expect.anything()],
      [expect.anything()],
    ]);
    expect([rowsOf('JPY', 'CHF', 15), rowsOf('CHF', 'JPY', 15)]).toEqual([[], []]);
  });

  it('are what is looked up for each pair', () => {
    fc.assert(
      fc.property(arbitraryRates, arbitraryBase, fc.array(arbitraryDay), (rates, base, days) => {
        const find = createPairRates(columnsFrom(rates), base, undefined);
        for (const asOf of days) {
          for (const quote of ['CHF', 'EUR', 'NOK', 'USD']) {
            const isKnown = codesOf(rates).includes(quote) && codesOf(rates).includes(base);
            const row = isKnown ? newestRow(rates, { base, quote }, asOf - 14, asOf) : undefined;
            expect(find(quote, onOrBefore(asOf))).toEqual(row && { day: row.day, rate: row.rate });
          }
        }
      }),
      RUNS,
    );
  });

  it('before a day are the last ones strictly before it, and the next ones the first on it or after it', () => {
    const expectedOf: Record<DayPick, (rates: Rates, pair: Pair, day: number) => ExpectedRow | undefined> = {
      'on-or-before': (rates, pair, day) => newestRow(rates, pair, day - 14, day),
      before: (rates, pair, day) => newestRow(rates, pair, day - 15, day - 1),
      next: (rates, pair, day) => firstRow(rates, pair, day, day + 14),
    };
    const arbitraryPick = fc.constantFrom<DayPick>('on-or-before', 'before', 'next');
    fc.assert(
      fc.property(
        arbitraryRates,
        arbitraryBase,
        arbitraryQuotes,
        fc.record({ day: arbitraryDay, pick: arbitraryPick }),
        (rates, base, quotes, picked) => {
          const asked = request({ base, quotes, when: { form: 'date', ...picked } });
          const { rows, asOf } = plainRows(inAllPeriods(rates), asked, FAR);
          const find = createPairRates(columnsFrom(rates), base, undefined);
          const expected = codesOf(rates).includes(base)
            ? wantedOf(rates, quotes).flatMap(
                (quote) => expectedOf[picked.pick](rates, { base, quote }, picked.day) ?? [],
              )
            : [];
          const shown = shortOf(rows);
          expect(asOf).toBe(picked.day);
          expect(shown).toEqual(sorted(expected));
          expect(expected.map(({ quote }) => find(quote, picked))).toEqual(
            expected.map(({ day, rate }) => ({ day, rate })),
          );
          if (picked.pick !== 'next') return;
          const range = rowsBetween(
            columnsFrom(rates),
            { base, quotes },
            { from: picked.day, to: picked.day + 14 },
          );
          const inRange = shortOf(range);
          const first = inRange.filter(
            (row, at) => inRange.findIndex(({ quote }) => quote === row.quote) === at,
          );
          expect(shown).toEqual(first);
        },
      ),
      RUNS,
    );
  });

  it('reach up to tomorrow where no day is named, and say so', () => {
    const rates = ratesOf({ EUR: { [day(0)]: 0.9, [day(5)]: 0.8, [day(6)]: 0.7 } });
    const newest = (tomorrow: number) => {
      const { rows, asOf } = plainRows(
        inAllPeriods(rates),
        request({ base: 'USD', quotes: ['EUR'], when: { form: 'newest' } }),
        tomorrow,
      );
      return { asOf, rates: shortOf(rows).map(({ rate }) => rate) };
    };
    expect(newest(day(4))).toEqual({ asOf: day(0), rates: [0.9] });
    expect(newest(day(5))).toEqual({ asOf: day(5), rates: [0.8] });
    expect(newest(day(6))).toEqual({ asOf: day(6), rates: [0.7] });
    // The newest day counts, however long ago it is.
    expect(newest(day(400))).toEqual({ asOf: day(6), rates: [0.7] });
    expect(newest(day(-1))).toEqual({ asOf: undefined, rates: [] });
  });

  it('of a day are those of that day, though tomorrow is before it', () => {
    const rates = ratesOf({ EUR: { [day(0)]: 0.9, [day(5)]: 0.8 } });
    const { rows, asOf } = plainRows(
      inAllPeriods(rates),
      request({ base: 'USD', quotes: ['EUR'], when: { form: 'date', ...onOrBefore(day(7)) } }),
      day(1),
    );
    expect([asOf, shortOf(rows)]).toEqual([day(7), [{ day: day(5), quote: 'EUR', rate: 0.8 }]]);
  });

  it('are about as many as there are quotes', () => {
    const rates = ratesOf({ EUR: { [day(0)]: 0.9 }, JPY: { [day(0)]: 150 } });
    const ask = (quotes: string[] | undefined) =>
      plainRows(inAllPeriods(rates), request({ base: 'USD', quotes, when: { form: 'newest' } }), FAR);
    expect(ask(undefined)).toMatchObject({
      estimate: 3,
      rows: { maxRows: 3, quotes: ['EUR', 'JPY', 'USD'] },
    });
    expect(ask(['EUR', 'NOK'])).toMatchObject({ estimate: 2, rows: { maxRows: 1, quotes: ['EUR'] } });
  });

  it('are none where the base has had no rate for more than fourteen days, nor anything else', () => {
    const rates = ratesOf({ EUR: { [day(0)]: 0.9 }, JPY: { [day(0)]: 150 } });
    const ask = (at: number) =>
      shortOf(
        plainRows(
          inAllPeriods(rates),
          request({ base: 'EUR', quotes: ['JPY'], when: { form: 'date', ...onOrBefore(day(at)) } }),
          FAR,
        ).rows,
      ).length;
    expect([ask(14), ask(15)]).toEqual([1, 0]);
  });

  it('are none where the base has no rates, or no day is old enough', () => {
    const rates = ratesOf({ EUR: { [day(3)]: 0.9 } });
    const ask = (base: string, at: number) =>
      plainRows(inAllPeriods(rates), request({ base, when: { form: 'date', ...onOrBefore(at) } }), FAR).rows;
    expect(ask('NOK', day(3))).toMatchObject({ quotes: [], maxRows: 0 });
    expect(ask('USD', day(2))).toMatchObject({ quotes: [], maxRows: 0 });
    expect(shortOf(ask('USD', day(2)))).toEqual([]);
  });
});

describe('the rows of a range', () => {
  // Of few currencies, longer ranges than sixty days are read from arrays of their own.
  const range = fc.tuple(arbitraryDay, fc.oneof(fc.nat(30), fc.integer({ min: 58, max: 80 })));
  const between =
    (rates: Rates, base: string, quotes: readonly string[] | undefined, isCarried: boolean) =>
    (from: number, to: number) =>
      daysOf(rates)
        .filter((each) => each >= from && each <= to)
        .flatMap((each) => {
          const divisor = isCarried ? carriedTo(rates, base, each) : rateOn(rates, base, each);
          if (divisor === undefined) return [];
          return wantedOf(rates, quotes).flatMap((quote): ExpectedRow[] => {
            if (quote === base) return [{ day: each, quote, rate: 1 }];
            const rate = rateOn(rates, quote, each);
            return rate === undefined ? [] : [{ day: each, quote, rate: rate / divisor }];
          });
        });

  it('are those of each of its days, divided by the rate of the base that is carried to the day', () => {
    fc.assert(
      fc.property(
        arbitraryRates,
        arbitraryBase,
        arbitraryQuotes,
        range,
        (rates, base, quotes, [from, length]) => {
          const to = from + length;
          const { rows } = plainRows(
            inAllPeriods(rates),
            request({ base, quotes, when: { form: 'range', from, to, period: 'day' } }),
            FAR,
          );
          expect(shortOf(rows)).toEqual(between(rates, base, quotes, true)(from, to));
        },
      ),
      RUNS,
    );
  });

  it('are divided by the rate of the same day where the base is not carried', () => {
    fc.assert(
      fc.property(
        arbitraryRates,
        arbitraryBase,
        arbitraryQuotes,
        range,
        (rates, base, quotes, [from, length]) => {
          const to = from + length;
          const rows = rowsBetween(columnsFrom(rates), { base, quotes }, { from, to, carry: false });
          expect(shortOf(rows)).toEqual(between(rates, base, quotes, false)(from, to));
        },
      ),
      RUNS,
    );
  });

  it('are carried where nothing else is said', () => {
    const rates = ratesOf({ EUR: { [day(0)]: 2 }, JPY: { [day(1)]: 300 } });
    const rows = rowsBetween(
      columnsFrom(rates),
      { base: 'EUR', quotes: ['JPY'] },
      { from: day(0), to: day(9) },
    );
    expect(shortOf(rows)).toEqual([{ day: day(1), quote: 'JPY', rate: 150 }]);
  });

  it('filled forward are the newest of so many days, on every calendar day up to tomorrow', () => {
    const reach = fc.integer({ min: 1, max: 40 });
    fc.assert(
      fc.property(
        arbitraryRates,
        arbitraryBase,
        arbitraryQuotes,
        range,
        reach,
        arbitraryDay,
        (rates, base, quotes, [from, length], fillDays, tomorrow) => {
          const to = from + length;
          const { rows } = plainRows(
            inAllPeriods(rates),
            request({ base, quotes, when: { form: 'range', from, to, period: 'day', fillDays } }),
            tomorrow,
          );
          const expected: ExpectedRow[] = [];
          for (let each = from; each <= Math.min(to, tomorrow); each++) {
            for (const quote of wantedOf(rates, quotes)) {
              const row = newestRow(rates, { base, quote }, each - fillDays, each);
              const observed = quote === base ? each : row?.day;
              if (row && observed !== undefined) expected.push({ ...row, day: each, observed });
            }
          }
          expect(shortOf(rows)).toEqual(expected);
        },
      ),
      RUNS,
    );
  });

  it('have an estimate: the days with rates, or all days where filled forward, times the quotes', () => {
    const rates = ratesOf({ EUR: { [day(0)]: 0.9, [day(2)]: 0.8, [day(9)]: 0.7 }, JPY: { [day(2)]: 150 } });
    const estimate = (when: object, quotes?: string[], tomorrow = FAR) => {
      const range = { form: 'range', from: day(0), to: day(8), period: 'day', ...when } as const;
      const { rows, estimate } = plainRows(
        inAllPeriods(rates),
        request({ base: 'USD', quotes, when: range }),
        tomorrow,
      );
      return [estimate, rows.maxRows];
    };
    expect(estimate({})).toEqual([6, 6]);
    expect(estimate({ to: day(9) })).toEqual([9, 9]);
    expect(estimate({ from: day(1) }, ['EUR', 'NOK'])).toEqual([2, 1]);
    expect(estimate({ fillDays: 3 })).toEqual([27, 27]);
    expect(estimate({ fillDays: 3 }, ['EUR'], day(5))).toEqual([6, 6]);
    expect(estimate({ fillDays: 3 }, undefined, day(-1))).toEqual([0, 0]);
    expect(estimate({ fillDays: 3 }, undefined, day(-5))).toEqual([0, 0]);
    expect(estimate({ from: day(12), to: day(20) })).toEqual([0, 0]);
    expect(estimate({ from: day(3), to: day(2) })).toEqual([0, 0]);
    expect(estimate({ from: day(2), to: day(2) })).toEqual([3, 3]);
  });

  it('are none where it ends before it begins', () => {
    const rates = ratesOf({ EUR: { [day(0)]: 0.9, [day(2)]: 0.8 } });
    for (const fillDays of [undefined, 5]) {
      const when = {
        form: 'range',
        from: day(3),
        to: day(2),
        period: 'day',
        ...(fillDays && { fillDays }),
      } as const;
      expect(shortOf(plainRows(inAllPeriods(rates), request({ base: 'USD', when }), FAR).rows)).toEqual([]);
    }
  });

  it('are none where the base has no rates', () => {
    const rates = ratesOf({ EUR: { [day(0)]: 0.9 } });
    for (const fillDays of [undefined, 5]) {
      const when = {
        form: 'range',
        from: day(0),
        to: day(2),
        period: 'day',
        ...(fillDays && { fillDays }),
      } as const;
      const { rows } = plainRows(inAllPeriods(rates), request({ base: 'NOK', when }), FAR);
      expect([rows.quotes, shortOf(rows)]).toEqual([[], []]);
    }
  });

  it('of weeks and months come from their own columns, from the first day of the first on', () => {
    const of = (rate: number, at: number) => columnsFrom(ratesOf({ EUR: { [at]: rate } }));
    // 20,500 is a Monday; the first of its month is day 20,485.
    const columns = { days: of(1, 20_502), weeks: of(2, 20_500), months: of(3, 20_485) };
    const rows = (period: Grouping) =>
      shortOf(
        plainRows(
          columns,
          request({
            base: 'USD',
            quotes: ['EUR'],
            when: { form: 'range', from: 20_502, to: 20_503, period },
          }),
          FAR,
        ).rows,
      );
    expect(rows('day')).toEqual([{ day: 20_502, quote: 'EUR', rate: 1 }]);
    expect(rows('week')).toEqual([{ day: 20_500, quote: 'EUR', rate: 2 }]);
    expect(rows('month')).toEqual([{ day: 20_485, quote: 'EUR', rate: 3 }]);
  });

  it('of weeks and months need a rate of the base in the same one', () => {
    const weeks = columnsFrom(ratesOf({ EUR: { 20500: 2 }, JPY: { 20500: 300, 20507: 310 } }));
    const when = { form: 'range', from: 20_500, to: 20_510, period: 'week' } as const;
    const { rows } = plainRows(
      { days: weeks, weeks, months: weeks },
      request({ base: 'EUR', quotes: ['JPY'], when }),
      FAR,
    );
    expect(shortOf(rows)).toEqual([{ day: 20_500, quote: 'JPY', rate: 150 }]);
  });

  it.each(['quarter', 'year', 'range'] as const)(
    'of a %s are means of its days, also of those outside the range',
    (period) => {
      fc.assert(
        fc.property(
          arbitraryRates,
          arbitraryBase,
          arbitraryQuotes,
          range,
          (rates, base, quotes, [from, length]) => {
            const to = from + length;
            const when = { form: 'range', from, to, period } as const;
            const periods = periodsOf(period, when);
            const [first, last] = [periods.firstDayOf(from), periods.lastDayOf(to)];
            const mean = (code: string, start: number) => {
              const own = daysOf(rates)
                .filter((each) => each >= first && each <= last && periods.firstDayOf(each) === start)
                .flatMap((each) => rateOn(rates, code, each) ?? []);
              return own.length === 0 ? undefined : own.reduce((sum, rate) => sum + rate, 0) / own.length;
            };
            const starts = new Set(
              daysOf(rates)
                .filter((each) => each >= first && each <= last)
                .map((each) => periods.firstDayOf(each)),
            );
            const expected = [...starts].flatMap((start) => {
              const divisor = mean(base, start);
              if (divisor === undefined) return [];
              return wantedOf(rates, quotes).flatMap((quote): ExpectedRow[] => {
                const rate = mean(quote, start);
                if (quote === base) return [{ day: start, quote, rate: 1 }];
                return rate === undefined ? [] : [{ day: start, quote, rate: rate / divisor }];
              });
            });
            const { rows } = plainRows(inAllPeriods(rates), request({ base, quotes, when }), FAR);
            expect(shortOf(rows)).toEqual(expected);
          },
        ),
        RUNS,
      );
    },
  );
});

describe('rows that are drawn', () => {
  const rates = ratesOf({
    EUR: Object.fromEntries(Array.from({ length: 12 }, (_, at) => [day(at), 2 + at])),
    JPY: Object.fromEntries(Array.from({ length: 12 }, (_, at) => [day(at), 150 + at])),
    CHF: { [day(3)]: 0.8 },
    GBP: { [day(5)]: 0.7 },
  });
  const range = { form: 'range', from: day(0), to: day(11), period: 'day' } as const;
  const ask = (when: RowsRequest['when']) =>
    plainRows(inAllPeriods(rates), request({ base: 'USD', quotes: ['CHF', 'EUR', 'GBP', 'JPY'], when }), FAR)
      .rows;
  const kinds: [string, () => PlainRows, number][] = [
    ['newest', () => ask({ form: 'date', ...onOrBefore(day(11)) }), 3],
    ['of a range', () => ask(range), 12],
    ['filled forward', () => ask({ ...range, fillDays: 5 }), 12],
  ];

  it.each(kinds)('come date by date until there are as many as wanted: %s', (_kind, make, dates) => {
    for (const [count, perDraw] of [
      [1, 1],
      [4, 1],
      [5, 2],
      [8, 2],
      [9, 3],
      [1_000, dates],
    ] as const) {
      const rows = make();
      const taken: number[] = [];
      for (let left = dates; left > 0; left -= perDraw) {
        taken.length = 0;
        const hasMore = rows.draw((day) => taken.push(day), count);
        expect([count, taken.length, hasMore]).toEqual([count, Math.min(left, perDraw), left > perDraw]);
      }
      taken.length = 0;
      expect(rows.draw((day) => taken.push(day), count)).toBe(false);
      expect(taken).toEqual([]);
    }
  });

  it('come none where none are wanted', () => {
    for (const [, make] of kinds) {
      const taken: number[] = [];
      expect(make().draw((day) => taken.push(day), 0)).toBe(true);
      expect(taken).toEqual([]);
    }
  });

  it('as objects are only those of dates that have any', () => {
    const sparse: PlainRows = {
      quotes: ['EUR'],
      maxRows: 3,
      draw: (() => {
        const left = [Number.NaN, 2, Number.NaN];
        return (take) => {
          const rate = left.shift();
          if (rate !== undefined) take(left.length, Float64Array.of(rate));
          return left.length > 0;
        };
      })(),
    };
    expect([...byDate(sparse)]).toEqual([
      {
        day: 1,
        rows: [
          {
            quote: 'EUR',
            rate: 2,
            published: false,
            observed: undefined,
            suspect: undefined,
            sources: undefined,
          },
        ],
      },
    ]);
  });

  it('as objects have the marks of their own quote', () => {
    const marked: PlainRows = {
      quotes: ['CHF', 'EUR'],
      maxRows: 2,
      draw(take) {
        take(7, Float64Array.of(1, 2), {
          exact: Uint8Array.of(0, 1),
          observed: Int32Array.of(5, 6),
          suspects: ['jump', undefined],
        });
        return false;
      },
    };
    expect([...byDate(marked)]).toEqual([
      {
        day: 7,
        rows: [
          { quote: 'CHF', rate: 1, published: false, observed: 5, suspect: 'jump', sources: undefined },
          { quote: 'EUR', rate: 2, published: true, observed: 6, suspect: undefined, sources: undefined },
        ],
      },
    ]);
  });
});

describe('digits of their own', () => {
  const PEG = 655.957;
  const columns = (times: number) => {
    const days = columnsFrom(
      ratesOf({
        EUR: { [day(0)]: 0.8, [day(1)]: 0.9 },
        XOF: { [day(0)]: 0.8 * PEG * times, [day(1)]: 0.9 * PEG * times },
        GBP: { [day(0)]: 0.7 },
      }),
    );
    return { days, weeks: days, months: days };
  };
  const exactRows = (when: RowsRequest['when'], { times = 1, base = 'EUR' } = {}) =>
    [...byDate(plainRows(columns(times), request({ base, when }), FAR).rows)].flatMap(({ rows }) =>
      rows.filter(({ published }) => published).map(({ quote, rate }) => [quote, rate]),
    );
  const range = { form: 'range', from: day(0), to: day(1), period: 'day' } as const;

  it('are those of the peg for what is pegged to the base, on any day', () => {
    expect(exactRows({ form: 'newest' })).toEqual([['XOF', PEG]]);
    expect(exactRows({ form: 'newest' }, { times: 1 + 1e-11 })).toEqual([['XOF', PEG]]);
    expect(exactRows(range, { times: 1 - 1e-11 })).toEqual([
      ['XOF', PEG],
      ['XOF', PEG],
    ]);
    expect(exactRows({ ...range, fillDays: 3 }, { times: 1 - 1e-11 })).toEqual([
      ['XOF', PEG],
      ['XOF', PEG],
    ]);
  });

  it('are not those of the peg in another base', () => {
    expect(exactRows({ form: 'newest' }, { base: 'USD' })).toEqual([]);
    expect(exactRows({ form: 'newest' }, { base: 'GBP' })).toEqual([]);
  });

  it('are known for bases that are anchors, and of them for the currencies that are pegged to these', () => {
    const days = Int32Array.of(day(0));
    expect(pegsOn('GBP', days)).toBeDefined();
    expect(pegsOn('JPY', days)).toBeUndefined();
    expect(pegsOn('EUR', days)?.('AED')).toBeUndefined();
    expect(pegsOn('EUR', days)?.('JPY')).toBeUndefined();
    expect(pegsOn('USD', days)?.('AED')?.(3.6725, 0)).toBe(3.6725);
  });

  it('are those of the peg on each day while it is in force, whatever the stored rates are', () => {
    const first = dayNumber('1999-01-01');
    const digitsOf = pegsOn('EUR', Int32Array.of(first - 1, first, first + 1))?.('XOF');
    expect([0, 1, 2].map((dayIndex) => digitsOf?.(650, dayIndex))).toEqual([undefined, PEG, PEG]);
    expect(digitsOf?.(Number.NaN, 1)).toBeUndefined();
    const end = dayNumber('2025-07-01');
    const ofGuilder = pegsOn('USD', Int32Array.of(end - 1, end))?.('ANG');
    expect([0, 1].map((dayIndex) => ofGuilder?.(1.8, dayIndex))).toEqual([1.79, undefined]);
  });

  it('are those of the peg over each period that lies wholly inside it', () => {
    const starts = (...dates: string[]) => Int32Array.from(dates, dayNumber);
    const digits = (base: string, quote: string, period: Grouping, days: Int32Array) => {
      const range = { from: days[0] ?? 0, to: days.at(-1) ?? 0 };
      const digitsOf = pegsOn(base, days, periodsOf(period, range))?.(quote);
      return [...days.keys()].map((index) => digitsOf?.(2, index));
    };
    const weeks = starts('1998-12-28', '1999-01-04');
    expect(digits('EUR', 'XOF', 'week', weeks)).toEqual([undefined, PEG]);
    const months = starts('1998-12-01', '1999-01-01');
    expect(digits('EUR', 'XOF', 'month', months)).toEqual([undefined, PEG]);
    const quarters = starts('2025-04-01', '2025-07-01');
    expect(digits('USD', 'ANG', 'quarter', quarters)).toEqual([1.79, undefined]);
    expect(digits('USD', 'ANG', 'year', starts('2024-01-01', '2025-01-01'))).toEqual([1.79, undefined]);
  });

  it('are those of the request where there are providers, and those of the pegs only without', () => {
    const exact = (quote: string) =>
      quote === 'GBP' ? (rate: number) => (rate > 0 ? 0.875 : undefined) : undefined;
    const published = (providers: string[] | undefined) =>
      [
        ...byDate(
          plainRows(columns(1), request({ base: 'EUR', providers, exact, when: { form: 'newest' } }), FAR)
            .rows,
        ),
      ].flatMap(({ rows }) => rows.filter((row) => row.published).map(({ quote, rate }) => [quote, rate]));
    expect(published(['ECB'])).toEqual([['GBP', 0.875]]);
    expect(published(undefined)).toEqual([['XOF', PEG]]);
  });

  it('depend on the rate and the day that a row is of', () => {
    const days = columnsFrom(ratesOf({ EUR: { [day(0)]: 0.5, [day(1)]: 0.25 }, JPY: { [day(1)]: 150 } }));
    const exact = () => (rate: number, dayIndex: number) => (dayIndex === 0 ? rate + 100 : undefined);
    const ask = (when: RowsRequest['when']) =>
      [
        ...byDate(
          plainRows(
            { days, weeks: days, months: days },
            request({ base: 'USD', quotes: ['EUR'], providers: ['ECB'], exact, when }),
            FAR,
          ).rows,
        ),
      ].flatMap(({ rows }) => rows.map(({ rate, published }) => [rate, published]));
    const both = [
      [100.5, true],
      [0.25, false],
    ];
    expect(ask(range)).toEqual(both);
    expect(ask({ ...range, fillDays: 3 })).toEqual(both);
    expect(ask({ form: 'date', ...onOrBefore(day(0)) })).toEqual(both.slice(0, 1));
    expect(ask({ form: 'date', ...onOrBefore(day(1)) })).toEqual(both.slice(1));
    const find = createPairRates(days, 'USD', exact);
    expect([find('EUR', onOrBefore(day(0)))?.rate, find('EUR', onOrBefore(day(1)))?.rate]).toEqual([
      100.5, 0.25,
    ]);
  });
});

describe('a base that is pegged', () => {
  const rates = ratesOf({
    EUR: { [day(0)]: 0.8, [day(1)]: 0.9 },
    XOF: { [day(0)]: 500 },
    GBP: { [day(0)]: 0.7, [day(1)]: 0.7 },
  });
  const own = (providers: string[] | undefined) =>
    shortOf(
      plainRows(
        inAllPeriods(rates),
        request({
          base: 'XOF',
          quotes: ['GBP'],
          providers,
          when: { form: 'range', from: day(0), to: day(1), period: 'day' },
        }),
        FAR,
      ).rows,
    ).map(({ rate }) => rate);

  it('is held to its peg in the blend of all, and is the own one of some providers', () => {
    expect(own(undefined)).toEqual([0.7 / 500, 0.7 / (655.957 * 0.9)]);
    expect(own(['ECB', 'BCEAO'])).toEqual([0.7 / 500, 0.7 / 500]);
  });
});

describe('rows with statistics', () => {
  it.each(['week', 'month', 'range'] as const)(
    'have those of the daily rows of their %s within the range',
    (period) => {
      fc.assert(
        fc.property(
          arbitraryRates,
          arbitraryBase,
          arbitraryQuotes,
          fc.tuple(arbitraryDay, fc.integer({ min: 0, max: 90 })),
          (rates, base, quotes, [from, length]) => {
            const to = from + length;
            const when = { form: 'range', from, to, period } as const;
            const periods = periodsOf(period, when);
            // Weeks and months of any rates: rows of periods with and without daily rows in the range.
            const starts = new Map(daysOf(rates).map((each) => [periods.firstDayOf(each), each]));
            const ofPeriods = columnsOf(
              codesOf(rates).map((code) => [
                code,
                {
                  days: Int32Array.from(starts.keys()),
                  rates: Float64Array.from(starts.values(), () => 2),
                },
              ]),
            );
            const columns = { days: columnsFrom(rates), weeks: ofPeriods, months: ofPeriods };
            const asked = request({ base, quotes, when: { ...when, stats: 'full' } });
            const grouped = byDate(plainRows(columns, asked, FAR).rows);
            const daily = shortOf(
              plainRows(columns, { ...asked, when: { ...when, period: 'day' } }, FAR).rows,
            );
            for (const { day: first, rows } of grouped) {
              for (const { quote, stats } of rows) {
                const own = daily.filter(
                  (row) => row.quote === quote && periods.firstDayOf(row.day) === first,
                );
                const values = own.map(({ rate }) => Number(rate.toPrecision(12)));
                const sum = values.reduce((total, value) => total + value, 0);
                const expected = {
                  first: values[0],
                  last: values.at(-1),
                  lastDay: own.at(-1)?.day,
                  low: Math.min(...values),
                  high: Math.max(...values),
                  average: Number((sum / values.length).toPrecision(12)),
                  days: values.length,
                };
                expect(stats).toEqual(values.length > 0 ? expected : { days: 0 });
              }
            }
          },
        ),
        RUNS,
      );
    },
  );

  it('have them of daily rates as they are shown, but for exact ones', () => {
    const days = columnsFrom(
      ratesOf({
        EUR: { 20500: 1, 20501: 1 },
        JPY: { 20500: 1.000_04, 20501: 1.000_16 },
        XOF: { 20500: 655.957, 20501: 655.957 },
      }),
    );
    const when = { form: 'range', from: 20_500, to: 20_506, period: 'range' } as const;
    const columns = { days, weeks: days, months: days };
    const ask = (stats: { stats?: 'display' | 'full' }) => {
      const asked = request({ base: 'EUR', quotes: ['JPY', 'XOF'], when: { ...when, ...stats } });
      return [...byDate(plainRows(columns, asked, FAR).rows)].flatMap(({ rows }) =>
        rows.map(({ stats }) => stats && 'first' in stats && [stats.first, stats.last, stats.average]),
      );
    };
    expect(ask({ stats: 'display' })).toEqual([
      [1, 1.0002, 1.0001],
      [655.957, 655.957, 655.957],
    ]);
    expect(ask({ stats: 'full' })).toEqual([
      [1.000_04, 1.000_16, 1.0001],
      [655.957, 655.957, 655.957],
    ]);
    expect(ask({})).toEqual([undefined, undefined]);
  });
});
