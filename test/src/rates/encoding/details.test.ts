import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { SUSPICION_REASONS } from '../../../../core/domain/blend/suspicion.js';
import { dayNumber } from '../../../../core/domain/dates.js';
import { plainDecimal } from '../../../../core/domain/rounding.js';
import type { Format } from '../../../../src/http/reply.js';
import { type EncodeOptions, encodeChunks, encodeWhole } from '../../../../src/rates/encoding/row-encoder.js';
import { goneRow, PlainRows, plainRow, type Row, type RowMarks } from '../../../../src/rates/snapshot/row.js';

const DAY = dayNumber('2026-03-20');
const RATE = 1.23456789012345;
const LONGEST = SUSPICION_REASONS.toSorted((one, other) => other.length - one.length)[0];

function encoded(row: Partial<Row>, format: Format, options: Partial<EncodeOptions> = {}): string {
  const dates = [{ day: DAY, rows: [{ ...plainRow('USD', 1.25), ...row }] }];
  return String(encodeWhole(dates, { format, base: 'EUR', ...options }));
}

const JSON_ROW = '{"date":"2026-03-20","base":"EUR","quote":"USD","rate":1.25';
/** What a row has behind its rate, in JSON. */
function members(row: Partial<Row>, options: Partial<EncodeOptions>): string {
  const [before, behind = ''] = encoded(row, 'json', options).split(JSON_ROW);
  expect([before, behind.slice(-2)]).toEqual(['[', '}]']);
  return behind.slice(0, -2);
}
/** The header and the line of a row in CSV, without date, base, quote and rate. */
function cells(row: Partial<Row>, options: Partial<EncodeOptions>): string[] {
  const [head = '', line = ''] = encoded(row, 'csv', options).split('\n');
  return [head.replace('date,base,quote,rate', ''), line.replace('2026-03-20,EUR,USD,1.25', '')];
}

const QUALITY = { sources: 3, excluded: 1, spread: 0.01, age_days: 2, suspects: 0 };
const SOURCE = { key: 'ECB', day: DAY - 1, rate: RATE, published: false, excluded: false };
const SOURCES = [
  SOURCE,
  { ...SOURCE, key: 'BOC', published: true, excluded: true },
  { ...SOURCE, key: 'NBU', suspect: 'jump' as const, excluded: true },
];
const SOURCES_JSON =
  '{"key":"ECB","date":"2026-03-19","rate":1.2346},{"key":"BOC","date":"2026-03-19","rate":1.23456789012,"excluded":true},{"key":"NBU","date":"2026-03-19","rate":1.2346,"suspect":true,"reason":"jump"}';
const SOURCES_CSV = ',ECB:1.2346|BOC:1.23456789012*|NBU:1.2346*?';
const VALID = { validity: { from: DAY, to: DAY + 11 } };
const STATS_JSON =
  '{"first":1.1,"last":1.2,"last_date":"2026-03-25","low":1.05,"high":1.3,"average":1.15,"days":4}';
const NO_STATS_JSON =
  '{"first":null,"last":null,"last_date":null,"low":null,"high":null,"average":null,"days":0}';
const [STATS, NO_STATS] = [JSON.parse(STATS_JSON), JSON.parse(NO_STATS_JSON)];
const HEADS = {
  validity: ',valid_from,valid_to',
  observed: ',observed',
  providers: ',providers',
  stats: ',first,last,last_date,low,high,average,days',
  quality: ',sources,excluded,spread,age_days,suspects,peg',
};

