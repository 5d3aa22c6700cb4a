import { readFile, readlink, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCheckpoint } from '../../../core/publication/log.js';
import type { Publication } from '../../../core/publication/open-publication.js';
import { openPublicationFiles } from '../../../core/publication/publication-files.js';
import type { TableName } from '../../../core/publication/tables.js';
import { verifyPublication } from '../../../core/publication/verify-publication.js';
import { applyDecision } from '../../../worker/blend/decisions.js';
import { storeRows } from '../../support/rates.js';
import { readTable } from '../../support/read-table.js';
import { readRows } from '../ingest/support.js';
import { filesIn, groundOfRates, KEY, START, verified } from './support.js';

const g = groundOfRates('2026-03-02');

/** The rows of a table of some providers, as objects. */
async function rowsOf({ manifest }: Publication, table: TableName, within: string) {
  const rows: Record<string, unknown>[] = [];
  for (const { path, ...file } of manifest.files) {
    if (file.table !== table || !path.startsWith(within)) continue;
    const bytes = await openPublicationFiles(g.folder).read(path, { most: file.bytes });
    const bounds = { path, most: file.rows };
    const columns: Record<string, ArrayLike<unknown> | undefined> = await readTable(table, bytes, bounds);
    for (let at = 0; at < file.rows; at++)
      rows.push(Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values?.[at]])));
  }
  return rows;
}

const newestOfBoc = (rate: number) =>
  storeRows(g.database, [{ provider: 'BOC', date: '2026-03-23', base: 'USD', quote: 'CAD', rate }]);

const pathOf = ({ manifest }: Publication, part: string) =>
  join(g.folder, manifest.files.find(({ path }) => path.includes(part))?.path ?? '');

it('have what was replaced, and by what', async () => {
  await g.ecb('GBP', 0.871, '2026-03-20');
  await g.ecb('GBP', 0.872, '2026-03-20');
  await g.publish();
  const revisions = await rowsOf(await verified(g.folder), 'revisions', 'revisions/');
  const stored = await readRows(
    g.database,
    'select rate, recorded_at, replaced_at from rate_revisions order by id',
  );
  const [date, rates] = [Date.UTC(2026, 2, 20) / 86_400_000, [0.871, 0.872]];
  const expected = stored.map(([was, recorded, replaced], at) => ({
    ...{ provider: 'ECB', date, base: 'EUR', quote: 'GBP', rate: rates[at], was, cause: null },
    ...{ recorded_at: Number(recorded), replaced_at: Number(replaced) },
  }));
  expect(revisions).toEqual(expected);
});

it('have the sides of the sources that publish them, in columns that other files lack', async () => {
  const row = { provider: 'BOC', base: 'USD', quote: 'CAD', rate: 1.37 };
  const both = { ...row, date: '2026-03-23', buy: 1.36, sell: 1.38 };
  await storeRows(g.database, [both, { ...row, date: '2026-03-24', sell: 1.39 }]);
  await g.publish();
  const publication = await verified(g.folder);
  for (const sides of [{}, { sell: 1.4 }])
    await storeRows(g.database, [{ ...row, ...sides, date: '2026-03-24' }]);
  await g.publish(1);
  const revisions = await rowsOf(await verified(g.folder, 1), 'revisions', 'revisions/');
  const replaced = { rate: 1.37, was: 1.37, buy: undefined, buy_was: undefined };
  expect(revisions).toMatchObject([
    { ...replaced, sell: Number.NaN, sell_was: 1.39 },
    { ...replaced, sell: 1.4, sell_was: Number.NaN },
  ]);
  const sidesOf = async (key: string) =>
    (await rowsOf(publication, 'observations', `observations/${key}/2026`)).map((row) => [row.buy, row.sell]);
  expect((await sidesOf('BOC')).slice(-3)).toEqual([
    [Number.NaN, Number.NaN],
    [1.36, 1.38],
    [Number.NaN, 1.39],
  ]);
  expect((await sidesOf('ECB'))[0]).toEqual([undefined, undefined]);
});

it('show which rates are suspect, as long as they are, and what was decided', async () => {
  const statesOf = async () => {
    const rows = await rowsOf(await verified(g.folder), 'observations', 'observations/ECB/');
    return rows.filter(({ suspect }) => suspect !== null).map(({ rate, suspect }) => [rate, suspect]);
  };
  await g.ecb('GBP', 50);
  await g.publish();
  expect(await statesOf()).toEqual([[50, 'held']]);
  const held = await g.database.prisma.suspect.findFirstOrThrow({ where: { status: 'held' } });
  const decision = { suspect: String(held.id), status: 'rejected', operator: 'test', act: '0' } as const;
  await applyDecision(g.database, decision);
  await g.publish();

  expect(await statesOf()).toEqual([[50, 'rejected']]);
  await g.ecb('GBP', 0.87);
  await g.publish();
  expect(await statesOf()).toEqual([]);
});

