import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { makeSigningKey } from '../../../core/publication/keys.js';
import { checkpointOf } from '../../../core/publication/log.js';
import {
  CHECKPOINT,
  hashedPath,
  type Manifest,
  manifestBytes,
  NEXT_CHECKPOINT,
  parseManifest,
} from '../../../core/publication/open-publication.js';
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
const LAST_RATES: Rates = { '2026-01-06': { EUR: 0.875, JPY: 158 } };
const [FIRST, SECOND, THIRD, FOURTH] = ['16:00', '16:01', '16:02', '16:03'].map(
  (time) => `2026-03-17T${time}:00.000Z`,
) as [string, string, string, string];

/** A publication after each of three data versions, the fourth that is begun, and the signed checkpoints. */
async function makeHistory() {
  const files: Files = new Map();
  const states: Files[] = [];
  const notes: string[] = [];
  const more: Rates[] = [{}, { '2026-01-06': { EUR: 0.875 } }, LAST_RATES];
  for (const [size, now] of [FIRST, SECOND, THIRD].entries()) {
    notes.push(await publishRates(files, { ...RATES, ...more[size] }, { version: 4711 + size, size, now }));
    states.push(new Map(files));
  }
  const last = { ...RATES, '2026-01-02': { EUR: 0.88, JPY: 157 }, '2026-01-07': { EUR: 0.9 } };
  const writing: Files = new Map(files);
  await publishRates(writing, last, { version: 4714, size: 3, now: FOURTH, path: NEXT_CHECKPOINT });
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

const TRUST = { keys: [KEY.verifier], now: new Date('2026-03-17T17:00:00Z') };
const verify = (files: Files, options: Partial<VerifyOptions> = {}) =>
  verifyPublication(memoryFiles(files), { ...TRUST, ...options });

const fails = (files: Files, fault: string, path?: string | RegExp, options: Partial<VerifyOptions> = {}) =>
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
/** The newest publication with another text in a file. */
function replaced(path: string, from: string, to: string): Files {
  const text = newest.get(path)?.toString('latin1') ?? '';
  expect(text).toContain(from);
  return changed({ [path]: Buffer.from(text.replace(from, to), 'latin1') });
}
const remembered = (at: number) => ({ remembered: checkpointOf(notes[at] ?? '') });

const LOG = 'log/2026.ndjson';
const BLENDED = pathIn(newest, 'blended/2026');
const MANIFEST = manifestPathIn(newest);
/** All that the newest publication consists of: the others were replaced. */
const USED = [...newest.keys()].filter((path) => {
  if (path.startsWith('manifests/')) return path === MANIFEST;
  if (path.endsWith('.parquet')) return manifestIn(newest).files.some((file) => file.path === path);
  return true;
});

it('finds nothing wrong with what was signed', async () => {
  for (const [size, files] of states.entries()) {
    const { record, manifest } = await verify(files, remembered(Math.max(0, size - 1)));
    expect(record.version).toBe(4711 + size);
    expect(manifest.files).toHaveLength(8);
  }
  await verify(newest, { quick: true });
});

/** The newest publication with other rows in its blended file, and the manifest that lists that under its new hash. */
async function withBlended(change: (rows: TableRows<'blended'>) => TableRows<'blended'>) {
  const manifest = manifestIn(newest);
  const bytes = newest.get(BLENDED) ?? Buffer.alloc(0);
  const rows = await readTable('blended', bytes, { path: BLENDED, most: 100 });
  const forged = writeTable('blended', change(rows));
  const sha256 = hash('sha256', forged, 'hex');
  const path = hashedPath('blended/2026', sha256);
  const files = manifest.files.map((file) =>
    file.path === BLENDED ? { ...file, path, sha256, bytes: forged.length } : file,
  );
  files.sort((one, other) => (one.path < other.path ? -1 : 1));
  return { files: changed({ [path]: forged }), manifest: { ...manifest, files } };
}
const withAnotherRate = () =>
  withBlended((rows) => ({ ...rows, rate: rows.rate.map((rate, at) => (at === 0 ? rate * 1.001 : rate)) }));

it('notices a byte of any file', () =>
  fc.assert(
    fc.asyncProperty(fc.constantFrom(...newest.keys()), fc.nat(), fc.nat(7), async (path, at, bit) => {
      await fails(changed({ [path]: flip(newest.get(path), at, bit) }), expect.any(String), /./);
    }),
    propertyRuns(500),
  ));

it.each(USED)('notices that %s is cut, missing or longer', async (path) => {
  const bytes = newest.get(path) ?? Buffer.alloc(0);
  // What is read before its length is known is refused for what is wrong in it.
  const isListed = !/^(log|manifests)\/|^checkpoint$|^keys.txt$/.test(path);
  const fault = isListed ? 'size' : expect.any(String);
  await fails(changed({ [path]: undefined }), 'missing', path);
  await fails(changed({ [path]: bytes.subarray(0, -1) }), fault, path);
  await fails(changed({ [path]: Buffer.concat([bytes, Buffer.of(0)]) }), fault, path);
});

it('notices a rate changed, file and manifest hashed anew', async () => {
  const { files, manifest } = await withAnotherRate();
  const bytes = manifestBytes(manifest);
  await fails(changed({ [MANIFEST]: bytes, 'manifest.json': bytes }, files), 'hash', MANIFEST);
});

it('notices the same with the record written anew, under the old signature', async () => {
  const { files, manifest } = await withAnotherRate();
  const note = await signManifest(files, manifest, { size: 2, now: THIRD });
  const [, signature] = String(notes[2]).split('\n\n');
  await fails(changed({ [CHECKPOINT]: newest.get(CHECKPOINT) }, files), 'log', LOG);
  const forged = Buffer.from(`${note.split('\n\n')[0]}\n\n${signature}`);
  await fails(changed({ [CHECKPOINT]: forged }, files), 'signature', CHECKPOINT);
});

it('notices another origin or size in the note', async () => {
  await fails(replaced(CHECKPOINT, '/almanac\n', '/almanak\n'), 'signature', CHECKPOINT);
  await fails(replaced(CHECKPOINT, '\n3\n', '\n2\n'), 'signature', CHECKPOINT);
});

it.each([
  ['blended/2026', expect.any(String)],
  ['manifest.json', expect.any(String)],
  ['day/2026-01-06.json', expect.any(String)],
])('notices %s of another version', async (stem, fault) => {
  const other = older.get(pathIn(older, stem) || stem);
  const path = pathIn(newest, stem) || stem;
  expect(other).not.toEqual(newest.get(path));
  await fails(changed({ [path]: other }), fault, path);
});

it('notices a day, latest.json or an old record', async () => {
  await fails(replaced('day/2026-01-02.json', '157', '158'), 'day', 'day/2026-01-02.json');
  await fails(replaced('latest.json', '158', '159'), 'copy', 'latest.json');
  await fails(replaced(LOG, '"version":4711', '"version":4710'), 'log', LOG);
});

it('notices records in the log that nobody signed', async () => {
  const forged = new Map(newest);
  const other = makeSigningKey(KEY.origin, Buffer.alloc(32, 8));
  await signManifest(forged, manifestIn(newest), { size: 3, now: FOURTH, keys: [other] });
  const message = `log: ${LOG}: has 4 records, of which 3 are signed`;
  await expect(verify(changed({ [LOG]: forged.get(LOG) }))).rejects.toThrow(message);
});

it('notices what is wrong, though it is signed: a digest without its rows, rates of another base', async () => {
  const manifest = manifestIn(newest);
  const files = manifest.files.filter(({ path }) => path !== BLENDED);
  const signed = new Map(newest);
  await signManifest(signed, { ...manifest, files }, { size: 3, now: THIRD });
  await fails(signed, 'digest');
  const based = await withBlended((rows) => ({ ...rows, base: rows.base.map(() => 'EUR') }));
  await signManifest(based.files, based.manifest, { size: 3, now: THIRD });
  await fails(based.files, 'rows', /^blended/);
});

it('notices that a table has fewer rows than its signed manifest says', async () => {
  const manifest = manifestIn(newest);
  const files = manifest.files.map((one) => (one.path === BLENDED ? { ...one, rows: one.rows + 1 } : one));
  const { rows } = manifest.files.find(({ path }) => path === BLENDED) ?? expect.fail('no file');
  const signed = new Map(newest);
  await signManifest(signed, { ...manifest, files }, { size: 3, now: THIRD });
  const message = `rows: ${BLENDED}: has ${rows} rows instead of ${rows + 1}`;
  await expect(verify(signed)).rejects.toMatchObject({ fault: 'rows', path: BLENDED, message });
});

it('notices keys that did not sign', async () => {
  const other = makeSigningKey(KEY.origin, Buffer.alloc(32, 8));
  const withKeys = (text: string, files = newest) => changed({ 'keys.txt': Buffer.from(text) }, files);
  await fails(withKeys(`${KEY.verifier.text}\n${other.verifier.text}\n`), 'copy', 'keys.txt');
  for (const text of [`${other.verifier.text}\n`, '']) await fails(withKeys(text), 'signature', 'keys.txt');
  const both = new Map(newest);
  await publishRates(
    both,
    { ...RATES, ...LAST_RATES },
    { version: 4714, size: 3, now: THIRD, keys: [KEY, other] },
  );
  for (const { verifier } of [KEY, other]) {
    await verify(both, { keys: [verifier] });
    await fails(withKeys(`${verifier.text}\n`, both), 'copy', 'keys.txt', { keys: [verifier] });
  }
});

/** A path with the hash of some bytes where it has one of 16 or 64 digits. */
const ownPath = (path: string, bytes: string) =>
  path.replace(/[0-9a-f]{64}|[0-9a-f]{16}/, (digits) => hash('sha256', bytes, 'hex').slice(0, digits.length));

it.each([
  ...['day/2030-01-01.json', 'day/2025-12-29.json', 'day/2026-01-06.json.gz', 'day/more/2026-01-06.json'],
  ...['index.html', '.hidden', '.well-known/keys.txt', 'keys.txt.old', 'LATEST.json'],
  // Under the hash that they have.
  ...[BLENDED, BLENDED.replace('2026', '2027'), BLENDED.replace('blended', 'observations/ECB'), MANIFEST],
  ...[
    BLENDED.replace('blended', 'revisions'),
    'observations/index.json',
    'manifests/index.json',
    'blended/x',
  ],
  ...[
    'log/2025.ndjson',
    'log/2027.ndjson',
    'log/2026.ndjson.gz',
    'log/index.json',
    'latest.tlog-proof',
    'tile/0/000',
  ],
])('notices an added file: %s', async (path) => {
  const added = ownPath(path, 'added');
  expect(newest.has(added)).toBe(false);
  await fails(changed({ [added]: Buffer.from('added') }), 'unnamed', added);
  await verify(changed({ [added]: Buffer.from('added') }), { quick: true });
});

it('notices any file beside those of a publication', () =>
  fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...newest.keys()),
      fc.constantFrom('copy/', '.', '.next', '.partial'),
      fc.constantFrom('~', '.gz', '/index', ''),
      async (path, before, after) => {
        const added = `${before}${path}${after}`;
        await fails(changed({ [added]: newest.get(path) }), 'unnamed', added);
      },
    ),
    propertyRuns(300),
  ));

