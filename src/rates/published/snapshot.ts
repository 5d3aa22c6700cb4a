import type { Manifest, ManifestFile } from '../../../core/publication/manifest.js';
import { unpackBlends } from '../snapshot/blends.js';
import { nameOfVersion, snapshotAfter, type WholeSnapshot } from '../snapshot/snapshot.js';
import { readAll } from './files.js';
import type { ReadBlended } from './read-blended.js';

interface Making {
  hash: string;
  read(file: ManifestFile): Promise<Buffer>;
  readBlended: ReadBlended;
  /** Whether it was made from the same files before. */
  isKept: boolean;
}

/** The result equals the database's to the last bit. Throws a PublicationError if the signed digest does not match. */
export async function publishedSnapshot(
  { data, digest, files }: Manifest,
  { hash, read, readBlended, isKept }: Making,
): Promise<WholeSnapshot> {
  const blended = files.filter(({ table }) => table === 'blended');
  const packed = await readBlended({
    files: await readAll(blended, read),
    digest: isKept ? undefined : digest,
  });
  const version = BigInt(data.version);
  const at = Date.parse(data.instant);
  const change = { version, name: nameOfVersion(version, at), at };
  return { ...snapshotAfter(change, unpackBlends(packed)), manifest: hash };
}
