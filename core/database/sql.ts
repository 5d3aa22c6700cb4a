import { type CalendarDate, toCalendarDate } from '../domain/dates.js';
import { Prisma } from './generated/prisma/client.js';

/** A statement with its parameters, made by the `sql` tag: values in `${}` never become part of the text. */
export type Sql = Prisma.Sql;

export const sql = Prisma.sql;

/** Constant text, such as the name of a table, that becomes part of a statement unchanged. */
export const literally = Prisma.raw;

/**
 * Many codes, dates or numbers as one parameter, to be cast to the type of its array: `${arrayOf(dates)}::date[]`.
 * JavaScript arrays would be encoded element by element, which takes six times as long.
 */
export function arrayOf(values: readonly (string | number)[]): string {
  return `{${values.join()}}`;
}

/** A calendar date as Prisma's typed client takes it. */
export function toPrismaDate(date: CalendarDate): Date {
  return new Date(`${date}T00:00:00Z`);
}

/** A calendar date from what Prisma's typed client gives for it: midnight in UTC. */
export function fromPrismaDate(date: Date): CalendarDate {
  return toCalendarDate(date);
}