it('does not believe a checkpoint of what comes next that nobody signed', async () => {
  await verify(changed({ [NEXT_CHECKPOINT]: older.get(CHECKPOINT) }));
  const other = makeSigningKey(KEY.origin, Buffer.alloc(32, 8));
  const forged = new Map(newest);
  const next = { size: 3, now: FOURTH, path: NEXT_CHECKPOINT } as const;
  await signManifest(forged, manifestIn(newest), { ...next, keys: [other] });
  await fails(changed({ [NEXT_CHECKPOINT]: forged.get(NEXT_CHECKPOINT) }), 'signature', NEXT_CHECKPOINT);
  await fails(changed({ [NEXT_CHECKPOINT]: Buffer.from('added') }), 'signature', NEXT_CHECKPOINT);
});

/** What changes in its place. */
const IN_PLACE = [...written].flatMap(([path, bytes]) =>
  newest.has(path) && !isSame(newest.get(path), bytes) && path !== CHECKPOINT ? [path] : [],
);

it('believes each copy of the state that is being written, and of no other', () =>
  fc.assert(
    fc.asyncProperty(fc.subarray(IN_PLACE), async (paths) => {
      const between = changed(Object.fromEntries(paths.map((path) => [path, written.get(path)])), writing);
      for (const [path, bytes] of written) if (!between.has(path)) between.set(path, bytes);
      expect((await verify(between, remembered(2))).record.version).toBe(4713);
      // The reader opened the checkpoint before it was replaced.
      const late = memoryFiles(changed({ [NEXT_CHECKPOINT]: undefined }, between));
      let isFirst = true;
      const racing = {
        read: (path: string, limit: { most: number }) => {
          if (path !== CHECKPOINT || isFirst) {
            if (path === CHECKPOINT) isFirst = false;
            return late.read(path, limit);
          }
          return memoryFiles(written).read(path, limit);
        },
      };
      expect((await verifyPublication(racing, TRUST)).record.version).toBe(4713);
    }),
    propertyRuns(60),
  ));

