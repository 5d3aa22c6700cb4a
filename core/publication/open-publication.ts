import { hash } from 'node:crypto';
import * as z from 'zod';
import { PROVIDER_KEY } from '../domain/providers.js';
import type { VerifierKey } from './keys.js';
import {
  type Checkpoint,
  type LogEnd,
  type LogLine,
  type LogRecord,
  MOST_CHECKPOINT_BYTES,
  openCheckpoint,
  readLog,
  sha256,
} from './log.js';
import {
  about,
  canonicalBytes,
  type Fault,
  ifMissing,
  ifRefused,
  PublicationError,
  parseCanonical,
} from './publication-error.js';
import type { PublicationFiles } from './publication-files.js';

const FORMAT = 'almanac-publication/1';
/** More files than a publication of centuries has. */
const MOST_FILES = 20_000;
export const MOST_BYTES = 1_000_000_000;

const count = z.number().int().nonnegative();
const periodDigest = z.strictObject({ rows: count, sha256 });

const file = z.strictObject({
  bytes: count.max(MOST_BYTES),
  path: z.string().max(200),
  rows: count,
  sha256,
  table: z.enum(['blended', 'observations', 'revisions', 'currencies', 'providers']),
});

const manifest = z.strictObject({
  format: z.literal(FORMAT),
  origin: z.string().min(1),
  api: z.url({ protocol: /^https?$/ }).nullable(),
  data: z.strictObject({ instant: z.iso.datetime(), version: count }),
  /** The digest of all blended rates, as printed by the command `digest`. */
  digest: z.strictObject({ day: periodDigest, week: periodDigest, month: periodDigest }),
  /** Sorted by path. */
  files: z.array(file).max(MOST_FILES),
  method: count,
  /** Null in the first one of a log. */
  previous: sha256.nullable(),
  software: z.string(),
});

export type Manifest = z.infer<typeof manifest>;

export type ManifestFile = Manifest['files'][number];

/** Canonical JSON (RFC 8785). */
export function manifestBytes(content: Omit<Manifest, 'format'>): Buffer {
  return canonicalBytes({ format: FORMAT, ...content });
}

/** Throws a PublicationError: `manifest` if invalid or not canonical, `path` for a forbidden or repeated path. */
export function parseManifest(bytes: Buffer): Manifest {
  const content = parseCanonical(manifest, bytes, 'manifest');
  content.files.forEach((one, index) => {
    const { path } = one;
    if (!isPathOf(one)) throw new PublicationError('path', 'is not the path of such a file', { path });
    const before = content.files[index - 1]?.path ?? '';
    if (path === before) throw new PublicationError('path', 'is named twice', { path });
    if (path < before) throw new PublicationError('path', 'is not in order', { path });
  });
  return content;
}

/** The path of an immutable file. Its name contains the start of its hash. */
export function hashedPath(stem: string, sha256OfFile: string): string {
  return `${stem}.${sha256OfFile.slice(0, 16)}.parquet`;
}

/** The folders of immutable files. Manifests come first, because they reference the others. */
export const HASHED_FOLDERS = ['manifests', 'blended', 'observations', 'revisions'];
const HASH_IN_PATH = /(?:^|[/.])([0-9a-f]{16}|[0-9a-f]{64})\.\w+$/;

export function hashInPath(path: string): string | undefined {
  return HASH_IN_PATH.exec(path)?.[1];
}

const YEAR = /^\d{4}$/;

/** Whether a file may have this path. Important because every program uses it as a path within its folder. */
function isPathOf({ path, table, sha256: hashOfFile }: ManifestFile): boolean {
  if (table === 'currencies' || table === 'providers') return path === `${table}.json`;
  const [folder = '', ...parts] = path.split('/');
  const name = parts.pop() ?? '';
  const stem = name.slice(0, -hashedPath('', hashOfFile).length);
  if (folder !== table || name !== hashedPath(stem, hashOfFile)) return false;
  if (table !== 'observations') return parts.length === 0 && YEAR.test(stem);
  const [key = '', ...deeper] = parts;
  return deeper.length === 0 && PROVIDER_KEY.test(key) && YEAR.test(stem.replace(/^to-/, ''));
}

/** Never reads past the expected length. Throws a PublicationError: `size`, or for the content `hash` or `fault`. */
export async function readExpected(
  files: PublicationFiles,
  { path, bytes, sha256 }: Pick<ManifestFile, 'path' | 'bytes' | 'sha256'>,
  fault: Fault = 'hash',
): Promise<Buffer> {
  const content = await files.read(path, { most: bytes });
  if (content.length !== bytes) {
    throw new PublicationError('size', `has ${content.length} bytes instead of ${bytes}`, { path });
  }
  if (hash('sha256', content, 'hex') !== sha256) {
    throw new PublicationError(fault, 'has another content than was signed', { path });
  }
  return content;
}

/** The signed state of the log, which leads to all other files. It is replaced last. */
export const CHECKPOINT = 'checkpoint';
/** The checkpoint of the publication whose copies are being written. It becomes the newest one. */
export const NEXT_CHECKPOINT = 'checkpoint.next';
/** In these folders a publisher prepares files before it moves or deletes them. */
export const [STAGED, PARTIAL] = ['.next', '.partial'] as const;
/** The number of records when the publisher's hook last succeeded. */
export const HOOK_DONE = '.hook';

