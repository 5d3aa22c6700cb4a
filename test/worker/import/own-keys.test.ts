import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { useSources } from '../../../core/sources/own-sources.js';
import { rebuild } from '../../../worker/blend/reblend.js';
import { importRates } from '../../../worker/import/import.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

describe('rates that are imported under a key of their own', () => {
  let folder: string;
  let database: TestDatabase;
  const lines = (...rows: string[]) =>
    (async function* () {
      yield `provider,date,base,quote,rate\n${rows.join('\n')}\n`;
    })();
  const blended = async () =>
    (await database.pool.query('select distinct quote from blended_days order by 1')).rows;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sources-'));
    database = await testDatabase();
  });
  afterEach(async () => {
    useSources({});
    await database.close();
    await rm(folder, { recursive: true });
  });

  async function describeSource(content: string): Promise<void> {
    await writeFile(join(folder, 'desk.yaml'), content);
    useSources({ SOURCES_DIR: folder });
  }

  test('are stored and not blended; without its file the key is refused', async () => {
    const row = 'DESK,2026-03-02,USD,MXN,17';
    const today = '2026-03-03';
    await expect(importRates(database, lines(row), { today })).rejects.toThrow(
      /unknown provider "DESK"; your own key needs a file in SOURCES_DIR/,
    );
    await describeSource('key: DESK\nname: Treasury desk\n');
    expect(await importRates(database, lines(row), { today })).toMatchObject({ rowsNew: 1 });
    expect(await blended()).toEqual([]);
    await describeSource('key: DESK\nname: Treasury desk\nblend: true\n');
    await importRates(database, lines('DESK,2026-03-02,USD,SEK,9.3'), { today });
    expect(await blended()).toContainEqual({ quote: 'SEK' });
  });

  test('are judged where all history is blended again', async () => {
    await describeSource('key: DESK\nname: Treasury desk\nblend: true\n');
    const rates = ['2026-03-02,USD,MXN,17', '2026-03-03,USD,MXN,170', '2026-03-04,USD,MXN,17'];
    await importRates(database, lines(...rates.map((row) => `DESK,${row}`)), { today: '2026-03-05' });
    await database.pool.query('truncate suspects');
    await rebuild(database);
    expect((await database.pool.query('select provider, date from suspects')).rows).toEqual([
      { provider: 'DESK', date: '2026-03-03' },
    ]);
  });
});
