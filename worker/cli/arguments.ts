import { InvalidArgumentError } from 'commander';
import { type CalendarDate, isCalendarDate } from '../../core/domain/dates.js';
import { isExcepted, providerOf } from '../../core/domain/providers.js';

/** The path of a folder or a file. */
export function pathArgument(text: string): string {
  if (text === '') throw new InvalidArgumentError('It is empty: expected a path.');
  return text;
}

/** `YYYY-MM-DD`. */
export function dayArgument(text: string): CalendarDate {
  if (!isCalendarDate(text)) throw new InvalidArgumentError('Expected a day, YYYY-MM-DD.');
  return text;
}

const INSTANT = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** An instant with its offset, such as `2026-03-02T15:00Z`, or a day, which means its start in UTC. */
export function instantArgument(text: string): Date {
  const instant = new Date(text);
  const day = INSTANT.exec(text)?.[1];
  if (day === undefined || !isCalendarDate(day) || Number.isNaN(instant.getTime())) {
    throw new InvalidArgumentError('Expected a day, YYYY-MM-DD, or an instant, YYYY-MM-DDTHH:MMZ.');
  }
  return instant;
}

/** In any case. */
export function keyArgument(text: string): string {
  const key = text.toUpperCase();
  if (isExcepted(key)) throw new InvalidArgumentError('PROVIDERS_EXCEPT leaves it out.');
  if (!providerOf(key)) throw new InvalidArgumentError('There is no such provider: see docs/sources.md.');
  return key;
}
