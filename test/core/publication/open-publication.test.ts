import { beforeEach, expect, it } from 'vitest';
import { checkpointOf } from '../../../core/publication/checkpoint.js';
import { makeSigningKey } from '../../../core/publication/keys.js';
import { leafHash } from '../../../core/publication/merkle-tree.js';
import {
  laterPublications,
  openPublication,
  type Trust,
} from '../../../core/publication/open-publication.js';
import { encodePointer, parsePointer } from '../../../core/publication/pointer.js';
import { type MemoryFiles, memoryFiles } from '../../support/memory-files.js';
import { emptyManifest, KEY, signManifest } from '../../support/signed-publication.js';

const [FIRST, SECOND] = ['2026-03-17T16:00:00.000Z', '2026-03-17T16:01:00.000Z'];

let store: MemoryFiles;
/** The signed checkpoints after each publication. */
let notes: string[];
beforeEach(async () => {
  store = memoryFiles();
  notes = [
    await signManifest(store.files, emptyManifest(4711), { size: 0, now: FIRST }),
    await signManifest(store.files, emptyManifest(4712), { size: 1, now: SECOND }),
  ];
});

const trust = (changes: Partial<Trust> = {}): Trust => ({
  keys: [KEY.verifier],
  now: new Date('2026-03-17T17:00:00Z'),
  ...changes,
});
const open = (changes?: Partial<Trust>) => openPublication(store, trust(changes));
const remember = (note = '') => ({ remembered: checkpointOf(note) });

function changePointer(change: (pointer: ReturnType<typeof parsePointer>) => object): void {
  const pointer = parsePointer(String(store.files.get('latest.tlog-proof')));
  store.files.set('latest.tlog-proof', Buffer.from(encodePointer({ ...pointer, ...change(pointer) })));
}

it('opens the newest, also of who has seen the one before, or this one', async () => {
  for (const seen of [{}, remember(notes[0]), remember(notes[1])]) {
    const { record, checkpoint, manifest, note, signers } = await open(seen);
    expect(record).toMatchObject({ instant: SECOND, version: 4712 });
    expect({ size: checkpoint.size, note }).toEqual({ size: 2, note: notes[1] });
    expect(manifest.data.version).toBe(4712);
    expect(signers).toEqual([KEY.verifier]);
  }
});

it('believes it for 48 hours', async () => {
  await open({ now: new Date('2026-03-19T16:01:00Z') });
  await expect(open({ now: new Date('2026-03-19T16:01:00.001Z') })).rejects.toThrow(
    'expired: latest.tlog-proof: signed until 2026-03-19T16:01:00.000Z, and nothing newer since',
  );
});

it('believes no other key of the same name', async () => {
  const other = makeSigningKey(KEY.origin, Buffer.alloc(32, 8));
  await expect(open({ keys: [other.verifier] })).rejects.toMatchObject({ fault: 'signature' });
  await expect(open({ keys: [] })).rejects.toMatchObject({ fault: 'signature' });
  await open({ keys: [other.verifier, KEY.verifier] });
});

it('tells a rollback to an older publication', async () => {
  const seen = remember(notes[1]);
  store = memoryFiles();
  await signManifest(store.files, emptyManifest(4711), { size: 0, now: FIRST });
  await expect(open(seen)).rejects.toThrow(
    'rolled-back: the log has 1 records, and had 2 before: a rollback',
  );
  await open();
});

it.each([1, 2, 3])('tells a fork of %i records', async (size) => {
  const fork = memoryFiles();
  for (let index = 0; index < size; index++) {
    await signManifest(fork.files, emptyManifest(9_000 + index), { size: index, now: SECOND });
  }
  store = fork;
  await expect(open(remember(notes[size === 1 ? 0 : 1]))).rejects.toMatchObject({ fault: 'fork' });
});

it('tells another record of the same log', async () => {
  const first = memoryFiles();
  await signManifest(first.files, emptyManifest(4711), { size: 0, now: FIRST });
  const older = parsePointer(String(first.files.get('latest.tlog-proof')));
  changePointer(() => ({ record: older.record }));
  await expect(open()).rejects.toMatchObject({ fault: 'proof' });
  // Its proof in the newer tree is valid.
  const { proof } = parsePointer(String(store.files.get('latest.tlog-proof')));
  expect(proof).toHaveLength(1);
  const { record } = parsePointer(String(first.files.get('latest.tlog-proof')));
  await signManifest(store.files, emptyManifest(4712), { size: 1, now: SECOND });
  changePointer((pointer) => ({ record, index: 0, proof: [leafHash(pointer.record)] }));
  await expect(open()).rejects.toThrow('names record 0 and not the newest of 2');
});

it('tells a manifest of another publication', async () => {
  const [older = '', newer = ''] = [...store.files.keys()].filter((path) => path.startsWith('manifests/'));
  store.files.set(newer, store.files.get(older) ?? Buffer.alloc(0));
  await expect(open()).rejects.toMatchObject({ fault: 'hash', path: newer });
  store.files.delete(newer);
  await expect(open()).rejects.toMatchObject({ fault: 'missing', path: newer });
});

it('tells a record that says something else than its manifest', async () => {
  await signManifest(store.files, emptyManifest(4713, { origin: 'other.example' }), { size: 2, now: SECOND });
  await expect(open()).rejects.toMatchObject({ fault: 'record' });
});

it.each([
  '../../etc/passwd',
  '/etc/passwd',
  'blended/../../2026.0123456789abcdef.parquet',
  'blended/2026.fedcba9876543210.parquet',
  'observations/2026.0123456789abcdef.parquet',
])('takes no file at %s, though it is signed', async (path) => {
  const file = { bytes: 1, path, rows: 1, sha256: '0123456789abcdef'.repeat(4), table: 'blended' as const };
  await signManifest(store.files, emptyManifest(4713, { files: [file] }), { size: 2, now: SECOND });
  await expect(open()).rejects.toMatchObject({ fault: 'path' });
});

it('takes no file twice, though it is signed', async () => {
  const file = {
    bytes: 1,
    path: 'blended/2026.0123456789abcdef.parquet',
    rows: 1,
    sha256: '0123456789abcdef'.repeat(4),
    table: 'blended' as const,
  };
  await signManifest(store.files, emptyManifest(4713, { files: [file] }), { size: 2, now: SECOND });
  await open();
  await signManifest(store.files, emptyManifest(4713, { files: [file, file] }), { size: 3, now: SECOND });
  await expect(open()).rejects.toMatchObject({ fault: 'path' });
});

it('names the state that is being written, if that is signed and continues the log', async () => {
  const current = await open();
  expect(await laterPublications(store, current, trust())).toEqual([]);
  const next = { size: 2, now: SECOND, pointerPath: 'next.tlog-proof' as const };
  await signManifest(store.files, emptyManifest(4713), next);
  const [later, ...others] = await laterPublications(store, current, trust());
  expect(later?.record.version).toBe(4713);
  expect(others).toEqual([]);

  const stranger = makeSigningKey(KEY.origin, Buffer.alloc(32, 8));
  await signManifest(store.files, emptyManifest(4714), { ...next, keys: [stranger] });
  expect(await laterPublications(store, current, trust())).toEqual([]);
});

it('names the newest where that was written meanwhile', async () => {
  const current = await open();
  await signManifest(store.files, emptyManifest(4713), { size: 2, now: SECOND });
  const later = await laterPublications(store, current, trust());
  expect(later.map(({ record }) => record.version)).toEqual([4713]);
});