it('does not believe copies of a state whose checkpoint nobody signed, or whose record is not there', async () => {
  const other = makeSigningKey(KEY.origin, Buffer.alloc(32, 8));
  const forged = new Map(newest);
  const next = { version: 4714, size: 3, now: FOURTH, path: NEXT_CHECKPOINT } as const;
  await publishRates(forged, RATES, { ...next, keys: [other] });
  const copy = { 'latest.json': written.get('latest.json') };
  const between = new Map([...written, ...writing]);
  await verify(changed(copy, between));
  for (const files of [changed(copy, forged), changed({ ...copy, [LOG]: newest.get(LOG) }, between)])
    await expect(verify(files)).rejects.toMatchObject({ path: 'latest.json' });
});

const PATHS = [...new Set([...newest.keys(), ...older.keys(), ...writing.keys()])];
const OTHERS = [...states, writing, written];
/** A file is as in another state or in the place of another one, or all files but some are those of another state. */
const edit = fc.oneof(
  fc.record({ path: fc.constantFrom(...PATHS), of: fc.constantFrom(...OTHERS) }),
  fc.record({ path: fc.constantFrom(...PATHS), from: fc.constantFrom(...PATHS) }),
  fc.record({ all: fc.constantFrom(...OTHERS), keep: fc.subarray(PATHS) }),
);

