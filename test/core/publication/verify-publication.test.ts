import { hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkpointOf, checkpointText } from '../../../core/publication/checkpoint.js';
import { makeSigningKey } from '../../../core/publication/keys.js';
import { makeRecord, recordBytes } from '../../../core/publication/log-record.js';
import { appendRecord, hashesOf, partialTiles } from '../../../core/publication/log-tiles.js';
import { type Manifest, manifestBytes, parseManifest } from '../../../core/publication/manifest.js';
import { inclusionProof } from '../../../core/publication/merkle-tree.js';
import { NEXT_POINTER, POINTER } from '../../../core/publication/open-publication.js';
import { encodePointer, parsePointer } from '../../../core/publication/pointer.js';
import type { TableRows } from '../../../core/publication/tables.js';
import { type VerifyOptions, verifyPublication } from '../../../core/publication/verify-publication.js';
import { writeTable } from '../../../core/publication/write-table.js';
import { memoryFiles } from '../../support/memory-files.js';
import { propertyRuns } from '../../support/property-runs.js';
import { readTable } from '../../support/read-table.js';
import { KEY, publishRates, type Rates, signManifest } from '../../support/signed-publication.js';

type Files = Map<string, Buffer>;

const RATES: Rates = {
  '2025-12-30': { EUR: 0.85, ISK: 125.5, JPY: 156.25 },
  '2025-12-31': { EUR: 0.86, JPY: 156.5 },
  '2026-01-02': { EUR: 0.87, JPY: 157 },
  '2026-01-05': { EUR: 0.8725, ISK: 126, JPY: 157.125 },
};
const [FIRST, SECOND, THIRD, FOURTH] = ['16:00', '16:01', '16:02', '16:03'].map(
  (time) => `2026-03-17T${time}:00.000Z`,
) as [string, string, string, string];

/** A publication after each of three data versions, the fourth that is begun, and the signed checkpoints. */
async function makeHistory() {
  const files: Files = new Map();
  const states: Files[] = [];
  const notes: string[] = [];
  const more: Rates[] = [{}, { '2026-01-06': { EUR: 0.875 } }, { '2026-01-06': { EUR: 0.875, JPY: 158 } }];
  for (const [size, now] of [FIRST, SECOND, THIRD].entries()) {
    notes.push(await publishRates(files, { ...RATES, ...more[size] }, { version: 4711 + size, size, now }));
    states.push(new Map(files));
  }
  const last = { ...RATES, '2026-01-02': { EUR: 0.88, JPY: 157 }, '2026-01-07': { EUR: 0.9 } };
  const writing: Files = new Map(files);
  await publishRates(writing, last, { version: 4714, size: 3, now: FOURTH, pointerPath: NEXT_POINTER });
  const written: Files = new Map(files);
  await publishRates(written, last, { version: 4714, size: 3, now: FOURTH });
  return { states, notes, writing, written };
}

const { states, notes, writing, written } = await makeHistory();
const [older, newest] = [states[1] ?? new Map(), states[2] ?? new Map()];
/** The files with some replaced, or removed where there is none in their place. */
function changed(changes: Record<string, Buffer | undefined>, files: Files = newest): Files {
  const copy = new Map(files);
  for (const [path, bytes] of Object.entries(changes)) {
    if (bytes) copy.set(path, bytes);
    else copy.delete(path);
  }
  return copy;
}

const verify = (files: Files, options: Partial<VerifyOptions> = {}) =>
  verifyPublication(memoryFiles(files), {
    keys: [KEY.verifier],
    now: new Date('2026-03-17T17:00:00Z'),
    ...options,
  });

const tell = (files: Files, fault: string, path?: string | RegExp, options: Partial<VerifyOptions> = {}) =>
  expect(verify(files, options)).rejects.toMatchObject({
    name: 'PublicationError',
    fault,
    path: path === undefined ? undefined : expect.stringMatching(path),
  });

const manifestIn = (files: Files): Manifest => parseManifest(files.get('manifest.json') ?? Buffer.alloc(0));
const pathIn = (files: Files, stem: string) =>
  manifestIn(files).files.find(({ path }) => path.startsWith(stem))?.path ?? '';
