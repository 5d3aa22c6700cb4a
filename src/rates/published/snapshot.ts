import { setImmediate as othersFirst } from 'node:timers/promises';
import { type Columns, replaceWindow } from '../../../core/columns/columns.js';
import { daysOfYear } from '../../../core/domain/periods.js';
import { type BlendedPeriods, blendedPeriods, checkDigest } from '../../../core/publication/blend-digest.js';
import type { Manifest, ManifestFile } from '../../../core/publication/manifest.js';
import { hashMonths } from '../snapshot/month-hashes.js';
import { nameOfVersion, type WholeSnapshot } from '../snapshot/snapshot.js';
import { type BlendedFile, daysIn, type ReadBlended } from './read-blended.js';

/** A snapshot, and the publication that it was made from. */
interface MadeFrom {
  manifest: Manifest;
  snapshot: WholeSnapshot;
}

/** How a snapshot is made. */
interface Making {
  /** The hash of the manifest. */
  hash: string;
  read(file: ManifestFile): Promise<Buffer>;
  /** Reads all rates. */
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
  { hash, ...making }: Making,
): Promise<WholeSnapshot> {
  const { day, week, month } = await readPeriods(manifest, making);
  const { data } = manifest;
  const version = BigInt(data.version);
  const knownAt = Date.parse(data.instant);
  const name = nameOfVersion(version, knownAt);
  const span = { from: day.days[0] ?? 0, to: day.days.at(-1) ?? 0 };
  return {
    version: name,
    manifest: hash,
    dataVersion: version,
    days: day,
    weeks: week,
    months: month,
    // What caused it is not published.
    changes: [{ version, name, ...span, provider: null, at: knownAt }],
    knownAt,
  };
}

async function readPeriods(
  manifest: Manifest,
  { read, readBlended, current, isKept }: Omit<Making, 'hash'>,
): Promise<BlendedPeriods> {
  const { digest } = manifest;
  const listed = blendedFiles(manifest);
  if (!current)
    return readBlended({ files: await readAll(listed, read), digest: isKept ? undefined : digest });
  const changed = changedYears(current.manifest, manifest);
  const days = changed
    ? await replaceYears(current.snapshot.days, changed, await readAll(ofYears(listed, changed), read))
    : current.snapshot.days;
  await othersFirst();
  const periods = blendedPeriods(days);
  await checkDigest(periods, digest, () => othersFirst());
  return periods;
}

function readAll(files: readonly ManifestFile[], read: Making['read']): Promise<BlendedFile[]> {
  return Promise.all(
    files.map(async (file) => ({ path: file.path, rows: file.rows, content: await read(file) })),
  );
}

async function replaceYears(old: Columns, changed: Years, files: readonly BlendedFile[]): Promise<Columns> {
  const [{ from }, { to }] = [daysOfYear(changed.from), daysOfYear(changed.to)];
  const days = replaceWindow(old, await daysIn(files), from, to);
  hashMonths(days, { columns: old, from, to });
  return days;
}

/** Years, both included. */
interface Years {
  from: number;
  to: number;
}

/** The first and the last year of which both do not have the same file; undefined where there is none. */
function changedYears(before: Manifest, after: Manifest): Years | undefined {
  const [old, current] = [blendedFiles(before), blendedFiles(after)];
  const onlyIn = (files: readonly ManifestFile[], others: readonly ManifestFile[]) =>
    files.filter(({ sha256 }) => !others.some((other) => other.sha256 === sha256));
  const years = [...onlyIn(old, current), ...onlyIn(current, old)].map(yearOf);
  return years.length === 0 ? undefined : { from: Math.min(...years), to: Math.max(...years) };
}

function ofYears(files: readonly ManifestFile[], { from, to }: Years): ManifestFile[] {
  return files.filter((file) => yearOf(file) >= from && yearOf(file) <= to);
}

function blendedFiles({ files }: Manifest): ManifestFile[] {
  return files.filter(({ table }) => table === 'blended');
}

/** `blended/2026.<h>.parquet`. */
function yearOf({ path }: ManifestFile): number {
  return Number(/\/(\d{4})\./.exec(path)?.[1]);
}