it('notices every edit, or the publication is exactly one that was signed', () =>
  fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), fc.nat(2), async (edits, seen) => {
      const files = edits.reduce(apply, new Map(newest));
      const verified = await verify(files, remembered(seen)).catch((error: unknown) => {
        expect(error).toMatchObject({ name: 'PublicationError', fault: expect.any(String) });
      });
      if (!verified) return;
      const { version } = verified.record;
      const signed = [...states, written][version - 4711] ?? new Map();
      const next = [...states, written][version - 4710];
      expect(version - 4711).toBeGreaterThanOrEqual(seen);
      const { files: listed } = manifestIn(signed);
      for (const [path, bytes] of signed) {
        const isUsed =
          path.startsWith('day/') ||
          !path.includes('/') ||
          path === manifestPathIn(signed) ||
          path === LOG ||
          listed.some((file) => file.path === path);
        // What was replaced may have been deleted.
        if (!isUsed && !files.has(path)) continue;
        // A later log has more records.
        const found = path === LOG ? files.get(path)?.subarray(0, bytes.length) : files.get(path);
        const isSigned = isSame(found, bytes) || isSame(files.get(path), next?.get(path));
        expect({ path, isSigned }).toEqual({ path, isSigned: true });
      }
    }),
    propertyRuns(1_000),
  ));

function apply(files: Files, change: typeof edit extends fc.Arbitrary<infer Edit> ? Edit : never): Files {
  if ('of' in change) return changed({ [change.path]: change.of.get(change.path) }, files);
  if ('from' in change) return changed({ [change.path]: files.get(change.from) }, files);
  return changed(Object.fromEntries(change.keep.map((path) => [path, files.get(path)])), change.all);
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
