import pg from 'pg';
import { type CalendarDate, type DayWindow, fromDayNumber } from '../domain/dates.js';
import { Prisma } from './generated/prisma/client.js';

/** Made by the `sql` tag. Values in `${}` never become part of the text. */
export type Sql = Prisma.Sql;

export const sql = Prisma.sql;

/** Constant text, such as a table's name, that becomes part of a statement unchanged. */
export const literally = Prisma.raw;

/** Encodes values as one parameter, cast as `${arrayOf(dates)}::date[]`; undefined is null. */
// The driver's arrays take six times as long.
export function arrayOf(values: readonly (string | number | undefined)[]): string {
  return `{${values.map((value) => value ?? 'null').join()}}`;
}

/** Rows as a table for a FROM clause: one column of the given type for each field, in their order. */
export function tableOf<Field extends string>(
  rows: readonly { [Name in NoInfer<Field>]?: string | number | undefined }[],
  types: Record<Field, string>,
): Sql {
  const columns = (Object.keys(types) as Field[]).map(
    (field) => sql`${arrayOf(rows.map((row) => row[field]))}::${literally(types[field])}[]`,
  );
  return sql`unnest(${Prisma.join(columns)})`;
}

/** Absent fields do not filter. */
export interface RowFilter {
  providers?: readonly string[] | undefined;
  /** On either side of the pair. */
  currencies?: readonly string[] | undefined;
  from?: CalendarDate | undefined;
  to?: CalendarDate | undefined;
}

type Condition = Sql | undefined | false | '';

export function rowConditions({ providers, currencies, from, to }: RowFilter): Condition[] {
  const codes = currencies && sql`${arrayOf(currencies)}::varchar[]`;
  return [
    providers && sql`provider = any(${arrayOf(providers)}::varchar[])`,
    codes && sql`(base = any(${codes}) or quote = any(${codes}))`,
    from && sql`date >= ${from}::date`,
    to && sql`date <= ${to}::date`,
  ];
}

/** The filter of a window of day numbers, unbounded where one is missing. */
export function filterOfDays({ from, to }: Partial<DayWindow>): Pick<RowFilter, 'from' | 'to'> {
  return {
    from: from === undefined ? undefined : fromDayNumber(from),
    to: to === undefined ? undefined : fromDayNumber(to),
  };
}

export function and(conditions: readonly Condition[]): Sql {
  return conditions.reduce<Sql>((all, one) => (one ? sql`${all} and ${one}` : all), sql``);
}

/** A calendar date as Prisma's typed client expects it; `toCalendarDate` converts it back. */
export function toPrismaDate(date: CalendarDate): Date {
  return new Date(`${date}T00:00:00Z`);
}

/** A statement with its values as literals, for COPY, which takes no parameters. */
export function withLiterals({ strings, values }: Sql): string {
  return strings.reduce((text, part, index) => `${text}${literalOf(values[index - 1])}${part}`);
}

function literalOf(value: unknown): string {
  if (typeof value === 'number') return String(value);
  return pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value));
}
