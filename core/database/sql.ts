import { type CalendarDate, toCalendarDate } from '../domain/dates.js';
import { Prisma } from './generated/prisma/client.js';

/** A statement with its parameters, made by the `sql` tag. Values in `${}` never become part of the text. */
export type Sql = Prisma.Sql;

export const sql = Prisma.sql;

/** Constant text, such as the name of a table, that becomes part of a statement unchanged. */
export const literally = Prisma.raw;

/**
 * Encodes many codes, dates or numbers as one parameter, to be cast to an array type: `${arrayOf(dates)}::date[]`. The
 * driver would encode a JavaScript array element by element, which takes six times as long.
 */
export function arrayOf(values: readonly (string | number)[]): string {
  return `{${values.join()}}`;
}

/** Converts a calendar date to the Date that Prisma's typed client expects. */
export function toPrismaDate(date: CalendarDate): Date {
  return new Date(`${date}T00:00:00Z`);
}

/** Converts a Date from Prisma's typed client, midnight in UTC, to a calendar date. */
export function fromPrismaDate(date: Date): CalendarDate {
  return toCalendarDate(date);
}
