import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { SUSPICION_REASONS } from '../../../../core/domain/blend/suspicion.js';
import { dayNumber } from '../../../../core/domain/dates.js';
import type { Format } from '../../../../src/http/record-formats.js';
import { type EncodeOptions, encodeChunks, encodeWhole } from '../../../../src/rates/encoding/row-encoder.js';
import {
  type DatedRows,
  goneRow,
  type PlainRows,
  plainRow,
  type Row,
  type RowMarks,
} from '../../../../src/rates/snapshot/row.js';

const DAY = dayNumber('2026-03-20');
const RATE = 1.23456789012345;

function encoded(row: Partial<Row>, format: Format, options: Partial<EncodeOptions> = {}): string {
  const dates: DatedRows[] = [{ day: DAY, rows: [{ ...plainRow('USD', 1.25), ...row }] }];
  return String(encodeWhole(dates, { format, base: 'EUR', ...options }));
}

/** What a row has behind its rate, in JSON. */
function members(row: Partial<Row>, options: Partial<EncodeOptions>): string {
  const start = '[{"date":"2026-03-20","base":"EUR","quote":"USD","rate":1.25';
  const body = encoded(row, 'json', options);
  expect(body.slice(0, start.length)).toBe(start);
  expect(JSON.parse(body)).toHaveLength(1);
  return body.slice(start.length, -2);
}

/** The header and the line of a row in CSV, without date, base, quote and rate. */
function cells(row: Partial<Row>, options: Partial<EncodeOptions>): string[] {
  const [head = '', line = ''] = encoded(row, 'csv', options).split('\n');
  return [head.replace('date,base,quote,rate', ''), line.replace('2026-03-20,EUR,USD,1.25', '')];
}

const STATS = { first: 1.1, last: 1.2, lastDay: DAY + 5, low: 1.05, high: 1.3, average: 1.15, days: 4 };
const NO_STATS = { days: 0 } as const;
const QUALITY = { sources: 3, excluded: 1, spread: 0.01, age_days: 2, suspects: 0 };
const SOURCE = { key: 'ECB', day: DAY - 1, rate: RATE, published: false, excluded: false };

describe('details of a row', () => {
  it('are the days for which it is valid', () => {
    const validity = { from: DAY, to: DAY + 11 };
    const options = { details: ['validity'] } as const;
    expect(members({ validity }, options)).toBe(',"valid_from":"2026-03-20","valid_to":"2026-03-31"');
    expect(cells({ validity }, options)).toEqual([',valid_from,valid_to', ',2026-03-20,2026-03-31']);
    expect([members({}, options), cells({}, options)[1]]).toEqual(['', ',,']);
  });

  it('are the day that it was observed', () => {
    const options = { details: ['observed'] } as const;
    expect(members({ observed: DAY - 2 }, options)).toBe(',"observed":"2026-03-18"');
    expect(cells({ observed: DAY - 2 }, options)).toEqual([',observed', ',2026-03-18']);
    expect([members({}, options), cells({}, options)[1]]).toEqual(['', ',']);
  });

  it('are statistics', () => {
    const options = { details: ['stats'] } as const;
    expect(members({ stats: STATS }, options)).toBe(
      ',"stats":{"first":1.1,"last":1.2,"last_date":"2026-03-25","low":1.05,"high":1.3,"average":1.15,"days":4}',
    );
    expect(members({ stats: NO_STATS }, options)).toBe(
      ',"stats":{"first":null,"last":null,"last_date":null,"low":null,"high":null,"average":null,"days":0}',
    );
    expect(cells({ stats: STATS }, options)).toEqual([
      ',first,last,last_date,low,high,average,days',
      ',1.1,1.2,2026-03-25,1.05,1.3,1.15,4',
    ]);
    expect(cells({ stats: NO_STATS }, options)[1]).toBe(',,,,,,,0');
    expect([members({}, options), cells({}, options)[1]]).toEqual(['', ',,,,,,,']);
  });

  it('are its quality, or that it is a peg', () => {
    const options = { details: ['quality'] } as const;
    expect(members({ quality: QUALITY }, options)).toBe(`,"quality":${JSON.stringify(QUALITY)}`);
    expect(members({ quality: { peg: true } }, options)).toBe(',"quality":{"peg":true}');
    expect(cells({ quality: QUALITY }, options)).toEqual([
      ',sources,excluded,spread,age_days,suspects,peg',
      ',3,1,0.01,2,0,',
    ]);
    expect(cells({ quality: { peg: true } }, options)[1]).toBe(',,,,,,true');
    expect([members({}, options), cells({}, options)[1]]).toEqual(['', ',,,,,,']);
  });

  it('are its sources, in digits for display but for published ones', () => {
    const sources = [
      SOURCE,
      { ...SOURCE, key: 'BOC', published: true, excluded: true },
      { ...SOURCE, key: 'NBU', suspect: 'jump' as const, excluded: true },
    ];
    const options = { details: ['providers'] } as const;
    expect(members({ sources }, options)).toBe(
      `,"providers":[${[
        '{"key":"ECB","date":"2026-03-19","rate":1.2346}',
        '{"key":"BOC","date":"2026-03-19","rate":1.23456789012,"excluded":true}',
        '{"key":"NBU","date":"2026-03-19","rate":1.2346,"suspect":true,"reason":"jump"}',
      ].join()}]`,
    );
    expect(cells({ sources }, options)).toEqual([
      ',providers',
      ',ECB:1.2346|BOC:1.23456789012*|NBU:1.2346*?',
    ]);
    const full = { ...options, precision: 'full' } as const;
    expect(members({ sources: [SOURCE] }, full)).toContain('"rate":1.23456789012}');
    expect(cells({ sources: [SOURCE] }, full)[1]).toBe(',ECB:1.23456789012');
    expect(members({ sources: [] }, options)).toBe(',"providers":[]');
    expect([members({}, options), cells({}, options)[1]]).toEqual(['', ',']);
  });

  it('come in one order, whatever order they are asked for in', () => {
    const row = {
      validity: { from: DAY, to: DAY },
      observed: DAY,
      sources: [],
      stats: NO_STATS,
      quality: QUALITY,
    };
    for (const details of [
      ['validity', 'observed', 'providers', 'stats', 'quality'],
      ['quality', 'stats', 'providers', 'observed', 'validity'],
    ] as const) {
      const names = members(row, { details }).match(/"(valid_from|observed|providers|stats|quality)"/g);
      expect(names).toEqual(['"valid_from"', '"observed"', '"providers"', '"stats"', '"quality"']);
      expect(cells(row, { details })[0]).toMatch(
        /^,valid_from,valid_to,observed,providers,first,.*,sources,.*,peg$/,
      );
    }
  });
});

