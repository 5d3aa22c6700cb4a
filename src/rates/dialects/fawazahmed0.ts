import * as z from 'zod';
import { isCurrency, namesOf } from '../../../core/domain/currencies.js';
import { type CalendarDate, isCalendarDate } from '../../../core/domain/dates.js';
import { HttpError } from '../../http/errors.js';
import { excerpt } from '../../parameters/excerpt.js';
import {
  type Dialect,
  type DialectAnswer,
  type DialectRequest,
  figures,
  type Layout,
  noFile,
  ofDay,
} from './dialect.js';
import type { DayRates } from './dialect-rates.js';
import { codeIn, paddedDay } from './parameters.js';

const DIGITS = 8;
const FILE = /^([a-z]+)(\.min)?\.json$/i;

/** Static files of daily rates, as fawazahmed0's exchange-api publishes them: https://github.com/fawazahmed0/exchange-api */
export const fawazahmed0: Dialect = {
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
      summary: "The rates of a currency, in the form of fawazahmed0's exchange-api",
      schema: z.looseObject({ date: z.iso.date() }),
      answer: ratesIn,
    },
  ],
  indent: ({ params: { file = '' } }) => (FILE.exec(file)?.[2] === undefined ? '\t' : 0),
  errors: [noFile('currencies/eu.json')],
};

function namesIn(request: DialectRequest): DialectAnswer {
  if (stemOf(request) !== 'currencies') throw noFile(request.params.file);
  return fileOf('EUR', request, ({ rates }) => inLowerCase(namesOf(rates.map(({ quote }) => quote))));
}

function ratesIn(request: DialectRequest): DialectAnswer {
  const base = codeIn(stemOf(request));
  if (!isCurrency(base)) throw noFile(request.params.file);
  return fileOf(base, request, ({ date, rates }) => {
    return { date, [base.toLowerCase()]: inLowerCase(figures(rates, DIGITS)) };
  });
}

/** The name of the file without its ending; undefined for another ending. */
function stemOf({ params: { file = '' } }: DialectRequest): string | undefined {
  return FILE.exec(file)?.[1];
}

function fileOf(base: string, { params, today }: DialectRequest, layout: Layout<DayRates>) {
  return ofDay({ base, date: dayIn(params.date, today) }, () => noFile(params.file), layout);
}

/** Parses a day such as `latest`, `2026-03-04` or `2026.3.4`; undefined for the newest. */
function dayIn(text = '', today: CalendarDate): CalendarDate | undefined {
  if (text.toLowerCase() === 'latest') return undefined;
  const [year, month, day] = text.split('.');
  const date = /^\d{4}\.\d{1,2}\.\d{1,2}$/.test(text) ? paddedDay(year, month, day) : text;
  if (!isCalendarDate(date) || date > today) throw new HttpError(404, `no files for ${excerpt(text)}`);
  return date;
}

function inLowerCase<T>(byCode: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(byCode).map(([code, value]) => [code.toLowerCase(), value]));
}
