import { addDays, type CalendarDate, isWeekend } from '../../../core/domain/dates.js';

/** A figure as printed by a source: its day, its currency, and the price of one unit. */
interface DatedFigure {
  date: CalendarDate;
  code: string;
  price: number;
}

/**
 * The figures of weekends, as `DATE CODE`, that repeat the day before, or whose day before is missing, for a source that lists
 * every calendar day. Excludes different figures, such as of a Saturday that is a working day.
 */
export function repeatedOnWeekends(figures: readonly DatedFigure[]): ReadonlySet<string> {
  const prices = new Map(figures.map(({ date, code, price }) => [`${date} ${code}`, price]));
  const repeated = figures.filter(({ date, code, price }) => {
    const before = isWeekend(date) ? prices.get(`${addDays(date, -1)} ${code}`) : Number.NaN;
    return before === undefined || before === price;
  });
  return new Set(repeated.map(({ date, code }) => `${date} ${code}`));
}