describe('a row', () => {
  it('has its rate in digits for display, all of them where these are wanted or it is published', () => {
    const rate = (row: Partial<Row>, options = {}) =>
      JSON.parse(encoded({ rate: RATE, ...row }, 'json', options))[0].rate;
    expect(rate({})).toBe(1.2346);
    expect(rate({}, { precision: 'full' })).toBe(1.23456789012);
    expect(rate({ published: true })).toBe(1.23456789012);
  });

  it('that is gone has no rate', () => {
    expect(encoded(goneRow({ quote: 'USD' }), 'json')).toBe(
      '[{"date":"2026-03-20","base":"EUR","quote":"USD","rate":null}]',
    );
    expect(encoded(goneRow({ quote: 'USD' }), 'csv')).toBe('date,base,quote,rate\n2026-03-20,EUR,USD,\n');
  });

  it('that is suspect says why in JSON', () => {
    expect(members({ suspect: 'jump' }, {})).toBe(',"suspect":true,"reason":"jump"');
    expect(cells({ suspect: 'jump' }, {})).toEqual(['', '']);
  });

  it('alone has no list around it', () => {
    expect(encoded({}, 'json', { single: true })).toBe(
      '{"date":"2026-03-20","base":"EUR","quote":"USD","rate":1.25}',
    );
    expect(encoded({}, 'ndjson', { single: true })).toBe(
      '{"date":"2026-03-20","base":"EUR","quote":"USD","rate":1.25}\n',
    );
    expect(encoded({}, 'csv', { single: true })).toBe('date,base,quote,rate\n2026-03-20,EUR,USD,1.25\n');
  });

  it('has no header before it in CSV where none is wanted', () => {
    expect(encoded({}, 'csv', { header: false })).toBe('2026-03-20,EUR,USD,1.25\n');
    expect(encoded({}, 'json', { header: false })).toMatch(/^\[/);
  });
});

describe('rows without objects', () => {
  function plain(dates: { rates: number[]; marks?: RowMarks }[]): () => PlainRows {
    return () => {
      let next = 0;
      return {
        quotes: ['CHF', 'USD'],
        maxRows: dates.length * 2,
        draw(take, count) {
          for (let left = count; next < dates.length && left > 0; left -= 2) {
            const { rates = [], marks } = dates[next] ?? {};
            take(DAY + next++, Float64Array.from(rates), marks);
          }
          return next < dates.length;
        },
      };
    };
  }
  const both = async (rows: () => PlainRows, options: EncodeOptions) => {
    const whole = String(encodeWhole(rows(), options));
    expect(await text(encodeChunks(rows(), options))).toBe(whole);
    return whole;
  };

  it('are exact, suspect and observed each by its own mark', async () => {
    const rows = plain([
      {
        rates: [RATE, RATE],
        marks: {
          exact: Uint8Array.of(0, 1),
          suspects: ['factor_of_ten', undefined],
          observed: Int32Array.of(DAY - 1, DAY - 2),
        },
      },
      { rates: [Number.NaN, 2], marks: { observed: Int32Array.of(DAY, DAY - 3) } },
    ]);
    const options = { base: 'EUR', details: ['observed'] } as const;
    expect(await both(rows, { ...options, format: 'ndjson' })).toBe(
      [
        '{"date":"2026-03-20","base":"EUR","quote":"CHF","rate":1.2346,"suspect":true,"reason":"factor_of_ten","observed":"2026-03-19"}',
        '{"date":"2026-03-20","base":"EUR","quote":"USD","rate":1.23456789012345,"observed":"2026-03-18"}',
        '{"date":"2026-03-21","base":"EUR","quote":"USD","rate":2,"observed":"2026-03-17"}',
        '',
      ].join('\n'),
    );
    expect(await both(rows, { ...options, format: 'csv' })).toBe(
      [
        'date,base,quote,rate,observed',
        '2026-03-20,EUR,CHF,1.2346,2026-03-19',
        '2026-03-20,EUR,USD,1.23456789012345,2026-03-18',
        '2026-03-21,EUR,USD,2,2026-03-17',
        '',
      ].join('\n'),
    );
  });

  it('of dates without any are nothing', async () => {
    const nothing = plain([{ rates: [Number.NaN, Number.NaN] }]);
    expect(await both(nothing, { format: 'json', base: 'EUR' })).toBe('[]');
    expect(encodeWhole(nothing(), { format: 'json', base: 'EUR', single: true })).toBeUndefined();
    const one = plain([{ rates: [2, Number.NaN] }, { rates: [Number.NaN, Number.NaN] }]);
    expect(await both(one, { format: 'json', base: 'EUR' })).toBe(
      '[{"date":"2026-03-20","base":"EUR","quote":"CHF","rate":2}]',
    );
  });

  it('fit, however long each is', async () => {
    const longest = SUSPICION_REASONS.toSorted((one, other) => other.length - one.length)[0];
    const dates = Array.from({ length: 300 }, () => ({
      rates: [1.234_567_890_12e-300, 1.234_567_890_12e-300],
      marks: { suspects: [longest, longest], observed: Int32Array.of(DAY, DAY + 1) },
    }));
    for (const format of ['json', 'ndjson', 'csv'] as const) {
      const options = { format, base: 'EUR', details: ['observed'], precision: 'full' } as const;
      const body = await both(plain(dates), options);
      expect(body.match(/e-300/g)).toHaveLength(600);
      expect(body.match(/2026-03-2[01]/g)?.length).toBeGreaterThanOrEqual(600);
    }
    const rows = {
      ...plainRow('USD', 1.25),
      sources: Array(100).fill({ ...SOURCE, key: 'A'.repeat(200), suspect: longest }),
    };
    const body = encodeWhole([{ day: DAY, rows: [rows] }], {
      format: 'json',
      base: 'EUR',
      details: ['providers'],
    });
    expect(JSON.parse(String(body))[0].providers).toHaveLength(100);
  });

  it('that are whole are a string if short, and else a buffer of their own size', () => {
    const bodyOf = (days: number) =>
      encodeWhole(plain(Array(days).fill({ rates: [1, 2] }))(), {
        format: 'csv',
        base: 'EUR',
        header: false,
      });
    const short = bodyOf(1);
    expect(short).toMatch(/^2026-\d\d-\d\d,EUR,[A-Z]{3},1\n2026-\d\d-\d\d,EUR,[A-Z]{3},2\n$/);
    const long = bodyOf(1_000);
    expect(long).toHaveLength(1_000 * String(short).length);
    expect(long).toBeInstanceOf(Buffer);
    expect(long instanceof Buffer && long.buffer.byteLength).toBe(long?.length);
  });
});
