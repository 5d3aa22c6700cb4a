import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnsOf } from '../../../../core/columns/columns.js';
import { dayNumber, fromDayNumber } from '../../../../core/domain/dates.js';
import { plainDecimal, roundForDisplay } from '../../../../core/domain/rounding.js';
import { FORMATS, type Format } from '../../../../src/http/reply.js';
import {
  createTemplate,
  writeNumber,
  writeRate,
  writeTemplate,
} from '../../../../src/rates/encoding/ascii.js';
import { encodeChunks, encodeWhole } from '../../../../src/rates/encoding/row-encoder.js';
import { plainRow } from '../../../../src/rates/snapshot/row.js';
import { rowsBetween } from '../../../../src/rates/snapshot/rows.js';
import { propertyRuns } from '../../../support/property-runs.js';

const bytes = Buffer.alloc(512);
const written = (rate: number) => bytes.toString('latin1', 0, writeRate(bytes, 0, rate));

it('a number in bytes is as plainDecimal shows it', () => {
  const shown = (number: number) => bytes.toString('latin1', 0, writeNumber(bytes, 0, number));
  const decimal = fc
    .tuple(fc.integer({ min: 1, max: 10 ** 9 }), fc.integer({ min: 0, max: 12 }))
    .map(([digits, decimals]) => Number(`${digits}e-${decimals}`));
  const any = fc.oneof(decimal, fc.double({ min: 1e-20, max: 1e20, noNaN: true }));
  const check = (number: number) => {
    expect(shown(number)).toBe(plainDecimal(number));
  };
  fc.assert(fc.property(any, check), propertyRuns(50_000));
});

describe('a rate in bytes', () => {
  it.each([
    ...['1 1', '0.1 0.1', '1.00005 1.0001', '0.999999 1', '0.0999999 0.1', '20 20', '20.00049 20'],
    ...['80.005 80', '79.9996 80', '5000 5000', '5000.4 5000', '5000.5 5001', '4294967297.4 4294967297'],
    ...['0.000001234567 0.0000012346', '9.87654321e-7 0.00000098765', '1e22 10000000000000000000000'],
  ])('is short: %s', (example) => {
    const [rate, text = ''] = example.split(' ');
    expect(written(Number(rate))).toBe(text);
  });

  it('is what plainDecimal makes of roundForDisplay, also at and beside the middle of two decimals', () => {
    const any = fc.double({ min: Number.MIN_VALUE, noDefaultInfinity: true, noNaN: true });
    const ofSize = fc
      .tuple(fc.double({ min: 1, max: 10, noNaN: true }), fc.integer({ min: -9, max: 9 }))
      .map(([digits, exponent]) => digits * 10 ** exponent);
    const besideMiddle = fc
      .tuple(fc.nat(10_000_000), fc.integer({ min: -14, max: 3 }), fc.integer({ min: -3, max: 3 }))
      .map(([digits, exponent, steps]) => Number(`${digits}5e${exponent}`) * (1 + steps * Number.EPSILON));
    const check = (rate: number) => {
      expect(written(rate)).toBe(plainDecimal(roundForDisplay(rate)));
    };
    fc.assert(fc.property(fc.oneof(any, ofSize, besideMiddle), check), propertyRuns(70_000));
  });
});