const manifestPathIn = (files: Files) =>
  `manifests/${hash('sha256', files.get('manifest.json') ?? '', 'hex')}.json`;
const textIn = (files: Files, path: string) => String(files.get(path));
const remembered = (at: number) => ({ remembered: checkpointOf(notes[at] ?? '') });

const BLENDED = pathIn(newest, 'blended/2026');
const MANIFEST = manifestPathIn(newest);
/** All that the newest publication consists of: the others were replaced. */
const USED = [...newest.keys()].filter((path) => {
  if (path.startsWith('manifests/')) return path === MANIFEST;
  if (path.endsWith('.parquet')) return manifestIn(newest).files.some((file) => file.path === path);
  return !path.includes('.p/') || partialTiles(3).includes(path);
});

it('finds nothing wrong with what was signed', async () => {
  for (const [size, files] of states.entries()) {
    const { record, manifest } = await verify(files, remembered(Math.max(0, size - 1)));
    expect(record.version).toBe(4711 + size);
    expect(manifest.files).toHaveLength(8);
  }
  await verify(newest, { quick: true });
});

const withAnotherRate = () =>
  withBlended(({ rate: rates, ...rows }) => ({
    ...rows,
    rate: rates.map((rate, at) => (at === 0 ? rate * 1.001 : rate)),
  }));

/** The blended file of 2026 with other rows, listed under its new hash. */
async function withBlended(
  change: (rows: TableRows<'blended'>) => TableRows<'blended'>,
): Promise<{ files: Files; manifest: Manifest }> {
  const manifest = manifestIn(newest);
  const rows = await readTable('blended', newest.get(BLENDED) ?? Buffer.alloc(0), {
    path: BLENDED,
    most: 100,
  });
  const forged = writeTable('blended', change(rows));
  const sha256 = hash('sha256', forged, 'hex');
  const path = `blended/2026.${sha256.slice(0, 16)}.parquet`;
  const files = manifest.files.map((file) =>
    file.path === BLENDED ? { ...file, path, sha256, bytes: forged.length } : file,
  );
  files.sort((one, other) => (one.path < other.path ? -1 : 1));
  return { files: changed({ [path]: forged }), manifest: { ...manifest, files } };
}

