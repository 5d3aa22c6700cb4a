import { type Columns, columnsOf, replaceWindow } from '../../../core/columns/columns.js';
import { blendedPeriods, meansOf } from '../../../core/columns/means.js';
import { decodeSeries } from '../../../core/database/bulk/decode-series.js';
import { type DayWindow, firstDayOf, lastDayOf } from '../../../core/domain/periods.js';
import { hashMonths } from './month-hashes.js';
import type { PeriodColumns } from './rows.js';

/** Blended days with the means of their weeks and months. The hashes of their months are known. */
export type Blends = Required<PeriodColumns>;

/** The days to replace (day numbers, both included), and the blends that have them. */
export interface Replaced {
  readonly old: Blends;
  readonly window: DayWindow;
}

/** Takes what `copyBlendedSeries` copies: the days of the window, or all days. */
export type ReplaceBlends = (chunks: AsyncIterable<Buffer>, replaced?: Replaced) => Promise<Blends>;

export const replaceBlends: ReplaceBlends = async (chunks, replaced) => {
  const read = columnsOf(await decodeSeries(chunks));
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
};