it('leave out providers whose terms forbid copies, and have them again when they allow', async () => {
  await g.ecb('GBP', 0.871, '2026-03-20');
  const tablesOf = async () =>
    (await verified(g.folder)).manifest.files.filter(({ path }) => /ECB|revisions/.test(path));
  await g.publish(0, { omit: ['ECB'] });
  expect(await tablesOf()).toEqual([]);
  await g.publish(1);
  expect(await tablesOf()).toHaveLength(2);
  await g.publish(2, { omit: ['ECB'] });
  expect(await tablesOf()).toEqual([]);
});

it('are written again where a file is damaged or lost, with news or without', async () => {
  await g.publish();
  const first = await verified(g.folder);
  await rm(pathOf(first, '/ECB/'));
  await truncate(pathOf(first, 'blended/'), 100);
  await newestOfBoc(1.37);
  await g.publish(1);
  const second = await verified(g.folder, 1);
  await rm(pathOf(second, 'blended/'));
  await g.publish(2);
  const third = await verified(g.folder, 2);
  expect(third.manifest.files).toEqual(second.manifest.files);
  await g.publish(3);
  expect((await verified(g.folder, 3)).checkpoint.size).toBe(third.checkpoint.size);
});

it('are not removed where they can not be read at the moment', async () => {
  await g.publish();
  const first = await verified(g.folder);
  await rm(pathOf(first, '/ECB/'));
  // A link to itself is neither missing nor a file.
  const link = pathOf(first, '/NBU/');
  await rm(link);
  await symlink(link, link);
  await expect(g.publish(1)).rejects.toMatchObject({ fault: 'unavailable' });
  expect(await readlink(link)).toBe(link);
});

it('have no day any more whose only rate is held back by now', async () => {
  const daysAfter = async () =>
    [...(await filesIn(g.folder)).keys()].filter((path) => path > 'day/2026-03-22.json' && path < 'day/9');
  await newestOfBoc(1.37);
  await g.publish();
  expect(await daysAfter()).toEqual(['day/2026-03-23.json']);
  await newestOfBoc(13.7);
  await g.publish(1);
  await verified(g.folder, 1);
  expect(await daysAfter()).toEqual([]);
});

describe('a reader', () => {
  /** Behind the back of all that keeps revisions. */
  const double = () =>
    g.database.pool.query(
      "update rates set rate = rate * 2 where provider = 'ECB' and date = '2026-03-20' and quote = 'USD'",
    );

  it('detects a rate that was changed without a revision, and one that is gone', async () => {
    await g.publish();
    await double();
    await g.ecb('USD', 1.16);
    await g.publish(1);
    await expect(verified(g.folder, 1)).rejects.toThrow(
      /^revision: observations\/ECB\/2026\.\w+\.parquet: 2026-03-20 EUR\/USD, [\d.]+ before, is now [\d.]+, and no revision/,
    );
    await g.database.pool.query("delete from rates where date = '2026-03-19' and quote = 'USD'");
    await g.ecb('USD', 1.16, '2026-03-24');
    await g.publish(2);
    await expect(verified(g.folder, 2)).rejects.toMatchObject({ fault: 'revision' });
  });

  it('detects a side that was changed without a revision', async () => {
    const row = { provider: 'BOC', base: 'USD', quote: 'CAD', rate: 1.37, buy: 1.36, sell: 1.38 };
    await storeRows(g.database, [{ ...row, date: '2026-03-23' }]);
    await g.publish();
    await storeRows(g.database, [{ ...row, date: '2026-03-23', sell: 1.39 }]);
    await g.publish(1);
    await verified(g.folder, 1);
    await g.database.pool.query("update rates set sell = 1.4 where provider = 'BOC' and sell = 1.39");
    await storeRows(g.database, [{ ...row, date: '2026-03-24' }]);
    await g.publish(2);
    const fault = '2026-03-23 USD/CAD sell, 1.39 before, is now 1.4, and no revision';
    await expect(verified(g.folder, 2)).rejects.toThrow(fault);
  });

  it('compares with what was remembered, however many publications came since', async () => {
    await g.publish();
    const note = String((await filesIn(g.folder)).get('checkpoint'));
    const remembered = openCheckpoint(note, [KEY.verifier]).checkpoint;
    await double();
    await g.ecb('USD', 1.16);
    await g.publish(1);
    await g.ecb('USD', 1.16, '2026-03-24');
    await g.publish(2);
    await verified(g.folder, 2);
    const options = { keys: [KEY.verifier], remembered, now: new Date(START + 3 * 3_600_000) };
    const verifying = verifyPublication(openPublicationFiles(g.folder), options);
    await expect(verifying).rejects.toMatchObject({ fault: 'revision' });
  });

  it('is not deceived by an earlier manifest that was changed', async () => {
    await g.publish();
    const earlier = [...(await filesIn(g.folder)).keys()].find((path) => path.startsWith('manifests/')) ?? '';
    await g.ecb('USD', 1.16);
    await g.publish(1);
    await verified(g.folder, 1);
    const path = join(g.folder, earlier);
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace(/\{"bytes":\d+,"path":"observations\/ECB\/2026[^}]*\},/, ''));
    expect(await readFile(path, 'utf8')).not.toBe(text);
    await expect(verified(g.folder, 1)).rejects.toMatchObject({ fault: 'hash', path: earlier });
  });
});
