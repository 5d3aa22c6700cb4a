import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newestSignedLog } from '../../../core/database/publications.js';
import { makeSigningKey } from '../../../core/publication/keys.js';
import { makeRecord, recordBytes } from '../../../core/publication/log-record.js';
import { appendRecord } from '../../../core/publication/log-tiles.js';
import { openPublicationFiles } from '../../../core/publication/publication-files.js';
import { disk, openFolder } from '../../../worker/publish/folder.js';
import { pruneSuperseded } from '../../../worker/publish/prune-superseded.js';
import { PublishError } from '../../../worker/publish/publish-error.js';
import { databaseWith, someRates } from '../../support/rates.js';
import { filesIn, ground, groundOfRates, KEY, START, verified } from './support.js';

const g = groundOfRates('2026-03-16');

const DAY = 24;
let next = 1.1;
const newRate = () => {
  next += 0.001;
  return g.ecb('CZK', next, '2026-03-20');
};

it('is not begun before there are rates', async () => {
  await g.database.pool.query('delete from data_versions');
  expect(await g.publish()).toMatchObject({ state: 'nothing new', size: 0 });
});

it('is signed again after a day without news, with the same manifest', async () => {
  const { record: first } = await g.publish();
  expect(await g.publish(DAY - 0.1)).toMatchObject({ state: 'nothing new', size: 1 });
  const record = { manifest: first?.manifest };
  expect(await g.publish(DAY)).toMatchObject({ state: 'signed again', size: 2, record });
  await verified(g.folder, DAY + 47);
  await expect(verified(g.folder, DAY + 49)).rejects.toMatchObject({ fault: 'expired' });
});

it('is signed at most once in a time', async () => {
  await g.publish();
  await newRate();
  expect(await g.publish(0.1, { everyMs: 600_000 })).toMatchObject({ state: 'too early', size: 1 });
  expect(await g.publish(0.2, { everyMs: 600_000 })).toMatchObject({ state: 'published', size: 2 });
});

it('is continued by one of two publishers at once', async () => {
  const states = (await Promise.all([g.publish(), g.publish()])).map(({ state }) => state);
  expect(states.sort()).toEqual(['nothing new', 'published']);
  expect((await verified(g.folder)).checkpoint.size).toBe(1);
});

it('is known to the database, with the keys that signed it', async () => {
  const url = 'https://rates.example.org';
  const { size } = await g.publish(1, { url });
  const { root } = (await verified(g.folder, 1)).checkpoint;
  const signed = { origin: KEY.origin, keys: [KEY.verifier.text], signedAt: new Date(START + 3_600_000) };
  expect(await newestSignedLog(g.database)).toMatchObject({ ...signed, size, root, url });
});

it('does not go on in a folder that has lost it, or has an older or another one, but from a copy of the newest', async () => {
  await g.publish();
  const [old, copy] = [`${g.folder}-old`, `${g.folder}-copy`];
  await cp(g.folder, old, { recursive: true });
  await newRate();
  await g.publish(1);
  await cp(g.folder, copy, { recursive: true });
  const before = await filesIn(g.folder);
  await expect(g.publish(2, { folder: old })).rejects.toThrow(PublishError);
  const other = await ground(await databaseWith(someRates('2026-03-17')));
  for (const hours of [0, DAY]) await other.publish(hours);
  await expect(g.publish(2, { folder: other.folder })).rejects.toThrow(PublishError);
  await other.close();
  await rm(g.folder, { recursive: true });
  await expect(g.publish(2)).rejects.toThrow(/does not have the 2 records that were signed as/);
  await expect(g.publish(2, { resume: old })).rejects.toThrow(PublishError);
  expect(await g.publish(2, { resume: copy })).toMatchObject({ state: 'published', size: 3 });
  await verified(g.folder, 2);
  const after = await filesIn(g.folder);
  for (const [path, bytes] of before) if (path.startsWith('day/')) expect(after.get(path)).toEqual(bytes);
});

it('goes on where the database was restored to an earlier state: versions may go back, records may not', async () => {
  await g.publish();
  const [row] = await g.database.prisma.publication.findMany();
  const { version } = await g.database.prisma.dataVersion.findFirstOrThrow({ orderBy: { version: 'desc' } });
  await newRate();
  await g.publish(1);
  for (const table of ['rates', 'blended_days'])
    await g.database.pool.query(`delete from ${table} where quote = 'CZK'`);
  await g.database.pool.query('delete from data_versions where version > $1', [version]);
  await g.database.pool.query('update publications set size = 1, root = $1', [row?.root]);
  const record = { version: Number(version) };
  expect(await g.publish(2)).toMatchObject({ state: 'published', size: 3, record });
  const { manifest } = await verified(g.folder, 2);
  expect(manifest.files.some(({ path }) => path.includes('CZK'))).toBe(false);
});

it('is signed by two keys while they are exchanged, and not continued by a strange one', async () => {
  await g.publish();
  const strange = makeSigningKey(KEY.origin, new Uint8Array(32).fill(8));
  await expect(g.publish(1, { keys: [strange] })).rejects.toMatchObject({ fault: 'signature' });
  expect(await g.publish(1, { keys: [KEY, strange] })).toMatchObject({ state: 'signed again', size: 2 });
  await verified(g.folder, 1, strange);
  const keys = `${KEY.verifier.text}\n${strange.verifier.text}\n`;
  expect(await readFile(join(g.folder, 'keys.txt'), 'utf8')).toBe(keys);
});

it('keeps what readers of the last seven days may still need, and no more', async () => {
  await g.publish();
  const first = [...(await filesIn(g.folder)).keys()].filter((path) => path.includes('ECB'));
  await newRate();
  await g.publish(1);
  await g.publish(6 * DAY);
  const held = [...(await filesIn(g.folder)).keys()];
  expect(held).toEqual(expect.arrayContaining(first));
  await g.publish(8.1 * DAY);
  const left = [...(await filesIn(g.folder)).keys()];
  expect(left.filter((path) => first.includes(path))).toEqual([]);
  expect(left.filter((path) => path.startsWith('manifests/'))).toHaveLength(1);
  await verified(g.folder, 8.1 * DAY);
});

it('has no partial tiles beside full ones', async () => {
  const folder = openFolder(g.folder, { ...disk, write: (path, bytes) => writeFile(path, bytes) });
  const files = openPublicationFiles(g.folder);
  const now = new Date(START);
  const record = recordBytes(makeRecord({ manifest: '0'.repeat(64), version: 1, now }));
  for (let size = 0; size < 257; size++) {
    const { written } = await appendRecord(files, size, record);
    for (const [path, bytes] of written) await folder.put(path, bytes);
  }
  await pruneSuperseded({ folder, files, size: 257, now: new Date(START + 30 * DAY * 3_600_000) });
  const tiles = ['0/000', '0/001.p/1', '1/000.p/1', 'entries/000', 'entries/001.p/1'];
  expect(await folder.list('tile')).toEqual(tiles.map((tile) => `tile/${tile}`));
});
