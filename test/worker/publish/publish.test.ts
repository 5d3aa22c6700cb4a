import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newestVersionNumber } from '../../../core/database/data-versions.js';
import { digestBlends } from '../../../core/database/rates.js';
import type { RawRow } from '../../../core/domain/blend/carry-forward.js';
import { addDays } from '../../../core/domain/dates.js';
import { makeSigningKey, type SigningKey } from '../../../core/publication/keys.js';
import { applyDecision } from '../../../worker/blend/decisions.js';
import { dyingAfter } from '../../support/dying-disk.js';
import type { TestDatabase } from '../../support/postgres.js';
import { propertyRuns } from '../../support/property-runs.js';
import { storeRows } from '../../support/rates.js';
import { filesIn, groundOfRates, KEY, verified } from './support.js';

describe('a publication', () => {
  const g = groundOfRates('2025-12-29');
  const json = async (path: string) => JSON.parse(await readFile(join(g.folder, path), 'utf8'));

  it('writes all rates, signed, with the digest of the database', async () => {
    const { state, size } = await g.publish(0, { hook: 'true' });
    expect({ state, size }).toEqual({ state: 'published', size: 1 });
    const { manifest, record } = await verified(g.folder);
    const { version, periods } = await digestBlends(g.database);
    const digest = periods.map(({ period, rows, sha256 }) => [period, { rows, sha256 }]);
    expect(manifest.digest).toEqual(Object.fromEntries(digest));
    expect(record.version).toBe(Number(version));
    expect(manifest.files.map(({ path }) => path.replace(/\.[0-9a-f]{16}/, ''))).toEqual([
      'blended/2025.parquet',
      'blended/2026.parquet',
      'currencies.json',
      ...['BOC', 'BRB', 'CBE', 'ECB', 'FRED', 'IMF', 'NBU', 'RBM'].flatMap((key) =>
        // CBE began this year.
        (key === 'CBE' ? ['2026'] : ['2026', 'to-2025']).map((part) => `observations/${key}/${part}.parquet`),
      ),
      'providers.json',
    ]);
    const days = [...(await filesIn(g.folder)).keys()].filter((path) => path.startsWith('day/'));
    expect([days[0], days.at(-1), days.length]).toEqual(['day/2025-12-29.json', 'day/2026-03-22.json', 84]);
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
    await g.ecb('USD', 1.16);
    expect(await g.publish(2)).toMatchObject({ state: 'published', size: 2 });
    const after = await filesIn(g.folder);
    const changed = [...after].filter(([path, bytes]) => before.get(path)?.equals(bytes) !== true);
    expect(changed.map(([path]) => path.replace(/[0-9a-f]{16,}/, '#'))).toEqual([
      ...['blended/2026.#.parquet', 'checkpoint', 'currencies.json', 'day/2026-03-23.json'],
      ...['latest.json', 'log/2026.ndjson', 'manifest.json', 'manifests/#.json'],
      ...['observations/ECB/2026.#.parquet', 'providers.json'],
    ]);
    await verified(g.folder, 2);
  });
});

const rate = fc.record({
  provider: fc.constantFrom('ECB', 'BOC', 'NB'),
  date: fc
    .oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: -500, max: -480 }))
    .map((days) => addDays('2026-02-20', days)),
  base: fc.constantFrom('EUR', 'USD'),
  quote: fc.constantFrom('GBP', 'CAD', 'NOK'),
  rate: fc.constantFrom(0.8, 0.81, 1.3, 9.5, 300),
});
type Step = RawRow[] | 'accepted' | 'rejected';
const selector = ({ rate: _, ...key }: RawRow) => Object.values(key).join();
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.uniqueArray(rate, { minLength: 1, maxLength: 5, selector }) },
  { weight: 1, arbitrary: fc.constantFrom('accepted' as const, 'rejected' as const) },
);

async function apply(database: TestDatabase, step: Step): Promise<void> {
  if (typeof step !== 'string') return storeRows(database, step);
  const held = await database.prisma.suspect.findFirst({ where: { status: 'held' } });
  const decision = { suspect: String(held?.id), status: step, operator: 'test', act: '0' };
  if (held) await applyDecision(database, decision);
}

/** What follows from the data: neither the log, nor what is kept for readers of the last seven days. */
async function dataIn(folder: string, hours: number, key: SigningKey) {
  const { manifest } = await verified(folder, hours, key);
  const named = new Set(manifest.files.map(({ path }) => path));
  const files = [...(await filesIn(folder))].filter(
    ([path]) => named.has(path) || path.startsWith('day/') || path === 'latest.json',
  );
  const { digest, data, method } = manifest;
  return { digest, data, method, files: files.map(([path, bytes]) => [path, bytes.toString('base64')]) };
}

describe('a publication that goes on', () => {
  const g = groundOfRates('2026-03-09');

  it('has step by step what it would have at once, to the byte', async () => {
    await g.publish();
    let hours = 0;
    const steps = fc.array(fc.tuple(step, fc.boolean()), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(steps, async (steps) => {
        for (const [done, isPublished] of steps) {
          await apply(g.database, done);
          if (isPublished) await g.publish(++hours);
        }
        await g.publish(++hours);
        const atOnce = makeSigningKey(`at-once-${hours}`);
        const folder = `${g.folder}-${hours}`;
        await g.publish(hours, { folder, keys: [atOnce] });
        expect(await dataIn(g.folder, hours, KEY)).toEqual(await dataIn(folder, hours, atOnce));
        await rm(folder, { recursive: true });
      }),
      propertyRuns(36),
    );
  }, 120_000);

  it('verifies wherever its publisher is killed, and the next one finishes it', async () => {
    await g.publish();
    let [hours, size] = [0, 1];
    const property = fc.asyncProperty(fc.nat({ max: 40 }), async (steps) => {
      await g.ecb('USD', 1.1 + hours / 1_000);
      const publishing = g.publish(++hours, { disk: dyingAfter(steps) });
      if (steps < 10) await expect(publishing).rejects.toThrow('killed');
      else await publishing.catch((error: Error) => expect(error.message).toBe('killed'));
      expect([0, 1]).toContain((await verified(g.folder, hours)).checkpoint.size - size);
      await g.ecb('USD', 1.2 + hours / 1_000);
      await g.publish(hours);
      const { manifest, checkpoint } = await verified(g.folder, hours);
      size = checkpoint.size;
      expect(manifest.data.version).toBe(Number(await newestVersionNumber(g.database)));
      expect([...(await filesIn(g.folder)).keys()].filter((path) => path.startsWith('.'))).toEqual([]);
    });
    await fc.assert(property, { ...propertyRuns(16), examples: [[0], [40]] });
  }, 120_000);

  it('verifies where its publisher is killed while it takes up the log of a copy', async () => {
    await g.publish();
    const copy = `${g.folder}-copy`;
    const property = fc.asyncProperty(fc.nat({ max: 150 }), async (steps) => {
      await rm(copy, { recursive: true, force: true });
      await rename(g.folder, copy);
      await g.publish(1, { resume: copy, disk: dyingAfter(steps) }).catch(() => undefined);
      await g.publish(1, { resume: copy });
      await verified(g.folder, 1);
    });
    await fc.assert(property, propertyRuns(4));
  }, 120_000);
});
