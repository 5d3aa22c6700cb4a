import fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, it } from 'vitest';
import * as tables from '../../../core/publication/tables.js';
import { writeTable } from '../../../core/publication/write-table.js';
import { propertyRuns } from '../../support/property-runs.js';
import { readTable } from '../../support/read-table.js';

const text = fc.constantFrom('CHF', 'EUR', 'JPY', 'USD');
/** A value of each kind, of which a column has many. */
const VALUES: Record<tables.Kind, fc.Arbitrary<string | number | null>> = {
  date: fc.integer({ min: -30_000, max: 40_000 }),
  instant: fc.nat(4_000_000_000),
  rate: fc.double({ min: 0, noNaN: true }),
  'optional rate': fc.option(fc.double({ min: 0, noNaN: true }), { nil: Number.NaN, freq: 1 }),
  text,
  'optional text': fc.option(text),
};
const names = Object.keys(tables.COLUMNS) as tables.TableName[];

/** A column as `readTable` gives it. */
function columnOf(kind: tables.Kind, values: (string | number | null)[]) {
  if (kind === 'date') return Int32Array.from(values as number[]);
  if (kind === 'optional rate' && values.every(Number.isNaN)) return undefined;
  return kind.endsWith('text') ? values : Float64Array.from(values as number[]);
}

function rowsOf<Name extends tables.TableName>(name: Name): fc.Arbitrary<tables.TableRows<Name>> {
  const columns: [string, tables.Kind][] = Object.entries(tables.COLUMNS[name]);
  const row = fc.tuple(...columns.map(([, kind]) => VALUES[kind]));
  return fc.array(row, { maxLength: 50 }).map((rows) => {
    const valuesAt = (at: number) => rows.map((one) => one[at] ?? null);
    const filled = columns.map(([column, kind], at) => [column, columnOf(kind, valuesAt(at))]);
    return Object.fromEntries(filled) as tables.TableRows<Name>;
  });
}

const read = <Name extends tables.TableName>(name: Name, bytes: Buffer, most = 100_000) =>
  readTable(name, bytes, { path: 'a file', most });

/** Blended rates of a year, in order. */
function manyRates(count: number): tables.TableRows<'blended'> {
  const at = Array.from({ length: count }, (_, index) => index);
  return {
    date: Int32Array.from(at, (index) => 20_000 + (index % 250)),
    base: at.map(() => 'USD'),
    quote: at.map((index) => `A${String.fromCharCode(65 + index / 6500, 65 + ((index / 250) % 26))}`),
    rate: Float64Array.from(at, (index) => 1 + index / 7),
  };
}

it.each(names)('the table %s is read as it was written, in the same bytes each time', (name) =>
  fc.assert(
    fc.asyncProperty(rowsOf(name), async (rows) => {
      const bytes = writeTable(name, rows);
      expect(writeTable(name, rows)).toEqual(bytes);
      expect(await read(name, bytes)).toEqual(rows);
      const other = names.find((one) => one !== name) ?? name;
      await expect(read(other, bytes)).rejects.toMatchObject({ fault: 'rows', path: 'a file' });
    }),
    propertyRuns(100),
  ),
);

it('has the same rows where a file has several row groups, or is a part of a larger buffer', async () => {
  const rows = manyRates(25_001);
  const file = writeTable('blended', rows);
  const around = Buffer.concat([Buffer.from('before'), file, Buffer.from('after')]);
  expect(await read('blended', around.subarray(6, 6 + file.length))).toEqual(rows);
  expect(tables.firstOutOfOrder('blended', rows)).toBe(-1);
});

it('notices more rows than expected, what is no Parquet, and columns of other types', async () => {
  const tooMany = read('blended', writeTable('blended', manyRates(10)), 9);
  await expect(tooMany).rejects.toThrow('rows: a file: is not a table of blended');
  const texts = { date: '2026-03-17', base: 'USD', quote: 'EUR', rate: '0.87' };
  const type = 'STRING' as const;
  const columnData = Object.entries(texts).map(([name, text]) => ({ name, data: [text], type }));
  for (const bytes of ['', 'PAR1', '{"rates":{}}', parquetWriteBuffer({ columnData })])
    await expect(read('blended', Buffer.from(bytes as string))).rejects.toMatchObject({ fault: 'rows' });
});

const rows = manyRates(600);
const place = fc.integer({ min: 1, max: 599 });
/** With one row as the one before it. */
const twiceAt = (at: number) => ({
  ...rows,
  date: rows.date.with(at, rows.date[at - 1] ?? 0),
  quote: rows.quote.with(at, rows.quote[at - 1] ?? ''),
});
const part = ({ date, base, quote, rate }: typeof rows, from: number, to: number) => ({
  ...{ date: date.slice(from, to), base: base.slice(from, to) },
  ...{ quote: quote.slice(from, to), rate: rate.slice(from, to) },
});

it('the first row out of order is one that stands twice, also where rows come in two parts', () =>
  fc.assert(
    fc.property(place, place, (at, cut) => {
      const twice = twiceAt(at);
      expect(tables.firstOutOfOrder('blended', twice)).toBe(at);
      const [first, second] = [part(twice, 0, cut), part(twice, cut, 600)];
      expect([
        tables.firstOutOfOrder('blended', first),
        tables.firstOutOfOrder('blended', second, first),
      ]).toEqual(at < cut ? [at, expect.any(Number)] : [-1, at - cut]);
      expect(tables.firstOutOfOrder('blended', part(rows, cut, 600), part(rows, 0, cut))).toBe(-1);
    }),
  ));

it.each([
  [['CHF', 'EUR', 'EUR'], [9, 1, 2], -1],
  [['CHF', 'EUR', 'CHF'], [1, 2, 3], 2],
  [['CHF', 'CHF', 'EUR'], [2, 1, 3], 1],
])('the first row out of order of %j on %j is %i', (quote, date, first) => {
  const three = { base: ['USD', 'USD', 'USD'], rate: Float64Array.of(1, 2, 3) };
  expect(tables.firstOutOfOrder('blended', { ...three, quote, date: Int32Array.from(date) })).toBe(first);
});
