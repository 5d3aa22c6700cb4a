import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Columns, columnsOf } from '../../../core/columns/columns.js';
import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { dayNumber, fromDayNumber } from '../../../core/domain/dates.js';
import { dayFile, dayPath, latestFile, publishedDays } from '../../../core/publication/day-files.js';
import { canonicalBytes } from '../../../core/publication/publication-error.js';
import { blendedRows, firstOutOfOrder, seriesIn } from '../../../core/publication/tables.js';

const FIRST = dayNumber('2026-03-02');
type Rates = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Columns of rates by currency and date. */
function columnsWith(rates: Rates): Columns {
  return columnsOf(
    Object.entries(rates).map(([quote, byDate]) => {
      const dates = Object.keys(byDate).toSorted();
      const values = Float64Array.from(dates, (date) => byDate[date] ?? Number.NaN);
      return [quote, { days: Int32Array.from(dates, dayNumber), rates: values }];
    }),
  );
}

const columns = columnsWith({
  EUR: { '2026-03-16': 0.87, '2026-03-17': 0.8725 },
  ISK: { '2026-03-16': 125.5 },
  MWK: { '2026-03-02': 1734 },
});

it.each([
  // Also a day without a rate of its own has one.
  ['2026-03-03', '"observed":{"MWK":"2026-03-02","USD":"2026-03-02"},"rates":{"MWK":1734,"USD":1}'],
  ['2026-03-16', '"observed":{"MWK":"2026-03-02"},"rates":{"EUR":0.87,"ISK":125.5,"MWK":1734,"USD":1}'],
  ['2026-03-17', '"observed":{"ISK":"2026-03-16"},"rates":{"EUR":0.8725,"ISK":125.5,"USD":1}'],
])('the file of %s has the newest rate of each currency, and its day', (date, rates) => {
  expect(dayPath(dayNumber(date))).toBe(`day/${date}.json`);
  expect(dayFile(columns, dayNumber(date)).toString()).toBe(`{"base":"USD","date":"${date}",${rates}}`);
  expect(publishedDays(columns)).toEqual(Array.from({ length: 16 }, (_, at) => FIRST + at));
  expect(publishedDays(columnsOf([]))).toEqual([]);
});

it('has the newest day once more with its data version', () => {
  const data = { instant: '2026-03-17T15:59:00.000Z', version: 4711 };
  expect(latestFile(columns, { data }).toString()).toBe(
    '{"base":"USD","date":"2026-03-17","instant":"2026-03-17T15:59:00.000Z","observed":{"ISK":"2026-03-16"},"rates":{"EUR":0.8725,"ISK":125.5,"USD":1},"version":4711}',
  );
});

const rate = fc.double({ min: 1e-6, max: 1e6, noNaN: true });
const row = fc.tuple(fc.constantFrom('CHF', 'EUR', 'JPY'), fc.nat(40), rate);
const someRates = fc.array(row, { minLength: 1, maxLength: 60 }).map((rows) => {
  const rates: Record<string, Record<string, number>> = {};
  for (const [quote, offset, rate] of rows)
    rates[quote] = { ...rates[quote], [fromDayNumber(FIRST + offset)]: rate };
  return rates;
});

it('is canonical JSON, and changes on no other day than those that a new rate touches', () =>
  fc.assert(
    fc.property(someRates, fc.nat(40), (rates, offset) => {
      const day = FIRST + offset;
      const before = columnsWith(rates);
      const after = columnsWith({ ...rates, EUR: { ...rates.EUR, [fromDayNumber(day)]: 2e6 } });
      for (const one of publishedDays(before)) {
        const file = dayFile(before, one);
        expect(file).toEqual(canonicalBytes(JSON.parse(file.toString())));
        if (one < day || one > day + WINDOW_DAYS) expect(dayFile(after, one)).toEqual(file);
      }
    }),
  ));

it('comes from the same columns as the rows of the files, a file after the other', () =>
  fc.assert(
    fc.property(someRates, fc.nat(40), (rates, offset) => {
      const all = columnsWith(rates);
      const last = publishedDays(all).at(-1) ?? FIRST;
      const files = [blendedRows(all, FIRST, FIRST + offset), blendedRows(all, FIRST + offset + 1, last)];
      for (const rows of files) expect(firstOutOfOrder('blended', rows)).toBe(-1);
      const { quotes, days, rates: matrix } = columnsOf(files.flatMap((rows) => [...seriesIn(rows)]));
      expect([quotes, days, matrix]).toEqual([all.quotes, all.days, all.rates]);
    }),
  ));

it('reads on where a row has no currency', () => {
  const quote = [null, null, 'EUR'] as unknown as string[];
  const series = seriesIn({ date: Int32Array.of(1, 2, 3), quote, rate: Float64Array.of(1, 2, 3) });
  const lengths = [...series].map(([code, { days }]) => [code, days.length]);
  expect(Object.fromEntries(lengths)).toEqual({ '': 2, EUR: 1 });
});
