import { setImmediate as othersFirst } from 'node:timers/promises';
import { type Columns, columnsOf, type NamedSeries } from '../../../core/columns/columns.js';
import { type BlendedPeriods, blendedPeriods, checkDigest } from '../../../core/publication/blend-digest.js';
import { seriesIn } from '../../../core/publication/blended-columns.js';
import type { Manifest } from '../../../core/publication/manifest.js';
import { readRowGroups } from '../../../core/publication/read-row-groups.js';

/** A file of blended rates. */
export interface BlendedFile {
  path: string;
  rows: number;
  content: Uint8Array;
}

/** All blended rates of a publication. */
export interface WholeBlend {
  /** Oldest first. */
  files: readonly BlendedFile[];
  /** What was signed; absent where it is known to be right. */
  digest: Manifest['digest'] | undefined;
}

/** Weeks and months are the means of days. Throws a PublicationError where rates are not those that were signed. */
export type ReadBlended = (whole: WholeBlend) => Promise<BlendedPeriods>;

export const readBlended: ReadBlended = async ({ files, digest }) => {
  const periods = blendedPeriods(await daysIn(files));
  if (digest) await checkDigest(periods, digest, () => othersFirst());
  return periods;
};

/** The rates of days, with turns for others. Throws a PublicationError. */
export async function daysIn(files: readonly BlendedFile[]): Promise<Columns> {
  const columns = ['date', 'quote', 'rate'] as const;
  const series: NamedSeries[] = [];
  for (const { path, rows, content } of files) {
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
    for await (const group of readRowGroups('blended', bytes, { path, most: rows, columns }))
      series.push(...seriesIn(group));
    await othersFirst();
  }
  return columnsOf(series);
}
