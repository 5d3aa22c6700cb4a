import { addDays, type CalendarDate, isWeekend } from '../../../core/domain/dates.js';

/** A figure as a source prints it: its day, its currency, and its price for one unit. */
interface DatedFigure {
  date: CalendarDate;
  code: string;
  price: number;
}

/**
 * The figures of weekends, as `DATE CODE`, that repeat the day before, of a source that lists every calendar day: the bank set none
 * on them. A figure of its own, of a Saturday that is a working day, is none of them. Where the day before is missing, it
 * is taken for a repetition.
 */
export function repeatedOnWeekends(figures: readonly DatedFigure[]): ReadonlySet<string> {
  const prices = new Map(figures.map(({ date, code, price }) => [`${date} ${code}`, price]));
  const repeated = figures.filter(({ date, code, price }) => {
    const before = isWeekend(date) ? prices.get(`${addDays(date, -1)} ${code}`) : Number.NaN;
    return before === undefined || before === price;
  });
  return new Set(repeated.map(({ date, code }) => `${date} ${code}`));
}
