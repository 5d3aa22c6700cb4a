import fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import {
  COLUMNS,
  firstOutOfOrder,
  type Kind,
  type TableName,
  type TableRows,
} from '../../../core/publication/tables.js';
import { writeTable } from '../../../core/publication/write-table.js';
import { propertyRuns } from '../../support/property-runs.js';
import { readTable } from '../../support/read-table.js';

const text = fc.constantFrom('CHF', 'EUR', 'JPY', 'USD');
/** A value of each kind, of which a column has many. */
const VALUES: Record<Kind, fc.Arbitrary<string | number | null>> = {
  date: fc.integer({ min: -30_000, max: 40_000 }),
  instant: fc.integer({ min: 0, max: 4_000_000_000_000 }),
  rate: fc.double({ min: 0, noNaN: true }),
  text,
  'optional text': fc.option(text),
};
const names = Object.keys(COLUMNS) as TableName[];

/** A column as `readTable` gives it. */
function columnOf(kind: Kind, values: (string | number | null)[]) {
  if (kind === 'date') return Int32Array.from(values as number[]);
  return kind === 'rate' || kind === 'instant' ? Float64Array.from(values as number[]) : values;
}

function rowsOf<Name extends TableName>(name: Name): fc.Arbitrary<TableRows<Name>> {
  const columns: [string, Kind][] = Object.entries(COLUMNS[name]);
  const row = fc.tuple(...columns.map(([, kind]) => VALUES[kind]));
  return fc.array(row, { maxLength: 50 }).map(
    (rows) =>
      Object.fromEntries(
        columns.map(([column, kind], at) => [
          column,
          columnOf(
            kind,
            rows.map((one) => one[at] ?? null),
          ),
        ]),
      ) as TableRows<Name>,
  );
}

const read = <Name extends TableName>(name: Name, bytes: Buffer, most = 100_000) =>
  readTable(name, bytes, { path: 'a file', most });

/** So many blended rates of a year, in order. */
function manyRates(count: number): TableRows<'blended'> {
  const at = Array.from({ length: count }, (_, index) => index);
  return {
    date: Int32Array.from(at, (index) => 20_000 + (index % 250)),
    base: at.map(() => 'USD'),
    quote: at.map((index) => `A${String.fromCharCode(65 + index / 6500, 65 + ((index / 250) % 26))}`),
    rate: Float64Array.from(at, (index) => 1 + index / 7),
  };
}

describe.for(names)('the table %s', (name) => {
  it('has the same rows after writing and reading, in the same bytes each time', () =>
    fc.assert(
      fc.asyncProperty(rowsOf(name), async (rows) => {
        const bytes = writeTable(name, rows);
        expect(writeTable(name, rows)).toEqual(bytes);
        expect(await read(name, bytes)).toEqual(rows);
      }),
      propertyRuns(100),
    ));

  it('is not read as another one', async () => {
    const other = names.find((one) => one !== name) ?? name;
    const [rows] = fc.sample(rowsOf(name), { numRuns: 1, seed: 1 });
    if (!rows) throw new Error('a sample has a value');
    await expect(read(other, writeTable(name, rows))).rejects.toMatchObject({
      fault: 'rows',
      path: 'a file',
    });
  });
});

it('has the same rows where a file has several row groups', async () => {
  const rows = manyRates(25_001);
  expect(await read('blended', writeTable('blended', rows))).toEqual(rows);
  expect(firstOutOfOrder('blended', rows)).toBe(-1);
});

it('is read from a part of a larger buffer', async () => {
  const rows = manyRates(10);
  const file = writeTable('blended', rows);
  const within = Buffer.concat([Buffer.from('before'), file, Buffer.from('after')]).subarray(
    6,
    6 + file.length,
  );
  expect(await read('blended', within)).toEqual(rows);
});

it('tells more rows than expected, and what is no Parquet', async () => {
  await expect(read('blended', writeTable('blended', manyRates(10)), 9)).rejects.toThrow(
    'rows: a file: is no table of blended',
  );
  for (const bytes of [Buffer.alloc(0), Buffer.from('PAR1'), Buffer.from('{"rates":{}}')]) {
    await expect(read('blended', bytes)).rejects.toMatchObject({ fault: 'rows' });
  }
});

it('tells columns of other types', async () => {
  const file = parquetWriteBuffer({
    columnData: [
      { name: 'date', data: ['2026-03-17'], type: 'STRING' },
      { name: 'base', data: ['USD'], type: 'STRING' },
      { name: 'quote', data: ['EUR'], type: 'STRING' },
      { name: 'rate', data: ['0.87'], type: 'STRING' },
    ],
  });
  await expect(read('blended', Buffer.from(file))).rejects.toMatchObject({ fault: 'rows' });
});

describe('the first row out of order', () => {
  const rows = manyRates(600);

  it('is one that stands twice', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 599 }), (at) => {
        const twice = {
          ...rows,
          date: rows.date.map((day, index) => (index === at ? (rows.date[at - 1] ?? day) : day)),
          quote: rows.quote.map((code, index) => (index === at ? (rows.quote[at - 1] ?? code) : code)),
        };
        expect(firstOutOfOrder('blended', twice)).toBe(at);
      }),
    ));

  it('is the same where rows come in two parts', () => {
    const part = (from: number, to: number, days: TableRows<'blended'>['date']) => ({
      base: rows.base.slice(from, to),
      quote: rows.quote.slice(from, to),
      rate: rows.rate.slice(from, to),
      date: days.slice(from, to),
    });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 599 }),
        fc.integer({ min: 1, max: 599 }),
        fc.boolean(),
        (cut, at, isTwice) => {
          const days = rows.date.map((day, index) =>
            isTwice && index === at ? (rows.date[at - 1] ?? 0) : day,
          );
          const [first, second] = [part(0, cut, days), part(cut, 600, days)];
          const [inFirst, inSecond] = [
            firstOutOfOrder('blended', first),
            firstOutOfOrder('blended', second, first),
          ];
          const found = inFirst >= 0 ? inFirst : inSecond < 0 ? -1 : cut + inSecond;
          expect(found).toBe(firstOutOfOrder('blended', part(0, 600, days)));
        },
      ),
    );
  });

  it('is that of an earlier currency, or of an earlier day of the same one', () => {
    const three = { base: ['USD', 'USD', 'USD'], rate: Float64Array.of(1, 2, 3) };
    const blended = (quote: string[], ...date: number[]) =>
      firstOutOfOrder('blended', { ...three, quote, date: Int32Array.from(date) });
    expect(blended(['CHF', 'EUR', 'EUR'], 9, 1, 2)).toBe(-1);
    expect(blended(['CHF', 'EUR', 'CHF'], 1, 2, 3)).toBe(2);
    expect(blended(['CHF', 'CHF', 'EUR'], 2, 1, 3)).toBe(1);
  });
});
