import type { Writing } from './messages.js';
import { periodOf, type SeriesRequest, type Span, startOf } from './requests.js';
import { type DatedRate, type RateRow, summaryOf } from './rows.js';

/** A figure, and its day, week or month. */
export interface Fact {
  rate: string;
  when: string;
}

/** The texts beside a chart. */
export interface ChartTexts {
  newest: Fact;
  /** The change from the first rate to the newest. */
  change: string;
  direction: 'up' | 'down' | 'same';
  low: Fact;
  high: Fact;
}

/** Returns the texts of rows, oldest first; undefined without rows. */
export function chartTexts(
  rows: readonly RateRow[],
  request: SeriesRequest,
  writing: Writing,
): ChartTexts | undefined {
  const summary = summaryOf(rows);
  if (!summary) return undefined;
  const { formats } = writing;
  const { first, newest, low, high } = summary;
  const share = newest.rate / first.rate - 1;
  const fact = ({ date, rate }: DatedRate): Fact => ({
    rate: formats.shown(rate),
    when: whenOf(date, request.span, writing),
  });
  return {
    newest: { rate: formats.shown(newest.rate), when: formats.date(newest.date) },
    change: changeSince(share, first.date, request, writing),
    direction: directionOf(share),
    low: fact(low),
    high: fact(high),
  };
}

/** Formats the day, week or month of a row of a span. */
export function whenOf(date: string, span: Span, { formats, say }: Writing): string {
  const period = periodOf(span);
  if (period === 'month') return formats.month(date);
  return period === 'week' ? say('chart.weekOf', { date: formats.date(date) }) : formats.date(date);
}

/** The change since the first row, or since the start of the span if a week or month begins before it. */
function changeSince(share: number, date: string, request: SeriesRequest, { formats, say }: Writing): string {
  const change = formats.change(share);
  if (periodOf(request.span) === 'day') return say('chart.sinceDay', { change, day: formats.date(date) });
  const start = startOf(request);
  return say('chart.sinceMonth', { change, month: formats.month(date < start ? start : date) });
}

/** A change that is shown as 0.00% has no direction. */
export function directionOf(share: number): ChartTexts['direction'] {
  if (Math.abs(share) < 0.00005) return 'same';
  return share > 0 ? 'up' : 'down';
}
