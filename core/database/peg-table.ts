import { pegs } from '../domain/pegs.js';
import { arrayOf, sql } from './sql.js';

/** The pegs as rows (quote, base, rate, since, until) for a FROM clause. `until` is infinity for a peg without an end. */
export const pegTable = sql`unnest(
  ${arrayOf(pegs.map(({ quote }) => quote))}::varchar[],
  ${arrayOf(pegs.map(({ base }) => base))}::varchar[],
  ${arrayOf(pegs.map(({ rate }) => rate))}::float8[],
  ${arrayOf(pegs.map(({ since }) => since))}::date[],
  ${arrayOf(pegs.map(({ until }) => until ?? 'infinity'))}::date[]) as peg (quote, base, rate, since, until)`;
