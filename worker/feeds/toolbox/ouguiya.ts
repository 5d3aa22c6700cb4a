import type { CalendarDate } from '../../../core/domain/dates.js';

const NEW_OUGUIYA = '2018-01-01';

/** The ouguiya that the label MRO means on a day: banks went on printing it for the new one, of ten old. */
export function ouguiyaOf(date: CalendarDate): 'MRO' | 'MRU' {
  return date < NEW_OUGUIYA ? 'MRO' : 'MRU';
}
