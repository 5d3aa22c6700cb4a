import { columnsOf, type NamedSeries } from '../../../core/columns/columns.js';
import { blendedPeriods } from '../../../core/columns/means.js';
import { seriesIn } from '../../../core/publication/blended-columns.js';
import { checkDigest } from '../../../core/publication/check-digest.js';
import type { Manifest } from '../../../core/publication/manifest.js';
import { type PackedBlends, packBlends } from '../snapshot/blends.js';
import { type PublishedFile, rowGroupsOf } from './files.js';

export interface WholeBlend {
  /** The files to read, oldest first. */
  files: readonly PublishedFile[];
  /** The signed digest; absent if the files are already verified. */
  digest: Manifest['digest'] | undefined;
}

/** Runs in a thread, as it takes tens of milliseconds. Throws a PublicationError if rates do not match the digest. */
export type ReadBlended = (whole: WholeBlend) => Promise<PackedBlends>;

export const readBlended: ReadBlended = async ({ files, digest }) => {
  const series: NamedSeries[] = [];
  for await (const group of rowGroupsOf('blended', files, ['date', 'quote', 'rate']))
    series.push(...seriesIn(group));
  const periods = blendedPeriods(columnsOf(series));
  if (digest) checkDigest(periods, digest);
  const { day, week, month } = periods;
  return packBlends({ days: day, weeks: week, months: month });
};
