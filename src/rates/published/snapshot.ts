import { packColumns, unpackColumns } from '../../../core/columns/columns.js';
import { type DayWindow, daysOfYear } from '../../../core/domain/periods.js';
import type { Manifest, ManifestFile } from '../../../core/publication/manifest.js';
import { hashMonths } from '../snapshot/month-hashes.js';
import { nameOfVersion, type WholeSnapshot } from '../snapshot/snapshot.js';
import { readAll } from './files.js';
import type { ReadBlended } from './read-blended.js';

/** A snapshot, and the publication that it was made from. */
interface MadeFrom {
  manifest: Manifest;
  snapshot: WholeSnapshot;
}

interface Making {
  /** Of the manifest. */
  hash: string;
  read(file: ManifestFile): Promise<Buffer>;
  readBlended: ReadBlended;
  current: MadeFrom | undefined;
  /** Whether it was made from the same files before. */
  isKept: boolean;
}

/**
 * The snapshot of a publication: the same, to the last bit, as that of the database that it was made from. Weeks and months
 * are the means of its days. Of years that are as in the current one, no file is read. Throws a PublicationError where the
 * rates are not those that were signed, which is not looked at again in files that are kept.
 */
export async function publishedSnapshot(
  manifest: Manifest,
  { hash, read, readBlended, current, isKept }: Making,
): Promise<WholeSnapshot> {
  const { data, digest } = manifest;
  const changed = current ? changedDays(current.manifest, manifest) : EVER;
  const old = current?.snapshot.days;
  const { day, week, month } = await readBlended({
    files: await readAll(blendedFiles(manifest).filter(isWithin(changed)), read),
    old: old && { days: packColumns(old), ...changed },
    digest: isKept ? undefined : digest,
  });
  const days = unpackColumns(day);
  hashMonths(days, old && { columns: old, ...changed });
  const version = BigInt(data.version);
  const knownAt = Date.parse(data.instant);
  const name = nameOfVersion(version, knownAt);
  const span = { from: days.days[0] ?? 0, to: days.days.at(-1) ?? 0 };
  return {
    version: name,
    manifest: hash,
    dataVersion: version,
    days,
    weeks: unpackColumns(week),
    months: unpackColumns(month),
    // What caused it is not published.
    changes: [{ version, name, ...span, provider: null, at: knownAt }],
    knownAt,
  };
}

const EVER: DayWindow = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/** From the first to the last year of which both do not have the same file; a window that ends before it begins where there is none. */
function changedDays(before: Manifest, after: Manifest): DayWindow {
  const [old, current] = [blendedFiles(before), blendedFiles(after)];
  const onlyIn = (files: readonly ManifestFile[], others: readonly ManifestFile[]) =>
    files.filter(({ sha256 }) => !others.some((other) => other.sha256 === sha256));
  const years = [...onlyIn(old, current), ...onlyIn(current, old)].map(daysOf);
  return { from: Math.min(...years.map(({ from }) => from)), to: Math.max(...years.map(({ to }) => to)) };
}

function isWithin(window: DayWindow): (file: ManifestFile) => boolean {
  return (file) => daysOf(file).from >= window.from && daysOf(file).to <= window.to;
}

function blendedFiles({ files }: Manifest): ManifestFile[] {
  return files.filter(({ table }) => table === 'blended');
}

/** Those of the year in a name such as `blended/2026.<h>.parquet`. */
function daysOf({ path }: ManifestFile): DayWindow {
  return daysOfYear(Number(/\/(\d{4})\./.exec(path)?.[1]));
}
