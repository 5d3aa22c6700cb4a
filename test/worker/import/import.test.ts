import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { exportRates } from '../../../core/database/bulk/export-rates.js';
import { synthRates } from '../../../tools/synth/synthetic-rates.js';
import { rebuild } from '../../../worker/blend/reblend.js';
import { bootstrap } from '../../../worker/import/bootstrap.js';
import { importRates } from '../../../worker/import/import.js';
import type { ImportProgress } from '../../../worker/import/import-result.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

const HEADER = 'provider,date,base,quote,rate';
const today = '2026-03-10';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.pool.query(
    `truncate rates, rate_revisions, suspects, currencies, pair_coverage, providers, ingest_runs,
       blended_days, blended_weeks, blended_months, data_versions`,
  );
});

const load = (...lines: string[]) =>
  importRates(database, Readable.from([`${lines.join('\n')}\n`]), { today });
const read = async (sql: string) => (await database.pool.query({ text: sql, rowMode: 'array' })).rows;
const exported = async () => {
  const output = new PassThrough();
  const [csv] = await Promise.all([text(output), exportRates(database, output)]);
  return csv;
};
const indexes = () =>
  read(`select indexname, indexdef, indisprimary from pg_indexes join pg_class on relname = indexname
        join pg_index on indexrelid = pg_class.oid where tablename = 'rates' order by 1`);

describe('importing rates', () => {
  it('stores, covers and blends what is in the file', async () => {
    const result = await load(HEADER, 'ECB,2026-03-02,EUR,USD,1.25', 'NB,2026-03-02,USD,NOK,9.5', '');
    expect(result).toEqual({
      rowsNew: 2,
      rowsCorrected: 0,
      rowsUnchanged: 0,
      rowsDropped: {},
      rowsHeldBack: 0,
      version: expect.any(BigInt),
    });
    expect(await read(`select date, rate from blended_days where quote = 'NOK'`)).toEqual([
      ['2026-03-02', 9.5],
    ]);
    expect(await read('select key, end_date from providers order by 1')).toEqual([
      ['ECB', '2026-03-02'],
      ['NB', '2026-03-02'],
    ]);
    expect(await rebuild(database)).toBeUndefined();
  });

  it('takes lines however they are cut, with either line end and a byte order mark', async () => {
    const file = Buffer.from(
      `\ufeff${HEADER}\r\nECB,2026-03-02,EUR,USD,1.25\r\nECB,2026-03-03,EUR,USD,1.5\r\n`,
    );
    const bytes = Readable.from([...file].map((byte) => Buffer.of(byte)));
    expect(await importRates(database, bytes, { today })).toMatchObject({ rowsNew: 2 });
  });

  it.each([
    ['no header', ['ECB,2026-03-02,EUR,USD,1.25'], 'line 1: expected the header'],
    ['an empty file', [''], 'line 1: expected the header'],
    [
      'an unknown provider',
      [HEADER, 'ECB,2026-03-02,EUR,USD,1', 'XYZ,2026-03-02,EUR,USD,1'],
      'line 3: unknown provider "XYZ"',
    ],
    ['a date that does not exist', [HEADER, 'ECB,2026-02-30,EUR,USD,1'], 'line 2: not a date: "2026-02-30"'],
    ['a rate that is no number', [HEADER, 'ECB,2026-03-02,EUR,USD,0x10'], 'line 2: not a rate: "0x10"'],
    ['a missing field', [HEADER, '', 'ECB,2026-03-02,EUR,1'], 'line 3: expected 5 fields, found 4'],
  ])('refuses %s, naming the line, and stores nothing', async (_, lines, message) => {
    await expect(load(...lines)).rejects.toThrow(message);
    expect(await read('select from rates')).toEqual([]);
    expect(await read('select from data_versions')).toEqual([]);
  });

  it('refuses a file that is not there, and lets go of one that it does not read', async () => {
    const missing = createReadStream(join(tmpdir(), 'almanac-no-such-file.csv'));
    await expect(importRates(database, missing, { today })).rejects.toThrow('ENOENT');
    const endless = Readable.from([`${HEADER}\n`, 'ECB,2026-03-02,EUR\n', 'never read']);
    await expect(importRates(database, endless, { today })).rejects.toThrow('line 2');
    expect(endless.destroyed).toBe(true);
  });

  it('drops what feeds may not store either, and counts it', async () => {
    const result = await load(
      HEADER,
      'ECB,2026-03-02,EUR,USD,1.25',
      'ECB,2026-03-02,EUR,QQQ,1',
      'ECB,2026-03-02,EUR,JPY,0',
      'ECB,2026-03-13,EUR,JPY,160',
    );
    expect(result.rowsNew).toBe(1);
    expect(Object.values(result.rowsDropped)).toEqual([1, 1, 1]);
  });

  it('keeps the first of two rows with one key, and the indexes as they were', async () => {
    const before = await indexes();
    const lines = ['ECB,2026-03-02,EUR,USD,1.25', 'ECB,2026-03-02,EUR,USD,9', 'ECB,2026-03-02,EUR,JPY,160'];
    expect(await load(HEADER, ...lines)).toMatchObject({ rowsNew: 2, rowsUnchanged: 1 });
    expect(await read(`select rate from rates where quote = 'USD'`)).toEqual([[1.25]]);
    expect(await indexes()).toEqual(before);
    expect(before).toHaveLength(2);
  });

  it('merges into what is there: known rows stay, different ones become revisions', async () => {
    await load(HEADER, 'ECB,2026-03-02,EUR,USD,1.25', 'ECB,2026-03-03,EUR,USD,1.27');
    const merged = await load(
      HEADER,
      'ECB,2026-03-02,EUR,USD,1.25',
      'ECB,2026-03-03,EUR,USD,1.28',
      'ECB,2026-03-03,EUR,USD,1.29',
      'ECB,2026-03-04,EUR,USD,1.3',
    );
    expect(merged).toMatchObject({ rowsNew: 1, rowsCorrected: 1, rowsUnchanged: 2 });
    expect(await read('select date, rate from rate_revisions')).toEqual([['2026-03-03', 1.27]]);
    expect(await read(`select rate from blended_days where quote = 'EUR' order by date`)).toEqual([
      [0.8],
      [0.78125],
      [1 / 1.3],
    ]);
    expect(await load(HEADER, 'ECB,2026-03-03,EUR,USD,1.28')).toMatchObject({ version: undefined });
    expect(await rebuild(database)).toBeUndefined();
  });

  it('gives back what it took, sorted, and tells how far it is', async () => {
    const rows = [...synthRates({ years: 0.05, seed: 7, until: '2026-03-09' })];
    const lines = rows.map((row) => Object.values(row).join());
    const steps: ImportProgress['step'][] = [];
    const onProgress = ({ step }: ImportProgress) => steps.push(step);
    await importRates(database, Readable.from([[HEADER, ...lines.toReversed(), ''].join('\n')]), {
      today,
      onProgress,
    });
    const [header, ...out] = (await exported()).trimEnd().split('\n');
    expect(header).toBe(HEADER);
    const parse = (line: string) => [
      line.slice(0, line.lastIndexOf(',')),
      Number(line.slice(line.lastIndexOf(',') + 1)),
    ];
    expect(out.map(parse)).toEqual(
      lines.map(parse).sort(([one = ''], [other = '']) => (one < other ? -1 : 1)),
    );
    expect([...new Set(steps)]).toEqual(['reading', 'storing', 'blending']);
    expect(await rebuild(database)).toBeUndefined();
  });
});