describe('rows in bytes', () => {
  const day = dayNumber('2026-03-20');
  it.each<[Format, body: string]>([
    ['json', '[]'],
    ['ndjson', ''],
    ['csv', 'date,base,quote,rate\n'],
  ])('may be none in %s, and nothing where a single one is missing', async (format, body) => {
    expect(String(encodeWhole([], { format, base: 'EUR' }))).toBe(body);
    expect(await text(encodeChunks([], { format, base: 'EUR' }))).toBe(body);
    expect(encodeWhole([], { format, base: 'EUR', single: true })).toBeUndefined();
  });

  it('have their own dates in whatever order they come', () => {
    const options = { format: 'csv', base: 'EUR', header: false } as const;
    const near = fc.array(fc.integer({ min: -60, max: 60 }));
    const check = (first: number, steps: number[]) => {
      const days = steps.map((step) => first + step);
      const body = encodeWhole(
        days.map((day) => ({ day, rows: [plainRow('EUR', 1)] })),
        options,
      );
      expect(String(body)).toBe(days.map((day) => `${fromDayNumber(day)},EUR,EUR,1\n`).join(''));
    };
    fc.assert(fc.property(fc.integer({ min: -200_000, max: 200_000 }), near, check), propertyRuns(500));
  });

  it('are encoded while others are, and after others that failed', () => {
    const options = { format: 'csv', base: 'EUR', header: false } as const;
    const inner: string[] = [];
    function* outer(fails: boolean) {
      yield { day, rows: [plainRow('USD', 1.25)] };
      inner.push(String(encodeWhole([{ day: day + 1, rows: [plainRow('GBP', 0.875)] }], options)));
      if (fails) throw new Error('no more rows');
      yield { day: day + 2, rows: [plainRow('USD', 1.5)] };
    }
    const whole = '2026-03-20,EUR,USD,1.25\n2026-03-22,EUR,USD,1.5\n';
    expect(String(encodeWhole(outer(false), options))).toBe(whole);
    expect(() => encodeWhole(outer(true), options)).toThrow('no more rows');
    expect(String(encodeWhole(outer(false), options))).toBe(whole);
    expect(new Set(inner)).toEqual(new Set(['2026-03-21,EUR,GBP,0.875\n']));
  });

  describe('of many chunks', () => {
    const quotes = ['EUR', 'GBP', 'JPY', 'USD'];
    const days = Int32Array.from({ length: 20_000 }, (_, index) => 1_000 + index);
    const columns = columnsOf(
      quotes.map((quote, place) => {
        const rates = Float64Array.from(days, (day) => (1 + place ** 5) * (2 + Math.sin(day * (place + 1))));
        return [quote, { days, rates }];
      }),
    );
    const plainRows = () =>
      rowsBetween(columns, { base: 'EUR', quotes: undefined }, { from: 1_000, to: 30_000 });
    const dated = [...plainRows()];
    const objects = dated.flatMap(({ day, rows }) =>
      rows.map(({ quote, rate }) => {
        return { date: fromDayNumber(day), base: 'EUR', quote, rate: roundForDisplay(rate) };
      }),
    );
    const expected: Record<Format, string> = {
      json: JSON.stringify(objects),
      ndjson: objects.map((row) => `${JSON.stringify(row)}\n`).join(''),
      csv: `date,base,quote,rate\n${objects.map((row) => `${Object.values(row).join()}\n`).join('')}`,
    };

    it.each(FORMATS)('are the same as in one, in %s', async (format) => {
      const options = { format, base: 'EUR', details: [] };
      for (const rows of [plainRows, () => dated]) {
        const chunks: string[] = [];
        for await (const chunk of encodeChunks(rows(), options)) chunks.push(String(chunk));
        expect(chunks.length).toBeGreaterThan(1);
        expect(chunks.join('') === expected[format]).toBe(true);
        expect(encodeWhole(rows(), options)?.toString() === expected[format]).toBe(true);
      }
    });

    it('are written to one buffer, and are unchanged until the next one is requested', async () => {
      const chunks = encodeChunks(plainRows(), { format: 'json', base: 'EUR', details: [] });
      const texts: string[] = [];
      const buffers = new Set<ArrayBufferLike>();
      for await (const chunk of chunks) {
        texts.push(String(chunk));
        buffers.add(chunk.buffer);
        await new Promise(setImmediate);
        expect(String(chunk) === texts.at(-1)).toBe(true);
      }
      expect(texts.length).toBeGreaterThan(3);
      expect(buffers.size).toBe(1);
      expect(texts.join('') === expected.json).toBe(true);
    });

    it('share no memory with those of another body', async () => {
      const options = { format: 'json', base: 'EUR', details: [] } as const;
      const one = await Readable.from(encodeChunks(plainRows(), options)).toArray();
      const other = await Readable.from(encodeChunks(plainRows(), options)).toArray();
      const memories = new Set(one.map(({ buffer }) => buffer));
      expect(other.some(({ buffer }) => memories.has(buffer))).toBe(false);
    });
  });

  it('of one date may be longer than a buffer', async () => {
    const source = { key: 'ECB', day: day - 1, rate: 1.08451234, published: true, excluded: false };
    const rows = Array(30).fill({ ...plainRow('USD', 1.08), sources: Array(3_000).fill(source) });
    const dates = [1, 2, 3].map((day) => ({ day, rows }));
    const options = { format: 'csv', base: 'EUR', details: ['providers'] } as const;
    const whole = String(encodeWhole(dates, options));
    const chunks: string[] = [];
    for await (const chunk of encodeChunks(dates, options)) chunks.push(String(chunk));
    expect(chunks.length).toBe(3);
    expect(chunks.join('') === whole).toBe(true);
  });
});

describe('a template', () => {
  it('is written byte for byte, at any position and of any length', () => {
    const ascii = fc.string({ unit: 'grapheme-ascii', maxLength: 200, size: 'max' });
    fc.assert(
      fc.property(ascii, fc.nat(20), (text, at) => {
        const template = createTemplate(text);
        const bytes = Buffer.alloc(at + template.bytes.length, '.');
        const end = writeTemplate(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), at, template);
        expect(end).toBe(at + text.length);
        expect(bytes.toString('latin1', 0, end)).toBe('.'.repeat(at) + text);
      }),
    );
  });

  it.each(['Zürich', 'a\u0000b', '\u007f'])('is printable ASCII, unlike %j', (text) => {
    expect(() => createTemplate(text)).toThrow(
      new RangeError(`not printable ASCII: ${JSON.stringify(text)}`),
    );
  });
});
