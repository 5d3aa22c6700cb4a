import {
  type Columns,
  columnsOf,
  type NamedSeries,
  type PackedColumns,
  packColumns,
  replaceWindow,
  unpackColumns,
} from '../../../core/columns/columns.js';
import type { StoredPeriod } from '../../../core/domain/periods.js';
import { blendedPeriods, checkDigest } from '../../../core/publication/blend-digest.js';
import { seriesIn } from '../../../core/publication/blended-columns.js';
import type { Manifest } from '../../../core/publication/manifest.js';
import { type PublishedFile, rowGroupsOf } from './files.js';

/** The blended rates of a publication. */
export interface WholeBlend {
  /** Those to read, oldest first. */
  files: readonly PublishedFile[];
  /** The rates of an older publication, of which the files replace a window (day numbers, both ends included). */
  old?: { days: PackedColumns; from: number; to: number } | undefined;
  /** What was signed; absent where it is known to be right. */
  digest: Manifest['digest'] | undefined;
}

/**
 * Reads the rates of days, of which weeks and months are the means. It takes tens of milliseconds or more, so the API runs it in
 * a thread. Throws a PublicationError where rates are not those that were signed.
 */
export type ReadBlended = (whole: WholeBlend) => Promise<Readonly<Record<StoredPeriod, PackedColumns>>>;

export const readBlended: ReadBlended = async ({ files, old, digest }) => {
  const read = await daysIn(files);
  const days = old ? replaceWindow(unpackColumns(old.days), read, old.from, old.to) : read;
  const periods = blendedPeriods(days);
  if (digest) checkDigest(periods, digest);
  const { day, week, month } = periods;
  return { day: packColumns(day), week: packColumns(week), month: packColumns(month) };
};

async function daysIn(files: readonly PublishedFile[]): Promise<Columns> {
  const series: NamedSeries[] = [];
  for await (const group of rowGroupsOf('blended', files, ['date', 'quote', 'rate']))
    series.push(...seriesIn(group));
  return columnsOf(series);
}
