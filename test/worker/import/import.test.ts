import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { RawRow } from '../../../core/domain/blend/carry-forward.js';
import { addDays } from '../../../core/domain/dates.js';
import { daysAheadOf, type Provider, providers } from '../../../core/domain/providers.js';
import { useSources } from '../../../core/sources/custom-sources.js';
import { rebuild } from '../../../worker/blend/reblend.js';
import { validate } from '../../../worker/feeds/validate.js';
import { importRates } from '../../../worker/import/import.js';
import { rawRows as anyRows } from '../../core/domain/blend/arbitrary-rows.js';
import { ownFolder } from '../../core/support.js';
import { propertyRuns } from '../../support/property-runs.js';
import { storeRows } from '../../support/rates.js';
import { emptyTables, ownDatabase, readLines, readRows } from '../ingest/support.js';
import { EXPORT_HEADER, exported, HEADER, importLines } from './support.js';

const today = '2026-03-10';
const database = await ownDatabase();
const read = (sql: string) => readRows(database, sql);
const load = (...lines: string[]) => importLines(database, [HEADER, ...lines], today);

const folder = ownFolder();

describe('an import', () => {
  it('stores, covers and blends what is in the file, and reports how far it is', async () => {
    const steps: string[] = [];
    const onProgress = (step: string) => steps.push(step);
    const csv = `${HEADER}\nECB,2026-03-02,EUR,USD,1.25\nNB,2026-03-02,USD,NOK,9.5\n\n`;
    expect(await importRates(database, Readable.from([csv]), { today, onProgress })).toEqual({
      ...{ rowsNew: 2, rowsCorrected: 0, rowsUnchanged: 0, rowsDropped: {}, rowsHeldBack: 0 },
      version: expect.any(BigInt),
    });
    expect([...new Set(steps)]).toEqual(['reading', 'storing', 'blending']);
    const krone = await read(`select date, rate from blended_days where quote = 'NOK'`);
    expect(krone).toEqual([['2026-03-02', 9.5]]);
    const days = await readLines(database, 'select key, end_date from providers order by 1');
    expect(days).toEqual(['ECB 2026-03-02', 'NB 2026-03-02']);
    expect(await rebuild(database)).toBeUndefined();
  });

  it('takes lines however they are cut, with either line end and a byte order mark', async () => {
    const csv = `\ufeff${HEADER}\r\nECB,2026-03-02,EUR,USD,1.25\r\nECB,2026-03-03,EUR,USD,1.5\r\n`;
    const bytes = Readable.from([...Buffer.from(csv)].map((byte) => Buffer.of(byte)));
    expect(await importRates(database, bytes, { today })).toMatchObject({ rowsNew: 2 });
  });

  it.each([
    ['ECB,2026-03-02,EUR,USD,1.25', undefined, 'line 1: expected the header'],
    ['', undefined, 'line 1: expected the header'],
    ['ECB,2026-03-02,EUR,USD,1\nXYZ,2026-03-02,EUR,USD,1', HEADER, 'line 3: unknown provider "XYZ"'],
    ['ECB,2026-02-30,EUR,USD,1', HEADER, 'line 2: not a date: "2026-02-30"'],
    ['ECB,2026-03-02,EUR,USD,0x10', HEADER, 'line 2: not a rate: "0x10"'],
    ['\nECB,2026-03-02,EUR,1', HEADER, 'line 3: expected 5 fields, found 4'],
  ])('refuses %j, naming the line, and stores nothing', async (line, header, message) => {
    const lines = header === undefined ? [line] : [header, line];
    await expect(importLines(database, lines, today)).rejects.toThrow(message);
    expect(await read('select from rates')).toEqual([]);
    expect(await read('select from data_versions')).toEqual([]);
  });

  it('takes comments, and any chunks of a file', async () => {
    const lines = ['# of somebody', HEADER, 'ECB,2026-03-02,EUR,USD,1.25', '# end'];
    expect(await importLines(database, lines, today)).toMatchObject({ rowsNew: 1 });
  });

  it('refuses a file that is not there, and lets go of one that it does not read', async () => {
    const missing = createReadStream(folder('none.csv'));
    await expect(importRates(database, missing, { today })).rejects.toThrow('ENOENT');
    const endless = Readable.from([`${HEADER}\n`, 'ECB,2026-03-02,EUR\n', 'never read']);
    await expect(importRates(database, endless, { today })).rejects.toThrow('line 2');
    expect(endless.destroyed).toBe(true);
  });

  it('drops what feeds may not store either, and counts it', async () => {
    const odd = ['ECB,2026-03-02,EUR,QQQ,1', 'ECB,2026-03-02,EUR,JPY,0', 'ECB,2026-03-13,EUR,JPY,160'];
    const { rowsNew, rowsDropped } = await load('ECB,2026-03-02,EUR,USD,1.25', ...odd);
    expect([rowsNew, ...Object.values(rowsDropped)]).toEqual([1, 1, 1, 1]);
  });

  it('keeps the first of two rows with one key', async () => {
    const lines = ['ECB,2026-03-02,EUR,USD,1.25', 'ECB,2026-03-02,EUR,USD,9', 'ECB,2026-03-02,EUR,JPY,160'];
    expect(await load(...lines)).toMatchObject({ rowsNew: 2, rowsUnchanged: 1 });
    expect(await read(`select rate from rates where quote = 'USD'`)).toEqual([[1.25]]);
  });

  it('merges into what is there: known rows stay, different ones become revisions', async () => {
    const known = 'ECB,2026-03-02,EUR,USD,1.25';
    await load(known, 'ECB,2026-03-03,EUR,USD,1.27');
    const corrected = ['ECB,2026-03-03,EUR,USD,1.28', 'ECB,2026-03-03,EUR,USD,1.29'];
    const merged = await load(known, ...corrected, 'ECB,2026-03-04,EUR,USD,1.3');
    expect(merged).toMatchObject({ rowsNew: 1, rowsCorrected: 1, rowsUnchanged: 2 });
    expect(await read('select date, rate from rate_revisions')).toEqual([['2026-03-03', 1.27]]);
    const blends = await read(`select rate from blended_days where quote = 'EUR' order by date`);
    expect(blends.flat()).toEqual([0.8, 0.78125, 1 / 1.3]);
    expect(await load('ECB,2026-03-03,EUR,USD,1.28')).toMatchObject({ version: undefined });
    expect(await rebuild(database)).toBeUndefined();
  });

  it('takes both sides where the header names them, and drops those of what a file without them replaces', async () => {
    const pair = 'NRB,2026-03-02,USD,NPR,144';
    const withSides = [`${pair},143.7,144.3000000000001`, 'NRB,2026-03-02,AUD,NPR,95,,95.2'];
    await importLines(database, [EXPORT_HEADER, ...withSides], today);
    const stored = () => read('select base, rate, buy, sell from rates order by base');
    const australian = ['AUD', 95, null, 95.2];
    expect(await stored()).toEqual([australian, ['USD', 144, 143.7, 144.3]]);
    expect(await importLines(database, await exported(database))).toMatchObject({ rowsCorrected: 0 });
    expect(await load(pair)).toMatchObject({ rowsCorrected: 1 });
    expect(await stored()).toEqual([australian, ['USD', 144, null, null]]);
    expect(await read('select rate, buy, sell from rate_revisions')).toEqual([[144, 143.7, 144.3]]);
  });

  it('refuses a side that is no number', () =>
    expect(
      importLines(database, [EXPORT_HEADER, 'NRB,2026-03-02,USD,NPR,144,143.7,-'], today),
    ).rejects.toThrow('line 2: not a rate: "-"'));

  it('gives back what it took, sorted, and changes nothing when that is imported again', async () => {
    /** Providers by the keys that their table has. */
    const KEYS: Record<string, string> = { A: 'BOC', B: 'ECB', C: 'FRED', D: 'IMF', E: 'NB', F: 'RBA' };
    const property = fc.asyncProperty(anyRows, async (rows) => {
      const lines = rows.map(({ provider, ...row }) => [KEYS[provider], ...Object.values(row)].join());
      await importLines(database, [HEADER, ...lines], '2026-03-23');
      const csv = await exported(database);
      expect(csv).toEqual([EXPORT_HEADER, ...lines.toSorted().map((line) => `${line},,`)]);
      const again = await importLines(database, csv, '2026-03-23');
      expect(again).toMatchObject({ rowsNew: 0, rowsCorrected: 0, version: undefined });
    });
    await fc.assert(
      property.beforeEach(() => emptyTables(database)),
      propertyRuns(16),
    );
  });
});