const MOST_MANIFEST_BYTES = 16 * 1_048_576;

export function manifestPath(sha256: string): string {
  return `manifests/${sha256}.json`;
}

/** Throws a PublicationError if it is missing or has another hash. */
export async function readManifest(files: PublicationFiles, sha256: string) {
  const path = manifestPath(sha256);
  const bytes = await files.read(path, { most: MOST_MANIFEST_BYTES });
  if (hash('sha256', bytes, 'hex') !== sha256) {
    throw new PublicationError('hash', 'is not the manifest of this name', { path });
  }
  return { manifest: about(path, () => parseManifest(bytes)), bytes };
}

/** The manifests of records, and the files that those still there list: paths. Throws a PublicationError. */
export async function pathsNamedBy(
  files: PublicationFiles,
  records: Iterable<Pick<LogRecord, 'manifest'>>,
): Promise<Set<string>> {
  const paths = new Set<string>();
  for (const sha256 of new Set(Array.from(records, ({ manifest }) => manifest))) {
    paths.add(manifestPath(sha256));
    const found = await readManifest(files, sha256).catch(ifMissing);
    for (const { path } of found?.manifest.files ?? []) paths.add(path);
  }
  return paths;
}

export interface Trust {
  /** The trusted keys. At least one of them must have signed. */
  keys: readonly VerifierKey[];
  /** The log must continue this newest checkpoint seen so far. */
  remembered?: Checkpoint | undefined;
  now: Date;
  mayBeExpired?: boolean;
}

export interface Publication extends LogEnd {
  /** The signed checkpoint, to store for later comparison. */
  note: string;
  /** The known keys that signed it. */
  signers: readonly VerifierKey[];
  manifest: Manifest;
  manifestBytes: Buffer;
}

/**
 * Verifies the signature, the record and its age, that the log continues the remembered checkpoint, and the
 * manifest, which lists everything else with hashes. Throws a PublicationError with the fault. `read` is the
 * signed checkpoint, if it was already read.
 */
export async function openPublication(
  files: PublicationFiles,
  { keys, remembered, now, mayBeExpired = false }: Trust,
  { path = CHECKPOINT, read }: { path?: string; read?: string } = {},
): Promise<Publication> {
  const note = read ?? (await readNote(files, path));
  const { checkpoint, signers } = about(path, () => openCheckpoint(note, keys));
  const log = await readLog(files, checkpoint, { from: checkpoint.size - 1, now });
  const { expires, manifest: sha256, version } = log.record;
  if (new Date(expires) < now && !mayBeExpired) {
    throw new PublicationError('expired', `signed until ${expires}, and nothing newer since`, { path });
  }
  if (remembered) await checkContinues(files, log, remembered, now);
  const { manifest, bytes: manifestBytes } = await readManifest(files, sha256);
  if (manifest.origin !== checkpoint.origin || manifest.data.version !== version) {
    throw new PublicationError('record', 'is of another origin or version than its record', {
      path: manifestPath(sha256),
    });
  }
  return { ...log, note, signers, manifest, manifestBytes };
}

async function readNote(files: PublicationFiles, path: string): Promise<string> {
  return (await files.read(path, { most: MOST_CHECKPOINT_BYTES })).toString();
}

/** Undefined if there is none. Throws a PublicationError if none of the keys signed it. */
export async function readCheckpoint(
  files: PublicationFiles,
  path: string,
  keys: readonly VerifierKey[],
): Promise<Checkpoint | undefined> {
  const note = await readNote(files, path).catch(ifMissing);
  return note === undefined ? undefined : about(path, () => openCheckpoint(note, keys)).checkpoint;
}

/** Those after this one: being written, and newest. A file that changes in place may belong to one of these. */
export async function laterPublications(
  files: PublicationFiles,
  { checkpoint }: Publication,
  trust: Trust,
): Promise<Publication[]> {
  const later: Publication[] = [];
  for (const path of [NEXT_CHECKPOINT, CHECKPOINT]) {
    // If one is invalid, the file must belong to another one.
    const publication = await openPublication(files, { ...trust, remembered: checkpoint }, { path }).catch(
      ifRefused,
    );
    if (publication && publication.checkpoint.size > checkpoint.size) later.push(publication);
  }
  return later;
}

/** The checkpoint may be that of the log it replaces. Throws a PublicationError. */
async function checkContinues(
  files: PublicationFiles,
  log: LogEnd,
  before: Checkpoint,
  now: Date,
): Promise<void> {
  const { origin, size } = log.checkpoint;
  if (before.origin !== origin) {
    throw new PublicationError('fork', `the log is ${origin}, and was ${before.origin} before`);
  }
  const isKnown = ({ hash }: LogLine) => hash === before.hash;
  if (log.lines.some(isKnown)) return;
  const { lines } = await readLog(files, log.checkpoint, { from: 0, now });
  const replaced = lines[0]?.record.previous ?? null;
  if (replaced === before.hash || lines.some(isKnown)) return;
  const isReplacing = replaced === null ? '' : ', unless they are of the log that this one replaces';
  if (size < before.size) {
    const message = `the log has ${size} records, and had ${before.size} before: a rollback${isReplacing}`;
    throw new PublicationError('rolled-back', message);
  }
  throw new PublicationError(
    'fork',
    `the log of ${size} records does not begin with the ${before.size} seen before${isReplacing}`,
  );
}