describe('tells', () => {
  it('1: a byte of any file', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...newest.keys()),
        fc.nat(),
        fc.integer({ min: 0, max: 7 }),
        async (path, at, bit) => {
          await expect(verify(changed({ [path]: flip(newest.get(path), at, bit) }))).rejects.toMatchObject({
            name: 'PublicationError',
            path: expect.any(String),
          });
        },
      ),
      propertyRuns(500),
    ));

  it.each(USED)('2: that %s is cut, missing or longer', async (path) => {
    const bytes = newest.get(path) ?? Buffer.alloc(0);
    // What is read before its length is known is told by what is wrong in it.
    const isListed = !/^(tile|manifests)\/|tlog-proof$|^keys.txt$/.test(path);
    const fault = isListed ? 'size' : expect.any(String);
    await tell(changed({ [path]: undefined }), 'missing', path);
    await tell(changed({ [path]: bytes.subarray(0, -1) }), fault, path);
    await tell(changed({ [path]: Buffer.concat([bytes, Buffer.of(0)]) }), fault, path);
  });

  it('3: a rate changed, file and manifest hashed anew', async () => {
    const { files, manifest } = await withAnotherRate();
    const bytes = manifestBytes(manifest);
    await tell(changed({ [MANIFEST]: bytes, 'manifest.json': bytes }, files), 'hash', MANIFEST);
  });

  it('4: the same with record and tree, under the old signature', async () => {
    const { files, manifest } = await withAnotherRate();
    const bytes = manifestBytes(manifest);
    const sha256 = hash('sha256', bytes, 'hex');
    const record = recordBytes(makeRecord({ manifest: sha256, version: 4713, now: new Date(THIRD) }));
    const store = memoryFiles(new Map(files));
    const log = await appendRecord(store, 2, record);
    for (const [path, tile] of log.written) store.files.set(path, tile);
    const text = checkpointText({ origin: KEY.origin, ...log });
    const note = text + String(notes[2]).slice(String(notes[2]).indexOf('\n\n') + 1);
    const proof = await inclusionProof(2, 3, hashesOf(store, 3));
    store.files.set(`manifests/${sha256}.json`, bytes);
    store.files.set('manifest.json', bytes);
    store.files.set('checkpoint', Buffer.from(note));
    store.files.set(POINTER, Buffer.from(encodePointer({ record, index: 2, proof, note })));
    await tell(store.files, 'signature', POINTER);
  });

  it('5: another key of the same name', async () => {
    const other = makeSigningKey(KEY.origin, Buffer.alloc(32, 8));
    const forged = new Map(older);
    await publishRates(forged, RATES, { version: 4713, size: 2, now: THIRD, keys: [other] });
    await tell(forged, 'signature', POINTER);
    await verify(forged, { keys: [other.verifier] });
  });

  it.each([
    ['origin', 'rates.example.org/almanac\n3', 'rates.example.net/almanac\n3'],
    ['size', 'almanac\n3\n', 'almanac\n4\n'],
  ])('6: another %s in the note', async (_, from, to) => {
    const pointer = textIn(newest, POINTER).replace(from, to);
    expect(pointer).not.toBe(textIn(newest, POINTER));
    await tell(changed({ [POINTER]: Buffer.from(pointer) }), 'signature', POINTER);
  });

  it('7: a rollback to an older publication', async () => {
    await tell(older, 'rolled-back', undefined, remembered(2));
    await tell(changed({ [POINTER]: older.get(POINTER) }), 'rolled-back', undefined, remembered(2));
  });

  it('8: a fork, by the right key', async () => {
    const fork = new Map(states[0]);
    for (const size of [1, 2, 3]) await publishRates(fork, RATES, { version: 4800 + size, size, now: THIRD });
    await verify(fork);
    await verify(fork, remembered(0));
    await tell(fork, 'fork', undefined, remembered(1));
    await tell(fork, 'fork', undefined, remembered(2));
  });

  it('9: a freeze', async () => {
    await verify(newest, { now: new Date('2026-03-19T16:02:00Z') });
    await tell(newest, 'expired', POINTER, { now: new Date('2026-03-19T16:02:01Z') });
  });

  it("10: another version's file or manifest", async () => {
    const data = older.get(pathIn(older, 'blended/2026'));
    expect(data).not.toEqual(newest.get(BLENDED));
    await expect(verify(changed({ [BLENDED]: data }))).rejects.toMatchObject({ path: BLENDED });
    await tell(changed({ [MANIFEST]: older.get(manifestPathIn(older)) }), 'hash', MANIFEST);
    await expect(verify(changed({ 'manifest.json': older.get('manifest.json') }))).rejects.toMatchObject({
      path: 'manifest.json',
    });
    await tell(changed({ checkpoint: older.get('checkpoint') }), 'copy', 'checkpoint');
    await expect(
      verify(changed({ 'day/2026-01-06.json': older.get('day/2026-01-06.json') })),
    ).rejects.toMatchObject({
      path: 'day/2026-01-06.json',
    });
  });

  it('11: a provider dropped', async () => {
    const manifest = manifestIn(newest);
    const files = manifest.files.filter(({ table }) => table !== 'observations');
    await tell(changed({ [MANIFEST]: manifestBytes({ ...manifest, files }) }), 'hash', MANIFEST);
  });

  it.each(['blended/../2026', '/blended/2026', 'blended/2026'])(
    '11: a path %s that no further file may have',
    async (stem) => {
      const manifest = manifestIn(newest);
      const file = manifest.files.find(({ path }) => path === BLENDED);
      if (!file) throw new Error('no file');
      const forged = { ...file, path: BLENDED.replace('blended/2026', stem) };
      const files = [...manifest.files, forged].sort((one, other) => (one.path < other.path ? -1 : 1));
      await tell(changed({ [MANIFEST]: manifestBytes({ ...manifest, files }) }), 'hash', MANIFEST);
      const signed = new Map(newest);
      await signManifest(signed, { ...manifest, files }, { size: 3, now: THIRD });
      await tell(signed, 'path', /./);
    },
  );

  it('12: a day, latest.json or an old record', async () => {
    const replace = (path: string, from: string, to: string) => {
      const text = newest.get(path)?.toString('latin1').replace(from, to) ?? '';
      return changed({ [path]: Buffer.from(text, 'latin1') });
    };
    await tell(replace('day/2026-01-02.json', '157', '158'), 'day', 'day/2026-01-02.json');
    await tell(replace('latest.json', '158', '159'), 'copy', 'latest.json');
    await tell(replace('tile/entries/000.p/3', '"version":4711', '"version":4710'), 'log', 'tile/0/000.p/3');
  });

  it('a signed digest without its rows', async () => {
    const manifest = manifestIn(newest);
    const files = manifest.files.filter(({ path }) => path !== BLENDED);
    const signed = new Map(newest);
    await signManifest(signed, { ...manifest, files }, { size: 3, now: THIRD });
    await tell(signed, 'digest');
  });

  it('signed rates of another base', async () => {
    const { files, manifest } = await withBlended((rows) => ({ ...rows, base: rows.base.map(() => 'EUR') }));
    await signManifest(files, manifest, { size: 3, now: THIRD });
    await tell(files, 'rows', /^blended/);
  });

  it('keys that did not sign', async () => {
    const other = makeSigningKey(KEY.origin, Buffer.alloc(32, 8));
    const forged = (text: string) => changed({ 'keys.txt': Buffer.from(text) });
    await tell(forged(`${KEY.verifier.text}\n${other.verifier.text}\n`), 'copy', 'keys.txt');
    await tell(forged(`${other.verifier.text}\n`), 'signature', 'keys.txt');
    await tell(forged(''), 'signature', 'keys.txt');
    const both = new Map(newest);
    await publishRates(both, RATES, { version: 4714, size: 3, now: THIRD, keys: [KEY, other] });
    for (const key of [KEY, other]) {
      await verify(both, { keys: [key.verifier] });
      await tell(changed({ 'keys.txt': Buffer.from(`${key.verifier.text}\n`) }, both), 'copy', 'keys.txt', {
        keys: [key.verifier],
      });
    }
  });
});

