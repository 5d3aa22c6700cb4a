import type { Drawing } from './line-chart.js';
import type { Writing } from './messages.js';
import { periodOf, type SeriesRequest, type Span, startOf } from './requests.js';
import { type DatedRate, drawnOf, type RateRow } from './rows.js';

export interface Fact {
  rate: string;
  when: string;
}

export type ChartTexts = NonNullable<ReturnType<typeof chartTexts>>;

/** For rows with the oldest first; undefined without rows. */
export function chartTexts(rows: readonly RateRow[], request: SeriesRequest, writing: Writing) {
  const drawn = drawnOf(rows);
  const [first] = drawn;
  const newest = drawn.at(-1);
  if (!first || !newest) return undefined;
  const { formats } = writing;
  const known = rows.filter(({ stats }) => stats?.first !== null);
  const lows = known.map(({ date, rate, stats }) => ({ date, rate: stats?.low ?? rate }));
  const highs = known.map(({ date, rate, stats }) => ({ date, rate: stats?.high ?? rate }));
  const share = newest.rate / first.rate - 1;
  const fact = ({ date, rate }: DatedRate): Fact => ({
    rate: formats.shown(rate),
    when: whenOf(date, request.span, writing),
  });
  return {
    newest: { rate: formats.shown(newest.rate), when: formats.shortDate(newest.date) },
    // A single rate has not changed since another one.
    change: first === newest ? undefined : changeSince(share, first.date, request, writing),
    direction: directionOf(share),
    low: fact(lows.reduce((low, one) => (one.rate < low.rate ? one : low))),
    high: fact(highs.reduce((high, one) => (one.rate > high.rate ? one : high))),
  };
}

/** Why the chart has fewer days than its span: its rates begin later, or end earlier. Empty if it is whole. */
export function shortNote({ request, rows, start, hasEnded }: Drawing, { formats, say }: Writing): string {
  const last = drawnOf(rows).at(-1);
  if (!last) return '';
  const wanted = startOf(request);
  const notes = [
    start > wanted && say('chart.begins', { date: formats.date(start) }),
    hasEnded && say('chart.ends', { date: formats.date(last.date) }),
  ];
  return notes.filter(Boolean).join(' ');
}

export function whenOf(date: string, span: Span, { formats, say }: Writing): string {
  const period = periodOf(span);
  if (period === 'month') return formats.month(date);
  return period === 'week' ? say('chart.weekOf', { date: formats.shortDate(date) }) : formats.shortDate(date);
}

/** Since the start of the span if a week or month begins before it. */
function changeSince(share: number, date: string, request: SeriesRequest, { formats, say }: Writing): string {
  const isDay = periodOf(request.span) === 'day';
  const start = startOf(request);
  const day = isDay ? formats.shortDate(date) : formats.month(date < start ? start : date);
  return say(isDay ? 'chart.sinceDay' : 'chart.sinceMonth', { change: formats.change(share), day });
}

/** A change that is shown as 0.00% has no direction. */
export function directionOf(share: number): 'up' | 'down' | 'same' {
  if (Math.abs(share) < 0.00005) return 'same';
  return share > 0 ? 'up' : 'down';
}