describe('what was exported', () => {
  it('gives the same days, weeks and months in an empty store, to the last digit', async () => {
    const rows = [...synthRates({ years: 0.25, seed: 7, until: today })].filter(({ provider }) =>
      ['ECB', 'BOC', 'NB', 'RBA', 'FRED'].includes(provider),
    );
    const lines = rows.map(({ provider, date, base, quote, rate }) =>
      [provider, date, base, quote, rate].join(),
    );
    // The newest first and the rest corrected afterwards, so that rows lie in another order than their days.
    await load(HEADER, ...lines.slice(-400));
    await load(HEADER, ...lines.map((line) => `${line}1`));
    await load(HEADER, ...lines);
    const blends = async () => ({
      days: await read('select * from blended_days order by 1, 2'),
      weeks: await read('select * from blended_weeks order by 1, 2'),
      months: await read('select * from blended_months order by 1, 2'),
    });
    const before = await blends();
    expect(before.weeks.length).toBeGreaterThan(100);
    const csv = await exported();
    await database.pool.query(
      'truncate rates, currencies, pair_coverage, blended_days, blended_weeks, blended_months, data_versions',
    );
    await load(csv);
    expect(await blends()).toEqual(before);
  });
});

describe('bootstrap', () => {
  const log = pino({ level: 'silent' });
  const clock = () => new Date(`${today}T12:00:00Z`);
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'almanac-bootstrap-'));
    file = join(folder, 'rates.csv.gz');
    await writeFile(file, gzipSync(`${HEADER}\nECB,2026-03-02,EUR,USD,1.25\n`));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('fills an empty database once, if several processes try at the same time', async () => {
    const results = await Promise.all([1, 2, 3].map(() => bootstrap(database, log, { clock, file })));
    expect(results.filter((result) => result !== undefined)).toHaveLength(1);
    expect(await read('select rate from rates')).toEqual([[1.25]]);
    expect(await read('select from data_versions')).toHaveLength(1);
  });

  it('leaves rates alone that are there, and does without a file', async () => {
    expect(await bootstrap(database, log, { clock, file: join(folder, 'none') })).toBeUndefined();
    await load(HEADER, 'NB,2026-03-02,USD,NOK,9.5');
    expect(await bootstrap(database, log, { clock, file })).toBeUndefined();
    expect(await read('select provider from rates')).toEqual([['NB']]);
  });

  it('says what is wrong with a broken file and stores nothing', async () => {
    await writeFile(file, 'not gzip');
    await expect(bootstrap(database, log, { clock, file })).rejects.toThrow();
    expect(await read('select from rates')).toEqual([]);
  });
});
