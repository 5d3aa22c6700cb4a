import { z } from 'zod';
import { isCurrency, namesOf } from '../../../core/domain/currencies.js';
import { type CalendarDate, isCalendarDate } from '../../../core/domain/dates.js';
import { HttpError } from '../../http/errors.js';
import { excerpt } from '../../parameters/excerpt.js';
import {
  codeIn,
  type Dialect,
  type DialectAnswer,
  type DialectRequest,
  ofDay,
  paddedDay,
} from './dialect.js';
import { figures } from './figures.js';

const DIGITS = 8;
const FILE = /^([a-z]+)(\.min)?\.json$/i;

/** Static files of daily rates, as fawazahmed0's exchange-api publishes them: https://github.com/fawazahmed0/exchange-api */
export const fawazahmed0: Dialect = {
  segment: 'fawazahmed0',
  name: "fawazahmed0's exchange-api",
  folders: ['/fawazahmed0/npm/@fawazahmed0/currency-api@:date', '/fawazahmed0/:date'],
  routes: [
    {
      path: 'v1/:file',
      summary: "The currencies of fawazahmed0's exchange-api",
      schema: z.record(z.string(), z.string()),
      exampleOf: { params: { date: 'latest', file: 'currencies.json' } },
      answer: namesIn,
    },
    {
      path: 'v1/currencies/:file',
      summary: "The rates of a currency, as fawazahmed0's exchange-api has them",
      schema: z.looseObject({ date: z.iso.date() }),
      answer: ratesIn,
    },
  ],
  indent: ({ params: { file = '' } }) => (FILE.exec(file)?.[2] === undefined ? '\t' : 0),
  errors: [noFile('currencies/eu.json')],
};

function namesIn({ params: { file, date }, today }: DialectRequest): DialectAnswer {
  if (nameOf(file) !== 'currencies') throw noFile(file);
  const wanted = { base: 'EUR', symbols: undefined, date: dayIn(date, today) };
  return ofDay(
    wanted,
    () => noFile(file),
    ({ rates }) => inLowerCase(namesOf(rates.map(({ quote }) => quote))),
  );
}

function ratesIn({ params: { file, date: day }, today }: DialectRequest): DialectAnswer {
  const base = codeIn(nameOf(file));
  if (!isCurrency(base)) throw noFile(file);
  const wanted = { base, symbols: undefined, date: dayIn(day, today) };
  return ofDay(
    wanted,
    () => noFile(file),
    ({ date, rates }) => ({
      date,
      [base.toLowerCase()]: inLowerCase(figures(rates, DIGITS)),
    }),
  );
}

/** Returns the stem of a file name. Throws an HttpError. */
function nameOf(file = ''): string {
  const [, name] = FILE.exec(file) ?? [];
  if (name === undefined) throw noFile(file);
  return name;
}

/** Parses a day such as `latest`, `2026-03-04` or `2026.3.4`; undefined for the newest. Throws an HttpError. */
function dayIn(text = '', today: CalendarDate): CalendarDate | undefined {
  if (text.toLowerCase() === 'latest') return undefined;
  const date = text.replace(/^(\d{4})\.(\d{1,2})\.(\d{1,2})$/, (_, ...[year, month, day]: string[]) =>
    paddedDay(year, month, day),
  );
  if (!isCalendarDate(date) || date > today) throw new HttpError(404, `no files of ${excerpt(text)}`);
  return date;
}

function noFile(file = ''): HttpError {
  return new HttpError(404, `no file ${excerpt(file)}`);
}

function inLowerCase<T>(byCode: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(byCode).map(([code, value]) => [code.toLowerCase(), value]));
}
