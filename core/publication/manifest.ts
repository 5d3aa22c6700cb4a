import { z } from 'zod';
import { PROVIDER_KEY } from '../domain/providers.js';
import { canonicalBytes } from './canonical-json.js';
import { PublicationError } from './publication-error.js';

const FORMAT = 'almanac-publication/1';
/** More than a publication of centuries has. */
const MOST_FILES = 20_000;
/** The longest file, in bytes. */
export const MOST_BYTES = 1_000_000_000;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
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
  /** Who signs: the name of the keys. */
  origin: z.string().min(1),
  /** Where the live API is. */
  api: z.url({ protocol: /^https?$/ }).nullable(),
  /** The data version that was published, and its instant. */
  data: z.strictObject({ instant: z.iso.datetime(), version: count }),
  /** Of all blended rates, as the command `digest` prints them. */
  digest: z.strictObject({ day: periodDigest, week: periodDigest, month: periodDigest }),
  /** By path. */
  files: z.array(file).max(MOST_FILES),
  /** By which rates are blended: see docs/decisions/0015-blend-method.md. */
  method: count,
  /** The SHA-256 of the manifest before; null in the first one of a log. */
  previous: sha256.nullable(),
  /** The version of the program that wrote it. */
  software: z.string(),
});

/** What a publication consists of. */
export type Manifest = z.infer<typeof manifest>;

/** A file of a publication, which the manifest proves. */
export type ManifestFile = Manifest['files'][number];

/** A manifest as it is written: canonical JSON (RFC 8785). */
export function manifestBytes(content: Omit<Manifest, 'format'>): Buffer {
  return canonicalBytes({ format: FORMAT, ...content });
}

/**
 * Reads a manifest. Throws a PublicationError: `manifest` where it is none, or is not canonical, `path` where it names a file
 * that a publication may not have, or one twice.
 */
export function parseManifest(bytes: Buffer): Manifest {
  const parsed = manifest.safeParse(parseJson(bytes));
  if (!parsed.success) throw new PublicationError('manifest', z.prettifyError(parsed.error));
  const content = parsed.data;
  if (!manifestBytes(content).equals(bytes)) throw new PublicationError('manifest', 'is not canonical JSON');
  content.files.forEach((one, index) => {
    const { path } = one;
    if (!isPathOf(one)) throw new PublicationError('path', 'is no path of such a file', { path });
    const before = content.files[index - 1]?.path ?? '';
    if (path === before) throw new PublicationError('path', 'is named twice', { path });
    if (path < before) throw new PublicationError('path', 'is not in order', { path });
  });
  return content;
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch (cause) {
    throw new PublicationError('manifest', 'is not JSON', { cause });
  }
}

/** A file that never changes: its name has the beginning of its hash. */
export function hashedPath(stem: string, sha256OfFile: string): string {
  return `${stem}.${sha256OfFile.slice(0, 16)}.parquet`;
}

/** The folders of files that never change; manifests first, which name the others. */
export const HASHED_FOLDERS = ['manifests', 'blended', 'observations', 'revisions'];
const HASH_IN_PATH = /(?:^|[/.])([0-9a-f]{16}|[0-9a-f]{64})\.\w+$/;

/** The digits with which the hash of a file that never changes must begin, by its name; undefined for other files. */
export function hashInPath(path: string): string | undefined {
  return HASH_IN_PATH.exec(path)?.[1];
}

const YEAR = /^\d{4}$/;

/** Whether a file may have this path: every program takes it as that of a file in its folder. */
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