describe('an export into an empty database', async () => {
  const copy = await ownDatabase();
  /** The rows of a provider that are dated as far ahead as it may publish, also of currencies after their end. */
  const furthestOf = ({ key, beyond_end = [] }: Provider): RawRow[] =>
    ['EUR', ...beyond_end].map((base) => {
      return { provider: key, date: addDays(today, daysAheadOf(key)), base, quote: 'USD', rate: 1.25 };
    });
  const anyRow = fc.record({
    provider: fc.constantFrom('BCV', 'ECB', 'HMRC', 'JPC', 'NBU'),
    date: fc.integer({ min: -20, max: 40 }).map((days) => addDays(today, days)),
    base: fc.constantFrom('ANG', 'EUR', 'HRK'),
    quote: fc.constantFrom('USD', 'VES'),
    rate: fc.constantFrom(0.5, 1.25, 1e19, 1e21),
  });
  const selector = ({ rate: _, ...key }: RawRow) => Object.values(key).join();

  it('gives all that was ingested, of every provider', async () => {
    const property = fc.asyncProperty(fc.uniqueArray(anyRow, { selector }), async (rows) => {
      const ingested = rows.filter((row) => validate([row], { today, provider: row.provider }).rows[0]);
      await storeRows(database, ingested);
      const csv = await exported(database);
      expect(csv).toHaveLength(ingested.length + 1);
      expect(await importLines(copy, csv, today)).toMatchObject({ rowsDropped: {} });
      expect(await exported(copy)).toEqual(csv);
    });
    const furthest = providers.flatMap(furthestOf);
    await fc.assert(
      property.beforeEach(async () => {
        for (const each of [database, copy]) await emptyTables(each);
      }),
      { ...propertyRuns(8), examples: [[furthest]] },
    );
    expect(furthest.length).toBeGreaterThan(providers.length);
  });
});