/** What changes in its place. */
const IN_PLACE = [...written].flatMap(([path, bytes]) =>
  newest.has(path) && !isSame(newest.get(path), bytes) && path !== POINTER ? [path] : [],
);

it('believes each copy of the state that is being written, and of no other', () =>
  fc.assert(
    fc.asyncProperty(fc.subarray(IN_PLACE), async (paths) => {
      const between = changed(Object.fromEntries(paths.map((path) => [path, written.get(path)])), writing);
      for (const [path, bytes] of written) if (!between.has(path)) between.set(path, bytes);
      expect((await verify(between, remembered(2))).record.version).toBe(4713);
      // The reader opened the pointer before it was replaced.
      const late = memoryFiles(changed({ [NEXT_POINTER]: undefined }, between));
      let isFirst = true;
      const racing = {
        read: (path: string, limit: { most: number }) => {
          if (path !== POINTER || isFirst) {
            if (path === POINTER) isFirst = false;
            return late.read(path, limit);
          }
          return memoryFiles(written).read(path, limit);
        },
      };
      const trust = { keys: [KEY.verifier], now: new Date('2026-03-17T17:00:00Z') };
      expect((await verifyPublication(racing, trust)).record.version).toBe(4713);
    }),
    propertyRuns(60),
  ));

it('does not believe copies of a state whose pointer nobody signed', async () => {
  const pointer = parsePointer(textIn(writing, NEXT_POINTER));
  const other = makeSigningKey(KEY.origin, Buffer.alloc(32, 8));
  const forged = new Map(newest);
  await publishRates(forged, RATES, {
    version: 4714,
    size: 3,
    now: FOURTH,
    keys: [other],
    pointerPath: NEXT_POINTER,
  });
  const copy = { 'latest.json': written.get('latest.json') };
  await verify(changed(copy, changed({}, merged(writing, written))));
  await expect(verify(changed(copy, forged))).rejects.toMatchObject({ path: 'latest.json' });
  const unproven = encodePointer({ ...pointer, proof: [] });
  const cut = changed({ ...copy, [NEXT_POINTER]: Buffer.from(unproven) }, merged(writing, written));
  await expect(verify(cut)).rejects.toMatchObject({ path: 'latest.json' });
});

