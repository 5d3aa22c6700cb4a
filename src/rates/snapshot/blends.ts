import {
  type Columns,
  columnsOf,
  type NamedSeries,
  packColumns,
  replaceWindow,
  unpackColumns,
} from '../../../core/columns/columns.js';
import { type BlendedPeriods, meansOf } from '../../../core/columns/means.js';
import { type DayWindow, firstDayOf, lastDayOf } from '../../../core/domain/periods.js';
import { type HashedMonth, hashMonths } from './month-hashes.js';
import type { PeriodColumns } from './rows.js';

/** Blended days with the means of their weeks and months. */
export interface Blends extends Required<PeriodColumns> {
  /** The hashes of the days of each month. */
  readonly hashes: readonly HashedMonth[];
}

export function blendsOf({ day: days, week: weeks, month: months }: BlendedPeriods): Blends {
  return { days, weeks, months, hashes: hashMonths(days) };
}

/** Replaces the days of a window by those of the series. */
export function replaceBlends(old: Blends, series: readonly NamedSeries[], window: DayWindow): Blends {
  const days = replaceWindow(old.days, columnsOf(series), window.from, window.to);
  const withMeans = (period: 'week' | 'month', means: Columns) => {
    const [from, to] = [firstDayOf(period, window.from), lastDayOf(period, window.to)];
    return replaceWindow(means, meansOf(days, period, { from, to }), from, to);
  };
  return {
    days,
    weeks: withMeans('week', old.weeks),
    months: withMeans('month', old.months),
    hashes: hashMonths(days, { hashes: old.hashes, window }),
  };
}

/** The form stored in a local copy and exchanged by threads. */
export type PackedBlends = ReturnType<typeof packBlends>;

export function packBlends({ days, weeks, months, hashes }: Blends) {
  return { days: packColumns(days), weeks: packColumns(weeks), months: packColumns(months), hashes };
}

export function unpackBlends({ days, weeks, months, hashes }: PackedBlends): Blends {
  return { days: unpackColumns(days), weeks: unpackColumns(weeks), months: unpackColumns(months), hashes };
}
