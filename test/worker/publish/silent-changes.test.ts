import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { withPrisma } from '../../../core/database/database.js';
import { openCheckpoint } from '../../../core/publication/checkpoint.js';
import { openPublicationFiles } from '../../../core/publication/publication-files.js';
import { verifyPublication } from '../../../core/publication/verify-publication.js';
import { databaseWith, someRates, storeRows } from '../../support/rates.js';
import { filesIn, type Ground, ground, KEY, START, verified } from './support.js';

let g: Ground;
beforeEach(async () => {
  g = await ground(await databaseWith(someRates()));
});
afterEach(() => g.close());

/** Behind the back of all that keeps revisions. */
const run = (statement: string) => withPrisma(g.database, (prisma) => prisma.$executeRawUnsafe(statement));

const RATE = { provider: 'ECB', date: '2026-03-20', base: 'EUR', quote: 'USD' };
const NEWER = { provider: 'ECB', date: '2026-03-23', base: 'EUR', quote: 'USD', rate: 1.16 };

it('tells of a rate that was changed without a revision, and of one that is gone', async () => {
  await g.publish();
  await run(
    "update rates set rate = rate * 2 where provider = 'ECB' and date = '2026-03-20' and quote = 'USD'",
  );
  await storeRows(g.database, [NEWER]);
  await g.publish(1);
  await expect(verified(g.folder, 1)).rejects.toThrow(
    /^revision: observations\/ECB\/2026\.\w+\.parquet: 2026-03-20 EUR\/USD, [\d.]+ before, is now [\d.]+, and no revision/,
  );
  await run("delete from rates where provider = 'ECB' and date = '2026-03-19' and quote = 'USD'");
  await storeRows(g.database, [{ ...NEWER, date: '2026-03-24' }]);
  await g.publish(2);
  await expect(verified(g.folder, 2)).rejects.toMatchObject({ fault: 'revision' });
});

it('accepts corrections, which revisions tell', async () => {
  await g.publish();
  await storeRows(g.database, [{ ...RATE, rate: 1.1511 }, NEWER]);
  await g.publish(1);
  await verified(g.folder, 1);
});

it('compares with what was remembered, however many publications came since', async () => {
  await g.publish();
  const note = String((await filesIn(g.folder)).get('checkpoint'));
  const remembered = openCheckpoint(note, [KEY.verifier]).checkpoint;
  await run(
    "update rates set rate = rate * 2 where provider = 'ECB' and date = '2026-03-20' and quote = 'USD'",
  );
  await storeRows(g.database, [NEWER]);
  await g.publish(1);
  await storeRows(g.database, [{ ...NEWER, date: '2026-03-24' }]);
  await g.publish(2);
  await verified(g.folder, 2);
  const options = { keys: [KEY.verifier], remembered, now: new Date(START + 3 * 3_600_000) };
  await expect(verifyPublication(openPublicationFiles(g.folder), options)).rejects.toMatchObject({
    fault: 'revision',
  });
});

it('is not told otherwise by an earlier manifest that was changed', async () => {
  await g.publish();
  const earlier = [...(await filesIn(g.folder)).keys()].find((path) => path.startsWith('manifests/')) ?? '';
  await storeRows(g.database, [NEWER]);
  await g.publish(1);
  await verified(g.folder, 1);
  const path = join(g.folder, earlier);
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace(/\{"bytes":\d+,"path":"observations\/ECB\/2026[^}]*\},/, ''));
  expect(await readFile(path, 'utf8')).not.toBe(text);
  await expect(verified(g.folder, 1)).rejects.toMatchObject({ fault: 'hash', path: earlier });
});
