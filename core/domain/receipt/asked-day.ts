import { type CalendarDate, dayNumber, fromDayNumber } from '../dates.js';
import { daysToPick, lastAskedDay } from '../day-pick.js';
import { periodStart, type ValidityPeriod } from '../validity.js';
import { type Asked, pickedBy } from './address.js';

/** The days on which an official rate that is valid on the requested day may have been set. */
export function validDays(asked: Asked, found: number, period: ValidityPeriod) {
  const to = lastAskedDay(pickedBy(asked), found);
  return { from: dayNumber(periodStart(period, fromDayNumber(to))), to };
}

/** Checks that the address can select a rate of this day. */
export function differenceOfDay(
  asked: Asked,
  date: CalendarDate,
  period?: ValidityPeriod,
): string | undefined {
  const found = dayNumber(date);
  const picked = daysToPick(pickedBy(asked));
  const { from, to } = period && asked.pick !== 'next' ? validDays(asked, found, period) : picked;
  return found >= from && found <= to ? undefined : `url: does not ask for a rate of ${date}`;
}