describe('a key of your own', () => {
  afterEach(() => useSources({}));

  async function describeSource(more = ''): Promise<void> {
    await writeFile(folder('desk.yaml'), `key: DESK\nname: Treasury desk\n${more}`);
    useSources({ SOURCES_DIR: folder() });
  }
  const blended = async () => (await read('select distinct quote from blended_days')).flat();

  it('has its rates stored, and blended where its file says so; without its file it is refused', async () => {
    const row = 'DESK,2026-03-02,USD,MXN,17';
    const refusal = /unknown provider "DESK"; your own key needs a file in SOURCES_DIR/;
    await expect(load(row)).rejects.toThrow(refusal);
    await describeSource();
    expect(await load(row)).toMatchObject({ rowsNew: 1 });
    expect(await blended()).toEqual([]);
    await describeSource('blend: true\n');
    await load('DESK,2026-03-02,USD,SEK,9.3');
    expect(await blended()).toContain('SEK');
  });

  it('has its rates judged where all history is blended again', async () => {
    await describeSource('blend: true\n');
    await load('DESK,2026-03-02,USD,MXN,17', 'DESK,2026-03-03,USD,MXN,170', 'DESK,2026-03-04,USD,MXN,17');
    await database.pool.query('truncate suspects');
    await rebuild(database);
    expect(await read('select provider, date from suspects')).toEqual([['DESK', '2026-03-03']]);
  });
});
