import { hash } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { makeSigningKey } from '../../../core/publication/keys.js';
import {
  checkpointOf,
  checkpointText,
  linesText,
  makeRecord,
  recordHash,
  signNote,
} from '../../../core/publication/log.js';
import * as opening from '../../../core/publication/open-publication.js';
import { type MemoryFiles, memoryFiles } from '../../support/memory-files.js';
import { emptyManifest, KEY, signManifest } from '../../support/signed-publication.js';

const [FIRST, SECOND] = ['2026-03-17T16:00:00.000Z', '2026-03-17T16:01:00.000Z'];
/** Another key of the same name. */
const OTHER = makeSigningKey(KEY.origin, Buffer.alloc(32, 8));

const LOG = 'log/2026.ndjson';

let store: MemoryFiles;
/** The signed checkpoints after each publication. */
let notes: string[];

/** Signs a manifest as the record of that index. */
const sign = (
  files: MemoryFiles,
  version: number,
  size: number,
  changes: Parameters<typeof emptyManifest>[1] = {},
) => signManifest(files.files, emptyManifest(version, changes), { size, now: size === 0 ? FIRST : SECOND });

beforeEach(async () => {
  store = memoryFiles();
  notes = [await sign(store, 4711, 0), await sign(store, 4712, 1)];
});

const trust = (changes: Partial<opening.Trust> = {}): opening.Trust => ({
  ...{ keys: [KEY.verifier], now: new Date('2026-03-17T17:00:00Z'), ...changes },
});
const open = (changes?: Partial<opening.Trust>) => opening.openPublication(store, trust(changes));
const manifestHash = () => hash('sha256', store.files.get('manifest.json') ?? '', 'hex');
const remember = (at: number) => ({ remembered: checkpointOf(notes[at] ?? '') });

it('opens the newest, also for a reader that has seen the one before, or this one', async () => {
  for (const seen of [{}, remember(0), remember(1)]) {
    const { record, checkpoint, manifest, note, signers } = await open(seen);
    expect(record).toMatchObject({ instant: SECOND, version: 4712 });
    expect([checkpoint.size, note, manifest.data.version]).toEqual([2, notes[1], 4712]);
    expect(signers).toEqual([KEY.verifier]);
  }
});

it('believes it for 48 hours', async () => {
  await open({ now: new Date('2026-03-19T16:01:00Z') });
  await expect(open({ now: new Date('2026-03-19T16:01:00.001Z') })).rejects.toThrow(
    'expired: checkpoint: signed until 2026-03-19T16:01:00.000Z, and nothing newer since',
  );
  await open({ now: new Date('2027-03-19T16:01:00Z'), mayBeExpired: true });
});

it('believes no other key of the same name', async () => {
  for (const keys of [[OTHER.verifier], []])
    await expect(open({ keys })).rejects.toMatchObject({ fault: 'signature' });
  await open({ keys: [OTHER.verifier, KEY.verifier] });
});

it('notices a rollback to an older publication', async () => {
  store = memoryFiles();
  await sign(store, 4711, 0);
  const rolledBack = 'rolled-back: the log has 1 records, and had 2 before: a rollback';
  await expect(open(remember(1))).rejects.toThrow(rolledBack);
  await open();
});

it.each([1, 2, 3])('notices a fork of %i records', async (size) => {
  store = memoryFiles();
  for (let index = 0; index < size; index++) await sign(store, 9_000 + index, index);
  await expect(open(remember(size === 1 ? 0 : 1))).rejects.toMatchObject({ fault: 'fork' });
});

it('notices a log that ends before the signed record, and one with another record in its place', async () => {
  const forged = memoryFiles();
  await sign(forged, 4711, 0);
  const older = forged.files.get(LOG) ?? expect.fail('no log');
  await sign(forged, 4713, 1);
  for (const log of [older, forged.files.get(LOG) ?? older]) {
    store.files.set(LOG, log);
    await expect(open()).rejects.toMatchObject({ fault: 'log', path: LOG });
  }
  store.files.delete(LOG);
  await expect(open()).rejects.toMatchObject({ fault: 'missing', path: LOG });
});

it('takes a log that replaces an older one for its continuation, from the last state of that', async () => {
  const replaced = { ...checkpointOf(notes[1] ?? ''), size: 500 };
  const record = makeRecord({
    ...{ index: 0, manifest: manifestHash(), previous: replaced.hash },
    ...{ version: 4712, now: new Date(SECOND) },
  });
  store.files.set(LOG, Buffer.from(linesText([{ record }])));
  const note = signNote(checkpointText({ origin: KEY.origin, size: 1, hash: recordHash(record) }), [KEY]);
  store.files.set(opening.CHECKPOINT, Buffer.from(note));
  expect((await open({ remembered: replaced })).checkpoint.size).toBe(1);
  const before = { ...replaced, hash: '0'.repeat(64) };
  await expect(open({ remembered: before })).rejects.toThrow(
    'rolled-back: the log has 1 records, and had 500 before: a rollback, unless they are of the log that this one replaces',
  );
  await expect(open({ remembered: { ...before, size: 1 } })).rejects.toMatchObject({ fault: 'fork' });
});

it('notices a manifest of another publication, or one that its record does not speak of', async () => {
  const [older = '', newer = ''] = [...store.files.keys()].filter((path) => path.startsWith('manifests/'));
  store.files.set(newer, store.files.get(older) ?? Buffer.alloc(0));
  await expect(open()).rejects.toMatchObject({ fault: 'hash', path: newer });
  store.files.delete(newer);
  await expect(open()).rejects.toMatchObject({ fault: 'missing', path: newer });
  await sign(store, 4713, 2, { origin: 'other.example' });
  await expect(open()).rejects.toMatchObject({ fault: 'record' });
});

const FILE = {
  ...{ bytes: 1, path: 'blended/2026.0123456789abcdef.parquet', rows: 1 },
  ...{ sha256: '0123456789abcdef'.repeat(4), table: 'blended' as const },
};
it('takes a file that is signed, but not twice, and none elsewhere', async () => {
  await sign(store, 4713, 2, { files: [FILE] });
  await open();
  for (const [index, files] of [[FILE, FILE], [{ ...FILE, path: '../../etc/passwd' }]].entries()) {
    await sign(store, 4713, 3 + index, { files });
    await expect(open()).rejects.toMatchObject({ fault: 'path' });
  }
});

it('names the state that is being written, if that is signed and continues the log', async () => {
  const current = await open();
  const later = async () =>
    (await opening.laterPublications(store, current, trust())).map(({ record }) => record.version);
  expect(await later()).toEqual([]);
  const next = { size: 2, now: SECOND, path: opening.NEXT_CHECKPOINT } as const;
  await signManifest(store.files, emptyManifest(4713), next);
  expect(await later()).toEqual([4713]);
  await signManifest(store.files, emptyManifest(4714), { ...next, keys: [OTHER] });
  expect(await later()).toEqual([]);
  // The newest, where that was written meanwhile.
  await sign(store, 4713, 2);
  expect(await later()).toEqual([4713]);
});
