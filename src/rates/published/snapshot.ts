import { setImmediate as othersFirst } from 'node:timers/promises';
import { type Columns, columnsOf, type NamedSeries, replaceWindow } from '../../../core/columns/columns.js';
import { daysOfYear } from '../../../core/domain/periods.js';
import { blendedPeriods, checkDigest } from '../../../core/publication/blend-digest.js';
import { seriesIn } from '../../../core/publication/blended-columns.js';
import type { Manifest, ManifestFile } from '../../../core/publication/manifest.js';
import { readRowGroups } from '../../../core/publication/read-row-groups.js';
import { hashAllMonths, keepMonthHashes } from '../snapshot/month-hashes.js';
import { nameOfVersion, type WholeSnapshot } from '../snapshot/snapshot.js';

/** A snapshot, and the publication that it was made from. */
export interface MadeFrom {
  manifest: Manifest;
  snapshot: WholeSnapshot;
}

/**
 * The snapshot of a publication: the same, to the last bit, as that of the database that it was made from. Weeks and months
 * are the means of its days. Of years that are as in the current one, no file is read. Throws a PublicationError where the
 * rates are not those that were signed.
 */
export async function publishedSnapshot(
  manifest: Manifest,
  read: (file: ManifestFile) => Promise<Buffer>,
  current?: MadeFrom,
): Promise<WholeSnapshot> {
  const { data, digest } = manifest;
  const days = await readDays(manifest, read, current);
  await othersFirst();
  const periods = blendedPeriods(days);
  await checkDigest(periods, digest, () => othersFirst());
  // Only entity tags need them: rates are served meanwhile.
  void hashAllMonths(days);
  const version = BigInt(data.version);
  const knownAt = Date.parse(data.instant);
  const name = nameOfVersion(version, knownAt);
  const span = { from: days.days[0] ?? 0, to: days.days.at(-1) ?? 0 };
  return {
    version: name,
    dataVersion: version,
    days,
    weeks: periods.week,
    months: periods.month,
    // What caused it is not published.
    changes: [{ version, name, ...span, provider: null, at: knownAt }],
    knownAt,
  };
}

async function readDays(
  manifest: Manifest,
  read: (file: ManifestFile) => Promise<Buffer>,
  current: MadeFrom | undefined,
): Promise<Columns> {
  const changed = current && changedYears(current.manifest, manifest);
  if (current && !changed) return current.snapshot.days;
  const files = blendedFiles(manifest).filter((file) => !changed || isWithin(yearOf(file), changed));
  const blended: NamedSeries[] = [];
  for (const file of files) {
    const { path, rows } = file;
    const columns = ['date', 'quote', 'rate'] as const;
    for await (const group of readRowGroups('blended', await read(file), { path, most: rows, columns }))
      blended.push(...seriesIn(group));
    await othersFirst();
  }
  const window = columnsOf(blended);
  if (!current || !changed) return window;
  const [{ from }, { to }] = [daysOfYear(changed.from), daysOfYear(changed.to)];
  const old = current.snapshot.days;
  const days = replaceWindow(old, window, from, to);
  keepMonthHashes(old, days, { from, to });
  return days;
}

/** The first and the last year of which both do not have the same file; undefined where there is none. */
function changedYears(before: Manifest, after: Manifest): { from: number; to: number } | undefined {
  const [old, current] = [blendedFiles(before), blendedFiles(after)];
  const onlyIn = (files: readonly ManifestFile[], others: readonly ManifestFile[]) =>
    files.filter(({ sha256 }) => !others.some((other) => other.sha256 === sha256));
  const years = [...onlyIn(old, current), ...onlyIn(current, old)].map(yearOf);
  return years.length === 0 ? undefined : { from: Math.min(...years), to: Math.max(...years) };
}

function isWithin(year: number, { from, to }: { from: number; to: number }): boolean {
  return year >= from && year <= to;
}

function blendedFiles({ files }: Manifest): ManifestFile[] {
  return files.filter(({ table }) => table === 'blended');
}

/** `blended/2026.<h>.parquet`. */
function yearOf({ path }: ManifestFile): number {
  return Number(/\/(\d{4})\./.exec(path)?.[1]);
}
