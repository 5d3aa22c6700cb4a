import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { digestBlends } from '../../../core/database/digest.js';
import { databaseWith, someRates, storeRows } from '../../support/rates.js';
import { filesIn, type Ground, ground, verified } from './support.js';

let g: Ground;
beforeEach(async () => {
  g = await ground(await databaseWith(someRates()));
});
afterEach(() => g.close());

const json = async (path: string) => JSON.parse(await readFile(join(g.folder, path), 'utf8'));

it('writes all rates, signed, with the digest of the database', async () => {
  const { state, size } = await g.publish();
  expect({ state, size }).toEqual({ state: 'published', size: 1 });
  const { manifest, record } = await verified(g.folder);
  const { version, tables } = await digestBlends(g.database);
  expect(manifest.digest).toEqual(
    Object.fromEntries(tables.map(({ period, rows, sha256 }) => [period, { rows, sha256 }])),
  );
  expect(record.version).toBe(Number(version));
  expect(manifest.files.map(({ path }) => path.replace(/\.[0-9a-f]{16}/, ''))).toEqual([
    'blended/2025.parquet',
    'blended/2026.parquet',
    'currencies.json',
    ...['BOC', 'BRB', 'CBE', 'ECB', 'FRED', 'IMF', 'NBU', 'RBM'].flatMap((key) =>
      key === 'CBE'
        ? [`observations/${key}/2026.parquet`]
        : [`observations/${key}/2026.parquet`, `observations/${key}/to-2025.parquet`],
    ),
    'providers.json',
  ]);
  const days = [...(await filesIn(g.folder)).keys()].filter((path) => path.startsWith('day/'));
  expect([days[0], days.at(-1), days.length]).toEqual(['day/2025-12-01.json', 'day/2026-03-22.json', 112]);
  const { rates, observed } = await json('day/2026-03-21.json');
  expect(Object.keys(rates)).toContain('MWK');
  expect(observed).toMatchObject({ MWK: '2026-03-10', CAD: '2026-03-20' });
  expect(await json('latest.json')).toMatchObject({ date: '2026-03-22', version: record.version });
});

it('writes only what is new, and nothing where nothing is', async () => {
  await g.publish();
  const before = await filesIn(g.folder);
  expect(await g.publish(1)).toMatchObject({ state: 'nothing new', size: 1, files: 0 });
  expect(await filesIn(g.folder)).toEqual(before);
  await storeRows(g.database, [
    { provider: 'ECB', date: '2026-03-23', base: 'EUR', quote: 'USD', rate: 1.16 },
  ]);
  expect(await g.publish(2)).toMatchObject({ state: 'published', size: 2 });
  const after = await filesIn(g.folder);
  const changed = [...after].filter(([path, bytes]) => before.get(path)?.equals(bytes) !== true);
  expect(changed.map(([path]) => path.replace(/[0-9a-f]{16,}/, '#'))).toEqual([
    'blended/2026.#.parquet',
    'checkpoint',
    'currencies.json',
    'day/2026-03-23.json',
    'latest.json',
    'latest.tlog-proof',
    'manifest.json',
    'manifests/#.json',
    'observations/ECB/2026.#.parquet',
    'providers.json',
    'tile/0/000.p/2',
    'tile/entries/000.p/2',
  ]);
  await verified(g.folder, 2);
});
