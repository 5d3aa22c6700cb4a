import {
  type Columns,
  columnsOf,
  type NamedSeries,
  packColumns,
  replaceWindow,
  unpackColumns,
} from '../../../core/columns/columns.js';
import { blendedPeriods, meansOf } from '../../../core/columns/means.js';
import { type DayWindow, firstDayOf, lastDayOf } from '../../../core/domain/periods.js';
import { hashedOf, hashMonths, keepHashes } from './month-hashes.js';
import type { PeriodColumns } from './rows.js';

/** Blended days with the means of their weeks and months. The hashes of their months are known. */
export type Blends = Required<PeriodColumns>;

/** Takes the series of the days to replace in older blends, or those of all days. */
export function replaceBlends(
  series: readonly NamedSeries[],
  replaced?: { old: Blends; window: DayWindow },
): Blends {
  const read = columnsOf(series);
  if (!replaced) {
    const { day: days, week: weeks, month: months } = blendedPeriods(read);
    hashMonths(days);
    return { days, weeks, months };
  }
  const { old, window } = replaced;
  const days = replaceWindow(old.days, read, window.from, window.to);
  hashMonths(days, { columns: old.days, ...window });
  const withMeans = (period: 'week' | 'month', means: Columns) => {
    const [from, to] = [firstDayOf(period, window.from), lastDayOf(period, window.to)];
    return replaceWindow(means, meansOf(days, period, { from, to }), from, to);
  };
  return { days, weeks: withMeans('week', old.weeks), months: withMeans('month', old.months) };
}

/** The form stored in a local copy and exchanged by threads, with the hashes of the months. */
export type PackedBlends = ReturnType<typeof packBlends>;

export function packBlends({ days, weeks, months }: Blends) {
  const { months: hashes } = hashedOf(days);
  return { days: packColumns(days), weeks: packColumns(weeks), months: packColumns(months), hashes };
}

export function unpackBlends({ days, weeks, months, hashes }: PackedBlends): Blends {
  const unpacked = unpackColumns(days);
  keepHashes(unpacked, hashes);
  return { days: unpacked, weeks: unpackColumns(weeks), months: unpackColumns(months) };
}
