import { type CalendarDate, toCalendarDate } from '../domain/dates.js';
import { Prisma } from './generated/prisma/client.js';

/** A statement with its parameters, made by the `sql` tag: what stands in `${}` is never part of the text. */
export type Sql = Prisma.Sql;

export const sql = Prisma.sql;

/** Text of ours, such as the name of a table, that becomes part of a statement as it is. */
export const literally = Prisma.raw;

/**
 * Many codes, dates or numbers as one parameter, to be cast to the type of its array: `${arrayOf(dates)}::date[]`.
 * Handed over as JavaScript arrays they would be encoded one by one, which takes six times as long.
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
