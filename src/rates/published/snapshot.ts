import { packColumns } from '../../../core/columns/columns.js';
import { type DayWindow, daysOfYear, EVER } from '../../../core/domain/periods.js';
import type { Manifest, ManifestFile } from '../../../core/publication/manifest.js';
import { unpackBlends } from '../snapshot/blends.js';
import { nameOfVersion, snapshotAfter, type WholeSnapshot } from '../snapshot/snapshot.js';
import { readAll } from './files.js';
import type { ReadBlended } from './read-blended.js';

interface Making {
  hash: string;
  read(file: ManifestFile): Promise<Buffer>;
  readBlended: ReadBlended;
  current: { manifest: Manifest; snapshot: WholeSnapshot } | undefined;
  /** Whether it was made from the same files before. */
  isKept: boolean;
}

/** The result equals the database's to the last bit. Throws a PublicationError if the signed digest does not match. */
// Files of unchanged years are not read, and verified files are not verified again.
export async function publishedSnapshot(
  manifest: Manifest,
  { hash, read, readBlended, current, isKept }: Making,
): Promise<WholeSnapshot> {
  const { data, digest } = manifest;
  const changed = current ? changedDays(current.manifest, manifest) : EVER;
  const files = blendedFiles(manifest).filter((file) => {
    const { from, to } = daysOf(file);
    return from >= changed.from && to <= changed.to;
  });
  const old = current?.snapshot.days;
  const packed = await readBlended({
    files: await readAll(files, read),
    old: old && { days: packColumns(old), ...changed },
    digest: isKept ? undefined : digest,
  });
  const version = BigInt(data.version);
  const at = Date.parse(data.instant);
  const change = { version, name: nameOfVersion(version, at), at };
  return { ...snapshotAfter(change, unpackBlends(packed)), manifest: hash };
}

/** The window from the first to the last year whose files differ. If no file differs, the window ends before it begins. */
function changedDays(before: Manifest, after: Manifest): DayWindow {
  const files = [before, after].flatMap(blendedFiles);
  const isInOne = ({ sha256 }: ManifestFile) => files.filter((file) => file.sha256 === sha256).length === 1;
  const years = files.filter(isInOne).map(daysOf);
  return { from: Math.min(...years.map(({ from }) => from)), to: Math.max(...years.map(({ to }) => to)) };
}

function blendedFiles({ files }: Manifest): ManifestFile[] {
  return files.filter(({ table }) => table === 'blended');
}

/** The days of the year in a name such as `blended/2026.<h>.parquet`. */
function daysOf({ path }: ManifestFile): DayWindow {
  return daysOfYear(Number(/\/(\d{4})\./.exec(path)?.[1]));
}
