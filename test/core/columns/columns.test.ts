import { describe, expect, it } from 'vitest';
import {
  type Columns,
  carriedAt,
  columnsForBase,
  columnsOf,
  contiguous,
  firstFrom,
  lastUpTo,
  rateAt,
  replaceWindow,
} from '../../../core/columns/columns.js';
import { dayNumber } from '../../../core/domain/dates.js';

/** Numbers in [0, 1), the same for the same seed. */
function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

type Rates = Map<string, Map<number, number>>;

const CODES = ['AUD', 'CAD', 'EUR', 'JPY', 'ZAR'];
const DAYS = 60;

/** Some currencies on some days, one of them here and there for long without. */
function someRates(random: () => number): Rates {
  const share = random();
  return new Map(
    CODES.map((code) => {
      const first = Math.floor(random() * DAYS);
      const rates = new Map<number, number>();
      for (let day = first; day < DAYS; day++) if (random() < share) rates.set(day, random() + 0.5);
      return [code, rates];
    }),
  );
}

function columns(rates: Rates, isWanted = (_day: number) => true) {
  return columnsOf(
    [...rates].map(([code, byDay]) => {
      const days = [...byDay.keys()].filter(isWanted).reverse();
      const series = {
        days: Int32Array.from(days),
        rates: Float64Array.from(days, (day) => byDay.get(day) ?? 0),
      };
      return [code, series] as const;
    }),
  );
}

/** All that tells one matrix from another. */
function contentOf({ quotes, byQuote, columns, days, rates }: Columns) {
  expect(columns).toHaveLength(quotes.length);
  for (const [index, column] of columns.entries()) {
    expect(byQuote.get(quotes[index] ?? '')).toBe(column);
    expect(column.rates).toBe(rates);
  }
  const layout = columns.map(({ first, step }) => [first, step]);
  return { quotes, layout, days: [...days], rates: [...rates] };
}

describe('columns', () => {
  it('store each rate at its index, whatever their order, and a dollar for each day', () => {
    for (let seed = 1; seed <= 50; seed++) {
      const rates = someRates(numbers(seed));
      const { days, quotes, byQuote, columns: inOrder } = columns(rates);
      const all = new Set([...rates.values()].flatMap((byDay) => [...byDay.keys()]));
      expect([...days]).toEqual([...all].sort((one, other) => one - other));
      expect([...byQuote.keys()]).toEqual(quotes);
      expect([...byQuote.values()]).toEqual(inOrder);
      for (const [code, column] of byQuote) {
        days.forEach((day, dayIndex) => {
          const expected = code === 'USD' ? 1 : (rates.get(code)?.get(day) ?? Number.NaN);
          expect(rateAt(column, dayIndex)).toBe(expected);
        });
      }
    }
  });

  it('are the same after a window was replaced as made anew', () => {
    for (let seed = 1; seed <= 100; seed++) {
      const random = numbers(seed);
      const before = someRates(random);
      const other = someRates(random);
      const from = Math.floor(random() * DAYS);
      const to = from + Math.floor(random() * 12);
      const isWithin = (day: number) => day >= from && day <= to;
      const after: Rates = new Map(
        CODES.map((code) => {
          const kept = [...(before.get(code) ?? [])].filter(([day]) => !isWithin(day));
          const fresh = [...(other.get(code) ?? [])].filter(([day]) => isWithin(day));
          return [code, new Map([...kept, ...fresh])];
        }),
      );
      const old = columns(before);
      const replaced = replaceWindow(old, columns(other, isWithin), from, to);
      expect(contentOf(replaced)).toEqual(contentOf(columns(after)));
      // What is being read meanwhile stays as it is.
      expect(contentOf(old)).toEqual(contentOf(columns(before)));
    }
  });

  it('carry a rate for fourteen days', () => {
    const byDay = new Map([[0, 2]]);
    const { days, byQuote, ...rest } = columns(
      new Map([
        ['EUR', byDay],
        [
          'JPY',
          new Map([
            [0, 9],
            [14, 9],
            [15, 9],
          ]),
        ],
      ]),
    );
    const euro = byQuote.get('EUR');
    if (!euro) throw new Error('no column');
    const carried = [...days.keys()].map((dayIndex) => carriedAt({ days, byQuote, ...rest }, euro, dayIndex));
    expect(carried).toEqual([2, 2, Number.NaN]);
  });
});

describe('days', () => {
  it('are found where they are, however unevenly they lie', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const random = numbers(seed);
      const unevenness = random() * 6;
      let day = 0;
      const days = Int32Array.from({ length: Math.floor(random() * 200) }, () => {
        day += Math.floor(random() ** unevenness * 40);
        return day;
      });
      const wanted: number[] = [];
      for (let each = -1; each <= day + 1; each += 1 + Math.floor(random() * 5)) wanted.push(each);
      const firstOf = (day: number) => days.findIndex((each) => each >= day);
      expect(wanted.map((each) => firstFrom(days, each))).toEqual(
        wanted.map((each) => (firstOf(each) < 0 ? days.length : firstOf(each))),
      );
      expect(wanted.map((each) => lastUpTo(days, each))).toEqual(
        wanted.map((each) => days.findLastIndex((day) => day <= each)),
      );
    }
  });
});

it('a retired base has no days after its last one, and the other columns keep theirs', () => {
  const end = dayNumber('2025-07-01');
  const series = { days: Int32Array.of(end - 1, end, end + 1), rates: Float64Array.of(1, 2, 3) };
  const all = columnsOf([
    ['ANG', { days: series.days.subarray(0, 1), rates: Float64Array.of(1.79) }],
    ['EUR', series],
  ]);
  const retired = columnsForBase(all, 'ANG');
  expect([...retired.days]).toEqual([end - 1]);
  expect(columnsForBase(all, 'ANG')).toBe(retired);
  expect(columnsForBase(all, 'EUR')).toBe(all);
  expect(contiguous(retired, ['EUR']).byQuote.get('EUR')?.rates).toEqual(Float64Array.of(1));
  expect(contiguous(all, ['EUR']).byQuote.get('EUR')?.rates).toEqual(series.rates);
});
