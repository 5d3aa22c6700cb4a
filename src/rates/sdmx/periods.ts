import {
  type DayWindow,
  dayNumber,
  firstDayOf,
  fromDayNumber,
  isCalendarDate,
  LAST_DAY,
  lastDayOf,
  mondayOf,
  type Period,
} from '../../../core/domain/dates.js';

/** The periods of the codes of FREQ, and the approximate number of days of each. */
export const FREQUENCIES = {
  A: { period: 'year', days: 365 },
  D: { period: 'day', days: 1 },
  M: { period: 'month', days: 30 },
  Q: { period: 'quarter', days: 91 },
  W: { period: 'week', days: 7 },
} as const satisfies Record<string, { period: Period; days: number }>;

export type Frequency = keyof typeof FREQUENCIES;

const THURSDAY = 3;
const DAYS_OF_WEEK = 7;

/** Formats the period from a day (day number): `2026-03-17`, `2026-W12`, `2026-03`, `2026-Q1`, `2026`. */
export function timePeriod(frequency: Frequency, day: number): string {
  const date = fromDayNumber(day);
  if (frequency === 'D') return date;
  if (frequency === 'W') return weekOf(day);
  if (frequency === 'M') return date.slice(0, 7);
  const year = date.slice(0, 4);
  return frequency === 'A' ? year : `${year}-Q${Math.ceil(Number(date.slice(5, 7)) / 3)}`;
}

/** ISO 8601: a week belongs to the year that contains its Thursday. */
function weekOf(monday: number): string {
  const thursday = monday + THURSDAY;
  const year = fromDayNumber(thursday).slice(0, 4);
  const week = 1 + Math.floor((thursday - dayNumber(`${year}-01-01`)) / DAYS_OF_WEEK);
  return `${year}-W${String(week).padStart(2, '0')}`;
}

const TIME = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+ -]\d{2}:\d{2})?$/;
const PART = /^(\d{4})(?:-(Q(?=[1-4]$)|S(?=[12]$)|W(?=\d\d$)|(?=\d\d$))(\d+))?$/;
/** The months of a year, half-year, quarter and month, by the letter before their number. */
const MONTHS: Readonly<Record<string, number>> = { A: 12, S: 6, Q: 3, '': 1 };

/** Parses the forms of `timePeriod`, half-years such as `2026-S1`, and the day of a dateTime. Undefined for others. */
export function daysOfPeriod(text: string): DayWindow | undefined {
  const date = TIME.exec(text)?.[1] ?? text;
  if (isCalendarDate(date)) return { from: dayNumber(date), to: dayNumber(date) };
  const [, year, letter = 'A', digits = '1'] = PART.exec(text) ?? [];
  if (year === undefined || !isCalendarDate(`${year}-01-01`)) return undefined;
  const number = Number(digits);
  if (letter === 'W') {
    const monday = mondayOf(Number(year), number);
    if (monday === undefined) return undefined;
    const from = dayNumber(monday);
    return { from, to: Math.min(LAST_DAY, lastDayOf('week', from)) };
  }
  const { [letter]: months = 1 } = MONTHS;
  const firstOf = (month: number) => `${year}-${String(month).padStart(2, '0')}-01`;
  const [first, last] = [firstOf(months * (number - 1) + 1), firstOf(months * number)];
  if (!isCalendarDate(first)) return undefined;
  return { from: dayNumber(first), to: lastDayOf('month', dayNumber(last)) };
}

const CONDITION = /^(?:(ge|le):)?(.+)$/;

/** Parses a period, or conditions such as `ge:2026-03+le:2026-04`, whose plus arrives as a space. Undefined for others. */
export function daysWithin(text: string) {
  let [from, to]: (number | undefined)[] = [];
  for (const condition of text.split(/[+ ]/)) {
    const [, operator, period = ''] = CONDITION.exec(condition) ?? [];
    const found = daysOfPeriod(period);
    if (!found) return undefined;
    if (operator !== 'le') ({ from } = found);
    if (operator !== 'ge') ({ to } = found);
  }
  return { from, to };
}

/** The whole periods whose first day is in the given days; undefined if there is none. */
export function periodsWithin(frequency: Frequency, days: DayWindow): DayWindow | undefined {
  const { period } = FREQUENCIES[frequency];
  const first = firstDayOf(period, days.from);
  const from = first === days.from ? first : lastDayOf(period, days.from) + 1;
  return from > days.to ? undefined : { from, to: lastDayOf(period, days.to) };
}