describe('details of a row', () => {
  it.each<[detail: keyof typeof HEADS, row: Partial<Row>, json: string, csv: string]>([
    // The days for which it is valid.
    ['validity', VALID, ',"valid_from":"2026-03-20","valid_to":"2026-03-31"', ',2026-03-20,2026-03-31'],
    ['validity', {}, '', ',,'],
    ['observed', { observed: DAY - 2 }, ',"observed":"2026-03-18"', ',2026-03-18'],
    ['observed', {}, '', ','],
    ['stats', { stats: STATS }, `,"stats":${STATS_JSON}`, ',1.1,1.2,2026-03-25,1.05,1.3,1.15,4'],
    ['stats', { stats: NO_STATS }, `,"stats":${NO_STATS_JSON}`, ',,,,,,,0'],
    ['stats', {}, '', ',,,,,,,'],
    // Its quality, or that it is a peg.
    ['quality', { quality: QUALITY }, `,"quality":${JSON.stringify(QUALITY)}`, ',3,1,0.01,2,0,'],
    ['quality', { quality: { peg: true } }, ',"quality":{"peg":true}', ',,,,,,true'],
    ['quality', {}, '', ',,,,,,'],
    // Its sources, in digits for display but for published ones.
    ['providers', { sources: SOURCES }, `,"providers":[${SOURCES_JSON}]`, SOURCES_CSV],
    ['providers', { sources: [] }, ',"providers":[]', ','],
    ['providers', {}, '', ','],
  ])('are its %s: %j', (detail, row, json, csv) => {
    expect(members(row, { details: [detail] })).toBe(json);
    expect(cells(row, { details: [detail] })).toEqual([HEADS[detail], csv]);
  });

  it('are sources in full digits where these are wanted', () => {
    const full = { details: ['providers'], precision: 'full' } as const;
    expect(members({ sources: [SOURCE] }, full)).toContain('"rate":1.23456789012}');
    expect(cells({ sources: [SOURCE] }, full)[1]).toBe(',ECB:1.23456789012');
  });

  it('come in one order, whatever order they are asked for in', () => {
    const row = { ...VALID, observed: DAY, sources: [], stats: NO_STATS, quality: QUALITY };
    const names = Object.keys(HEADS) as (keyof typeof HEADS)[];
    for (const details of [names, names.toReversed()]) {
      const found = members(row, { details }).match(/"(valid_from|observed|providers|stats|quality)"/g);
      expect(found?.join()).toBe('"valid_from","observed","providers","stats","quality"');
      expect(cells(row, { details })[0]).toBe(Object.values(HEADS).join(''));
    }
  });
});

describe('a row', () => {
  const GONE = goneRow({ quote: 'USD' });
  const SUSPECT = { suspect: 'jump' } as const;
  it.each([
    [{}, {}, 1.2346],
    [{}, { precision: 'full' as const }, 1.23456789012],
    [{ published: true }, {}, 1.23456789012],
  ])('%j with %j has its rate in digits for display, or in all of them: %d', (row, options, rate) => {
    expect(JSON.parse(encoded({ rate: RATE, ...row }, 'json', options))[0].rate).toBe(rate);
  });

  it.each<[what: string, row: Partial<Row>, format: Format, options: Partial<EncodeOptions>, body: string]>([
    ['that is gone has no rate', GONE, 'json', {}, `[${JSON_ROW.replace('1.25', 'null')}}]`],
    ['nor has it in CSV', GONE, 'csv', {}, 'date,base,quote,rate\n2026-03-20,EUR,USD,\n'],
    ['that is suspect says why', SUSPECT, 'json', {}, `[${JSON_ROW},"suspect":true,"reason":"jump"}]`],
    ['but not in CSV', SUSPECT, 'csv', { header: false }, '2026-03-20,EUR,USD,1.25\n'],
    ['alone has no list around it', {}, 'json', { single: true }, `${JSON_ROW}}`],
    ['alone is a line', {}, 'ndjson', { single: true }, `${JSON_ROW}}\n`],
    ['alone has a header', {}, 'csv', { single: true }, 'date,base,quote,rate\n2026-03-20,EUR,USD,1.25\n'],
    ['has no header where none is wanted', {}, 'csv', { header: false }, '2026-03-20,EUR,USD,1.25\n'],
    ['has a list whatever header is wanted', {}, 'json', { header: false }, `[${JSON_ROW}}]`],
  ])('%s', (_what, row, format, options, body) => {
    expect(encoded(row, format, options)).toBe(body);
  });
});

