import { setImmediate as othersFirst } from 'node:timers/promises';
import { blendedPeriods, digestOf } from '../../../core/publication/blend-digest.js';
import { createBlendedColumns } from '../../../core/publication/blended-columns.js';
import type { Manifest, ManifestFile } from '../../../core/publication/manifest.js';
import { PublicationError } from '../../../core/publication/publication-error.js';
import { readTable } from '../../../core/publication/read-table.js';
import { hashAllMonths } from '../snapshot/month-hashes.js';
import { nameOfVersion, type WholeSnapshot } from '../snapshot/snapshot.js';

/**
 * The snapshot of a publication: the same, to the last bit, as that of the database that it was made from. Weeks and months
 * are the means of its days. Throws a PublicationError where the rates are not those that were signed.
 */
export async function publishedSnapshot(
  { data, digest, files }: Manifest,
  read: (file: ManifestFile) => Promise<Buffer>,
): Promise<WholeSnapshot> {
  const blended = createBlendedColumns();
  for (const file of files.filter(({ table }) => table === 'blended')) {
    const { path, rows } = file;
    blended.add(await readTable('blended', await read(file), { path, most: rows }));
    await othersFirst();
  }
  const days = blended.finish();
  await othersFirst();
  const periods = blendedPeriods(days);
  const found = await digestOf(periods, () => othersFirst());
  for (const period of ['day', 'week', 'month'] as const) {
    if (found[period].sha256 !== digest[period].sha256 || found[period].rows !== digest[period].rows)
      throw new PublicationError('digest', `the rates of each ${period} are not those that were signed`);
  }
  for (const _ of hashAllMonths(days)) await othersFirst();
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
