import { columnsOf, type NamedSeries } from '../../../core/columns/columns.js';
import type { Manifest, ManifestFile } from '../../../core/publication/open-publication.js';
import { checkDigest } from '../../../core/publication/read-tables.js';
import { seriesIn } from '../../../core/publication/tables.js';
import {
  type Blends,
  blendsOf,
  nameOfVersion,
  receivedBlends,
  snapshotAfter,
  type WholeSnapshot,
} from '../snapshot/snapshot.js';
import { type PublishedFile, readAll, rowGroupsOf } from './files.js';

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
  const blends = await readBlended({
    files: await readAll(blended, read),
    digest: isKept ? undefined : digest,
  });
  const version = BigInt(data.version);
  const at = Date.parse(data.instant);
  const change = { version, name: nameOfVersion(version, at), at };
  return { ...snapshotAfter(change, receivedBlends(blends)), manifest: hash };
}

interface WholeBlend {
  /** The files to read, oldest first. */
  files: readonly PublishedFile[];
  /** The signed digest; absent if the files are already verified. */
  digest: Manifest['digest'] | undefined;
}

/** Runs in a thread, as it takes tens of milliseconds. Throws a PublicationError if rates do not match the digest. */
export type ReadBlended = (whole: WholeBlend) => Promise<Blends>;

export const readBlended: ReadBlended = async ({ files, digest }) => {
  const series: NamedSeries[] = [];
  for await (const group of rowGroupsOf('blended', files, ['date', 'quote', 'rate']))
    series.push(...seriesIn(group));
  const blends = blendsOf(columnsOf(series));
  if (digest) checkDigest(blends, digest);
  return blends;
};
