import { readlink, rm, symlink, truncate } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Publication } from '../../../core/publication/open-publication.js';
import { openPublicationFiles } from '../../../core/publication/publication-files.js';
import type { TableName } from '../../../core/publication/tables.js';
import { applyDecision } from '../../../worker/blend/decide.js';
import { databaseWith, someRates, storeRows } from '../../support/rates.js';
import { readTable } from '../../support/read-table.js';
import { filesIn, type Ground, ground, verified } from './support.js';

let g: Ground;
beforeEach(async () => {
  g = await ground(await databaseWith(someRates('2026-03-02')));
});
afterEach(() => g.close());

const rate = (rate: number, date = '2026-03-20') => ({
  provider: 'ECB',
  date,
  base: 'EUR',
  quote: 'GBP',
  rate,
});

/** The rows of a table of some providers, as objects. */
async function rowsOf({ manifest }: Publication, table: TableName, within: string) {
  const rows: Record<string, unknown>[] = [];
  for (const { path, ...file } of manifest.files) {
    if (file.table !== table || !path.startsWith(within)) continue;
    const bytes = await openPublicationFiles(g.folder).read(path, { most: file.bytes });
    const columns: Record<string, ArrayLike<unknown>> = await readTable(table, bytes, {
      path,
      most: file.rows,
    });
    for (let at = 0; at < file.rows; at++)
      rows.push(Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values[at]])));
  }
  return rows;
}

it('have what was replaced, and by what', async () => {
  await storeRows(g.database, [rate(0.871)]);
  await storeRows(g.database, [rate(0.872)]);
  await g.publish();
  const revisions = await rowsOf(await verified(g.folder), 'revisions', 'revisions/');
  const { rows } = await g.database.pool.query<{ recorded_at: Date; replaced_at: Date; was: number }>(
    'select rate as was, recorded_at, replaced_at from rate_revisions order by id',
  );
  expect(revisions).toEqual(
    rows.map(({ was, recorded_at, replaced_at }, at) => ({
      provider: 'ECB',
      date: Date.UTC(2026, 2, 20) / 86_400_000,
      base: 'EUR',
      quote: 'GBP',
      rate: [0.871, 0.872][at],
      was,
      recorded_at: recorded_at.getTime(),
      replaced_at: replaced_at.getTime(),
      cause: null,
    })),
  );
});

it('tell what was doubted, as long as it is, and what was decided', async () => {
  const statesOf = async () => {
    const rows = await rowsOf(await verified(g.folder), 'observations', 'observations/ECB/');
    return rows.filter(({ suspect }) => suspect !== null).map(({ rate, suspect }) => [rate, suspect]);
  };
  await storeRows(g.database, [rate(50, '2026-03-23')]);
  await g.publish();
  expect(await statesOf()).toEqual([[50, 'held']]);
  const held = await g.database.prisma.suspect.findFirstOrThrow({ where: { status: 'held' } });
  await applyDecision(g.database, {
    suspect: String(held.id),
    status: 'rejected',
    operator: 'test',
    act: '0',
  });
  await g.publish();

  expect(await statesOf()).toEqual([[50, 'rejected']]);
  await storeRows(g.database, [rate(0.87, '2026-03-23')]);
  await g.publish();
  expect(await statesOf()).toEqual([]);
});

it('leave out providers whose terms forbid copies, and have them again when they allow', async () => {
  await storeRows(g.database, [rate(0.871)]);
  const tablesOf = async () =>
    (await verified(g.folder)).manifest.files
      .map(({ path }) => path)
      .filter((path) => /ECB|revisions/.test(path));
  await g.publish(0, { omit: ['ECB'] });
  expect(await tablesOf()).toEqual([]);
  await g.publish(1);
  expect(await tablesOf()).toHaveLength(2);
  await g.publish(2, { omit: ['ECB'] });
  expect(await tablesOf()).toEqual([]);
});

it('are written again where a file is damaged or lost', async () => {
  await g.publish();
  const { manifest } = await verified(g.folder);
  const blended = manifest.files.find(({ table }) => table === 'blended');
  const ecb = manifest.files.find(({ path }) => path.includes('ECB'));
  await rm(`${g.folder}/${ecb?.path}`);
  await truncate(`${g.folder}/${blended?.path}`, 100);
  await storeRows(g.database, [
    { provider: 'BOC', date: '2026-03-23', base: 'USD', quote: 'CAD', rate: 1.37 },
  ]);
  await g.publish(1);
  await verified(g.folder, 1);
});

it('are not removed where they can not be read at the moment', async () => {
  await g.publish();
  const { manifest } = await verified(g.folder);
  const pathOf = (key: string) =>
    `${g.folder}/${manifest.files.find(({ path }) => path.includes(key))?.path}`;
  await rm(pathOf('/ECB/'));
  // A link to itself is neither missing nor a file.
  await rm(pathOf('/NBU/'));
  await symlink(pathOf('/NBU/'), pathOf('/NBU/'));
  await expect(g.publish(1)).rejects.toMatchObject({ fault: 'unavailable' });
  expect(await readlink(pathOf('/NBU/'))).toBe(pathOf('/NBU/'));
});

it('have no day any more whose only rate is held back by now', async () => {
  const newest = (rate: number) =>
    storeRows(g.database, [{ provider: 'BOC', date: '2026-03-23', base: 'USD', quote: 'CAD', rate }]);
  const daysAfter = async () =>
    [...(await filesIn(g.folder)).keys()].filter((path) => path > 'day/2026-03-22.json' && path < 'day/9');
  await newest(1.37);
  await g.publish();
  expect(await daysAfter()).toEqual(['day/2026-03-23.json']);
  await newest(13.7);
  await g.publish(1);
  await verified(g.folder, 1);
  expect(await daysAfter()).toEqual([]);
});

it('are written again where one is lost, and nothing is new', async () => {
  await g.publish();
  const { manifest } = await verified(g.folder);
  const [table] = manifest.files.filter(({ path }) => path.endsWith('.parquet'));
  await rm(`${g.folder}/${table?.path}`);
  await g.publish(1);
  expect((await verified(g.folder, 1)).manifest.files).toEqual(manifest.files);
  await g.publish(2);
  expect((await verified(g.folder, 2)).checkpoint.size).toBe(2);
});
