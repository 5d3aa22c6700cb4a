import type { CalendarDate } from '../domain/dates.js';
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

export function and(conditions: readonly Condition[]): Sql {
  return conditions.reduce<Sql>((all, one) => (one ? sql`${all} and ${one}` : all), sql``);
}

/** A calendar date as Prisma's typed client expects it; `toCalendarDate` converts it back. */
export function toPrismaDate(date: CalendarDate): Date {
  return new Date(`${date}T00:00:00Z`);
}

/** An instant, in milliseconds since 1970, as an SQL literal. COPY takes no parameters. */
export function instantLiteral(milliseconds: number): string {
  return `'${new Date(milliseconds).toISOString()}'::timestamptz`;
}

/** Keys and codes as SQL literals, for COPY, which takes no parameters. Throws a RangeError for any other text. */
export function literals(words: readonly string[]): string {
  return words
    .map((word) => {
      if (!/^[A-Z]{2,16}$/.test(word)) throw new RangeError(`neither a key nor a code: ${word}`);
      return `'${word}'`;
    })
    .join(', ');
}
