import type { CalendarDate } from '../domain/dates.js';
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

/** Which rates to select. Absent fields do not filter. */
export interface RowFilter {
  providers?: readonly string[] | undefined;
  /** On either side of the pair. */
  currencies?: readonly string[] | undefined;
  /** First and last observation date. */
  from?: CalendarDate | undefined;
  to?: CalendarDate | undefined;
}

/** A condition, or a value without a condition. */
type Condition = Sql | undefined | false | '';

/** The conditions for rows with `provider`, `date`, `base` and `quote`. */
export function rowConditions({ providers, currencies, from, to }: RowFilter): Condition[] {
  const codes = currencies && sql`${arrayOf(currencies)}::varchar[]`;
  return [
    providers && sql`provider = any(${arrayOf(providers)}::varchar[])`,
    codes && sql`(base = any(${codes}) or quote = any(${codes}))`,
    from && sql`date >= ${from}::date`,
    to && sql`date <= ${to}::date`,
  ];
}

/** Further conditions after the first, each with `and` before it. */
export function and(conditions: readonly Condition[]): Sql {
  return conditions.reduce<Sql>((all, one) => (one ? sql`${all} and ${one}` : all), sql``);
}

/** Converts a calendar date to the Date that Prisma's typed client expects; `toCalendarDate` converts it back. */
export function toPrismaDate(date: CalendarDate): Date {
  return new Date(`${date}T00:00:00Z`);
}
