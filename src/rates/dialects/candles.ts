import {
  addDays,
  type CalendarDate,
  earlier,
  isCalendarDate,
  lastOfMonth,
} from '../../../core/domain/dates.js';
import type { Row } from '../snapshot/row.js';
import { DialectError, figure } from './answers.js';
import type { RangeRates } from './dialect-rates.js';

/** Returns the day after a period that begins on the given day. */
const PERIODS = new Map<string, (from: CalendarDate) => CalendarDate>([
  ['1d', (from) => addDays(from, 1)],
  ['1w', (from) => addDays(from, 7)],
  ['1mo', sameDayOfNextMonth],
]);

/** The first and last day of a period of `ohlc.json`. Throws a DialectError. */
export function daysOfCandles(
  { start_time = '', period = '' }: Readonly<Record<string, string | undefined>>,
  today: CalendarDate,
): { from: CalendarDate; to: CalendarDate } {
  const [, from = ''] = /^([\d-]+)T00:00:00Z$/.exec(start_time) ?? [];
  if (!isCalendarDate(from)) {
    const message = 'start_time must be a midnight, such as 2026-03-02T00:00:00Z';
    throw new DialectError(400, 'invalid_start_time', message);
  }
  const after = PERIODS.get(period);
  if (!after) {
    const message = `period must be one of ${[...PERIODS.keys()].join(', ')}`;
    throw new DialectError(400, 'invalid_period_for_start_time', message);
  }
  if (from > today) throw new DialectError(400, 'not_available', `${from} is after today, ${today}`);
  return { from, to: addDays(after(from), -1) };
}

/** Candles over daily rates, sorted by code. */
export function candlesOf(days: RangeRates) {
  const byCode = new Map<string, Row[]>();
  for (const row of days.flatMap(({ rates }) => rates)) {
    byCode.set(row.quote, [...(byCode.get(row.quote) ?? []), row]);
  }
  const sorted = [...byCode].sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(sorted.map(([code, rows]) => [code, candleOf(rows)]));
}

/** The first, highest, lowest and last rate of the rows of one currency, ordered by day, and the mean of all. */
function candleOf(rows: readonly Row[]) {
  const shown = rows.map((row) => figure(row));
  const mean = rows.reduce((sum, { rate }) => sum + rate, 0) / rows.length;
  return {
    open: shown[0],
    high: Math.max(...shown),
    low: Math.min(...shown),
    close: shown.at(-1),
    average: figure({ rate: mean, published: rows.every(({ published }) => published) }),
  };
}

/** Returns the same day of the next month, or the last day of that month. */
function sameDayOfNextMonth(from: CalendarDate): CalendarDate {
  const next = addDays(lastOfMonth(from), 1);
  return earlier(`${next.slice(0, 8)}${from.slice(8)}`, lastOfMonth(next));
}
