import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newestSignedLog } from '../../../core/database/publications.js';
import { makeSigningKey } from '../../../core/publication/keys.js';
import { signNote } from '../../../core/publication/log.js';
import { openPublicationFiles } from '../../../core/publication/publication-files.js';
import { verifyPublication } from '../../../core/publication/verify-publication.js';
import { PublishError } from '../../../worker/publish/own-log.js';
import { dyingAfter } from '../../support/dying-disk.js';
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
  const { hash } = (await verified(g.folder, 1)).checkpoint;
  const signed = { origin: KEY.origin, keys: [KEY.verifier.text], signedAt: new Date(START + 3_600_000) };
  expect(await newestSignedLog(g.database)).toMatchObject({ ...signed, size, url });
  expect((await newestSignedLog(g.database))?.root.toString('hex')).toBe(hash);
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
  expect((await verified(g.folder, 2)).manifest.files.some(({ path }) => path.includes('CZK'))).toBe(false);
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
  expect([...(await filesIn(g.folder)).keys()]).toEqual(expect.arrayContaining(first));
  await g.publish(8.1 * DAY);
  const left = [...(await filesIn(g.folder)).keys()];
  expect(left.filter((path) => first.includes(path))).toEqual([]);
  expect(left.filter((path) => path.startsWith('manifests/'))).toHaveLength(1);
  await verified(g.folder, 8.1 * DAY);
});

it('goes on in the new year in another file', async () => {
  const TURN = 37 * DAY;
  for (const hours of [TURN - 24, TURN - 1, TURN + 23]) {
    await newRate();
    await g.publish(hours);
  }
  const logs = [...(await filesIn(g.folder)).keys()].filter((path) => path.startsWith('log/'));
  expect(logs).toEqual(['log/2026.ndjson', 'log/2027.ndjson']);
  expect((await verified(g.folder, TURN + 23)).checkpoint.size).toBe(3);
});

describe('a log of earlier versions', () => {
  /** The root of its tree. */
  const ROOT = Buffer.alloc(32, 5);

  /** Gives a published folder, and the database, the log that an earlier version would have written. */
  async function makeOlder(size = 500, root = ROOT): Promise<void> {
    const note = signNote(`${KEY.origin}\n${size}\n${root.toString('base64')}\n`, [KEY]);
    await rm(join(g.folder, 'log'), { recursive: true, force: true });
    await mkdir(join(g.folder, 'tile/0'), { recursive: true });
    await writeFile(join(g.folder, 'tile/0/000'), 'hashes');
    await writeFile(join(g.folder, 'checkpoint'), note);
    const pointer = `c2sp.org/tlog-proof@v1\nextra e30=\nindex ${size - 1}\n${ROOT.toString('base64')}\n\n${note}`;
    await writeFile(join(g.folder, 'latest.tlog-proof'), pointer);
    const record = Buffer.from('{"expires":"…","instant":"…","manifest":"…","version":1}');
    await g.database.pool.query('update publications set size = $1, root = $2, record = $3', [
      500,
      ROOT,
      record,
    ]);
  }
  const pathsIn = async (folder: string) => [...(await filesIn(folder)).keys()];
  const firstPrevious = async () =>
    JSON.parse((await readFile(join(g.folder, 'log/2026.ndjson'), 'utf8')).split('\n')[0] ?? '').previous;

  it('is replaced by a new one, whose first record names its root', async () => {
    await g.publish();
    const days = (await pathsIn(g.folder)).filter((path) => path.startsWith('day/'));
    await makeOlder();
    expect(await g.publish(1)).toMatchObject({ state: 'published', size: 1 });
    expect(await firstPrevious()).toBe(ROOT.toString('hex'));
    const paths = await pathsIn(g.folder);
    expect(paths.filter((path) => /^tile|tlog-proof|^\./.test(path))).toEqual([]);
    expect(paths).toEqual(expect.arrayContaining(days));
    await verified(g.folder, 1);
    // A reader that has seen the last state of the one before.
    const remembered = { origin: KEY.origin, size: 500, hash: ROOT.toString('hex') };
    const trust = { keys: [KEY.verifier], now: new Date(START + 3_600_000), remembered };
    await verifyPublication(openPublicationFiles(g.folder), trust);
    await newRate();
    expect(await g.publish(2)).toMatchObject({ state: 'published', size: 2 });
    await verifyPublication(openPublicationFiles(g.folder), {
      ...trust,
      now: new Date(START + 2 * 3_600_000),
    });
  });

  it('is replaced wherever the publisher is killed', async () => {
    await g.publish();
    await makeOlder();
    const copy = `${g.folder}-copy`;
    await cp(g.folder, copy, { recursive: true });
    const database = async () => (await g.database.prisma.publication.findFirst()) ?? expect.fail('no log');
    const row = await database();
    let isDone = false;
    for (let steps = 0; !isDone; steps += 3) {
      await rm(g.folder, { recursive: true });
      await cp(copy, g.folder, { recursive: true });
      await g.database.prisma.publication.update({ where: { origin: row.origin }, data: row });
      isDone = await g.publish(1, { disk: dyingAfter(steps) }).then(
        () => true,
        () => false,
      );
      await g.publish(1);
      expect((await verified(g.folder, 1)).checkpoint.size).toBe(1);
      expect(await firstPrevious()).toBe(ROOT.toString('hex'));
    }
  }, 120_000);

  it('is not replaced twice, nor in a folder that has another one', async () => {
    await g.publish();
    await makeOlder();
    const copy = `${g.folder}-copy`;
    await cp(g.folder, copy, { recursive: true });
    await makeOlder(500, Buffer.alloc(32, 6));
    await expect(g.publish(1)).rejects.toThrow(PublishError);
    await makeOlder(499, Buffer.alloc(32, 6));
    await expect(g.publish(1)).rejects.toThrow(/does not have the 500 records/);
    await rm(g.folder, { recursive: true });
    await expect(g.publish(1)).rejects.toThrow(PublishError);
    await newRate();
    expect(await g.publish(1, { resume: copy })).toMatchObject({ state: 'published', size: 1 });
    expect(await firstPrevious()).toBe(ROOT.toString('hex'));
    await verified(g.folder, 1);
    await expect(g.publish(2, { folder: copy })).rejects.toThrow(PublishError);
  });

  it('may be what a restored database knows', async () => {
    await g.publish();
    await makeOlder();
    const row = await g.database.prisma.publication.findFirstOrThrow();
    await g.publish(1);
    await g.database.prisma.publication.update({
      where: { origin: row.origin },
      data: { ...row, size: 480n },
    });
    await newRate();
    expect(await g.publish(2)).toMatchObject({ state: 'published', size: 2 });
  });
});
