import { hash } from 'node:crypto';
import * as z from 'zod';
import { PROVIDER_KEY } from '../domain/providers.js';
import { canonicalBytes, parseCanonical } from './canonical-json.js';
import { sha256 } from './log.js';
import { type Fault, PublicationError } from './publication-error.js';
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
