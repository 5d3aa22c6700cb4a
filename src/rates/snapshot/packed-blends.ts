import { type PackedColumns, packColumns, unpackColumns } from '../../../core/columns/columns.js';
import { type HashedMonth, hashedMonths, keepHashes } from './month-hashes.js';
import type { Blends } from './replace-blends.js';

/** The form stored in a local copy and exchanged by threads, with the hashes of the months. */
export interface PackedBlends extends Record<keyof Blends, PackedColumns> {
  readonly hashes: readonly HashedMonth[];
}

export function packBlends({ days, weeks, months }: Blends): PackedBlends {
  const hashes = hashedMonths(days);
  return { days: packColumns(days), weeks: packColumns(weeks), months: packColumns(months), hashes };
}

export function unpackBlends({ days, weeks, months, hashes }: PackedBlends): Blends {
  const unpacked = unpackColumns(days);
  keepHashes(unpacked, hashes);
  return { days: unpacked, weeks: unpackColumns(weeks), months: unpackColumns(months) };
}