describe('rows without objects', () => {
  function plain(dates: { rates: number[]; marks?: RowMarks }[]): () => PlainRows {
    return () => {
      let next = 0;
      return new PlainRows(['CHF', 'USD'], () => {
        const date = dates[next];
        return date && { day: DAY + next++, rates: Float64Array.from(date.rates), marks: date.marks };
      });
    };
  }
  const both = async (rows: () => PlainRows, options: EncodeOptions) => {
    const whole = String(encodeWhole(rows(), options));
    expect(await text(encodeChunks(rows(), options))).toBe(whole);
    return whole;
  };

  it('are exact, suspect and observed each by its own mark', async () => {
    const suspects = ['factor_of_ten' as const, undefined];
    const observed = Int32Array.of(DAY - 1, DAY - 2);
    const rows = plain([
      { rates: [RATE, RATE], marks: { exact: Uint8Array.of(0, 1), suspects, observed } },
      { rates: [Number.NaN, 2], marks: { observed: Int32Array.of(DAY, DAY - 3) } },
    ]);
    const options = { base: 'EUR', details: ['observed'] } as const;
    const DOLLARS = ',"rate":1.23456789012345,"observed":"2026-03-18"}';
    expect((await both(rows, { ...options, format: 'ndjson' })).split('\n')).toEqual([
      '{"date":"2026-03-20","base":"EUR","quote":"CHF","rate":1.2346,"suspect":true,"reason":"factor_of_ten","observed":"2026-03-19"}',
      `{"date":"2026-03-20","base":"EUR","quote":"USD"${DOLLARS}`,
      '{"date":"2026-03-21","base":"EUR","quote":"USD","rate":2,"observed":"2026-03-17"}',
      '',
    ]);
    expect(await both(rows, { ...options, format: 'csv', header: false })).toBe(
      '2026-03-20,EUR,CHF,1.2346,2026-03-19\n2026-03-20,EUR,USD,1.23456789012345,2026-03-18\n' +
        '2026-03-21,EUR,USD,2,2026-03-17\n',
    );
  });

  it('of dates without any are nothing', async () => {
    const options = { format: 'json', base: 'EUR' } as const;
    const none = { rates: [Number.NaN, Number.NaN] };
    expect(await both(plain([none]), options)).toBe('[]');
    expect(encodeWhole(plain([none])(), { ...options, single: true })).toBeUndefined();
    const one = await both(plain([{ rates: [2, Number.NaN] }, none]), options);
    expect(one).toBe('[{"date":"2026-03-20","base":"EUR","quote":"CHF","rate":2}]');
  });

  it.each(['json', 'ndjson', 'csv'] as const)('fit, however long each is, in %s', async (format) => {
    const marks = { suspects: [LONGEST, LONGEST], observed: Int32Array.of(DAY, DAY + 1) };
    const small = 1.234_567_890_12e-300;
    const options = { format, base: 'EUR', details: ['observed'], precision: 'full' } as const;
    const body = await both(plain(Array(300).fill({ rates: [small, small], marks })), options);
    expect(body.split(plainDecimal(small))).toHaveLength(601);
    expect(body.match(/2026-03-2[01]/g)?.length).toBeGreaterThanOrEqual(600);
    const sources = Array(100).fill({ ...SOURCE, key: 'A'.repeat(200), suspect: LONGEST });
    expect(encoded({ sources }, format, { details: ['providers'] }).match(/A{200}/g)).toHaveLength(100);
  });

  it('that are whole are a string if short, and else a buffer of their own size', () => {
    const options = { format: 'csv', base: 'EUR', header: false } as const;
    const bodyOf = (days: number) => encodeWhole(plain(Array(days).fill({ rates: [1, 2] }))(), options);
    const short = bodyOf(1);
    expect(short).toMatch(/^2026-\d\d-\d\d,EUR,[A-Z]{3},1\n2026-\d\d-\d\d,EUR,[A-Z]{3},2\n$/);
    const long = bodyOf(1_000);
    expect(long).toHaveLength(1_000 * String(short).length);
    expect(long instanceof Buffer && long.buffer.byteLength).toBe(long?.length);
  });
});