/** The first files, with those of the second that they lack. */
function merged(files: Files, others: Files): Files {
  return new Map([...others, ...files]);
}

const PATHS = [...new Set([...newest.keys(), ...older.keys(), ...writing.keys()])];
const path = fc.constantFrom(...PATHS);
const edit = fc.oneof(
  fc.record({ kind: fc.constant('flip' as const), path, at: fc.nat(), bit: fc.integer({ min: 0, max: 7 }) }),
  fc.record({ kind: fc.constant('cut' as const), path, at: fc.nat() }),
  fc.record({
    kind: fc.constant('append' as const),
    path,
    bytes: fc.uint8Array({ minLength: 1, maxLength: 40 }),
  }),
  fc.record({ kind: fc.constant('repeat' as const), path }),
  fc.record({ kind: fc.constant('delete' as const), path }),
  fc.record({ kind: fc.constant('swap' as const), path, other: path }),
  fc.record({ kind: fc.constant('of another state' as const), path, at: fc.nat(4) }),
  fc.record({ kind: fc.constant('all of another state' as const), at: fc.nat(4), keep: fc.subarray(PATHS) }),
);

it('tells every edit, or the publication is exactly one that was signed', () =>
  fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), fc.nat(2), async (edits, seen) => {
      const files = edits.reduce(apply, new Map(newest));
      const before = remembered(seen);
      let version: number;
      try {
        ({
          record: { version },
        } = await verify(files, before));
      } catch (error) {
        expect(error).toMatchObject({ name: 'PublicationError', fault: expect.any(String) });
        return;
      }
      const signed = [...states, written][version - 4711] ?? new Map();
      const next = [...states, written][version - 4710];
      expect(version - 4711).toBeGreaterThanOrEqual(seen);
      const { files: listed } = manifestIn(signed);
      for (const [path, bytes] of signed) {
        const isUsed =
          path.startsWith('day/') ||
          !path.includes('/') ||
          path === manifestPathIn(signed) ||
          listed.some((file) => file.path === path) ||
          partialTiles(version - 4710).includes(path);
        // What was replaced may have been deleted.
        if (!isUsed && !files.has(path)) continue;
        const isSigned = isSame(files.get(path), bytes) || isSame(files.get(path), next?.get(path));
        expect({ path, isSigned }).toEqual({ path, isSigned: true });
      }
    }),
    propertyRuns(1_000),
  ));

function apply(files: Files, change: typeof edit extends fc.Arbitrary<infer Edit> ? Edit : never): Files {
  const others = [...states, writing, written];
  if (change.kind === 'all of another state') {
    const kept = Object.fromEntries(change.keep.map((path) => [path, files.get(path)]));
    return changed(kept, others[change.at]);
  }
  const bytes = files.get(change.path);
  if (!bytes) return files;
  switch (change.kind) {
    case 'flip':
      return changed({ [change.path]: flip(bytes, change.at, change.bit) }, files);
    case 'cut':
      return changed({ [change.path]: bytes.subarray(0, change.at % bytes.length) }, files);
    case 'append':
      return changed({ [change.path]: Buffer.concat([bytes, change.bytes]) }, files);
    case 'repeat':
      return changed({ [change.path]: Buffer.concat([bytes, bytes]) }, files);
    case 'delete':
      return changed({ [change.path]: undefined }, files);
    case 'swap':
      return changed({ [change.path]: files.get(change.other), [change.other]: bytes }, files);
    case 'of another state':
      return changed({ [change.path]: others[change.at]?.get(change.path) }, files);
  }
}

function isSame(one: Buffer | undefined, other: Buffer | undefined): boolean {
  return one !== undefined && other !== undefined && one.compare(other) === 0;
}

function flip(bytes: Buffer = Buffer.alloc(0), at: number, bit: number): Buffer {
  const copy = Buffer.from(bytes);
  const place = at % copy.length;
  copy.writeUInt8(copy.readUInt8(place) ^ (1 << bit), place);
  return copy;
}
