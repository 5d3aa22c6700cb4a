import { type CalendarDate, isCalendarDate } from '../../core/domain/dates.js';
import { excerpt } from './excerpt.js';

type Form = readonly [form: RegExp, order: readonly [year: number, month: number, day: number]];

/** Year, month and day in forms that can mean one date only: with points, the day comes first. */
const DATE_FORMS: readonly Form[] = [
  [/^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/, [1, 2, 3]],
  [/^(\d{4})(\d{2})(\d{2})$/, [1, 2, 3]],
  [/^(\d{1,2})\.(\d{1,2})\.(\d{4})$/, [3, 2, 1]],
];
const WITH_TIME: Form = [/^(\d{4})-(\d{2})-(\d{2})[T ]\d[\d:.]*(?:Z|[+-][\d:]+)?$/i, [1, 2, 3]];
const LONGEST = 40;

/** What is said of a text that is no date, behind the name of its parameter. */
export function invalidDate(text: string): string {
  return `must be YYYY-MM-DD: ${wrongDate(text, { forms: [...DATE_FORMS, WITH_TIME], otherwise: 'is no date' })}`;
}

/** What is said of a text that is neither an instant nor a date, behind the name of its parameter. */
export function invalidInstant(text: string): string {
  return `must be a date or an instant such as 2026-03-05T16:00:00Z: ${wrongDate(text, { forms: DATE_FORMS, otherwise: 'is neither' })}`;
}

/** What is said of a range whose first day is after its last one. */
export function fromAfterTo(from: CalendarDate, to: CalendarDate): string {
  return `from is after to: use from=${to}&to=${from}`;
}

/** How the date that a text may mean is written. */
function wrongDate(
  text: string,
  { forms, otherwise }: { forms: readonly Form[]; otherwise: string },
): string {
  const date = dateIn(text, forms);
  return date === undefined ? `${excerpt(text)} ${otherwise}` : `write ${date} for ${excerpt(text)}`;
}

/** The calendar date that a text in another form means; undefined where it may mean none, or several. */
function dateIn(text: string, forms: readonly Form[]): string | undefined {
  if (text.length > LONGEST) return undefined;
  for (const [form, order] of forms) {
    const parts = form.exec(text);
    if (!parts) continue;
    const [year = '', month = '', day = ''] = order.map((at) => parts[at]?.padStart(2, '0'));
    const date = `${year}-${month}-${day}`;
    return isCalendarDate(date) && date !== text ? date : undefined;
  }
  return undefined;
}
