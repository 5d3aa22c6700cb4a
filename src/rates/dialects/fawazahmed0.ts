import { z } from 'zod';
import { isCurrency, namesOf } from '../../../core/domain/currencies.js';
import { type CalendarDate, isCalendarDate } from '../../../core/domain/dates.js';
import { HttpError } from '../../http/errors.js';
import type { Content } from '../../http/reply.js';
import { errorResponses, LOADING, TOO_MANY } from '../../openapi/responses.js';
import { excerpt } from '../../parameters/excerpt.js';
import {
  codeIn,
  type Dialect,
  type DialectAnswer,
  type DialectRequest,
  type DialectRoute,
} from './dialect.js';
import { figures } from './figures.js';
import { jsonBody } from './json-body.js';

const DIGITS = 8;

/** Static files of daily rates, as fawazahmed0's exchange-api publishes them: https://github.com/fawazahmed0/exchange-api */
export const fawazahmed0: Dialect = {
  segment: 'fawazahmed0',
  routes: ['/fawazahmed0/npm/@fawazahmed0/currency-api@:date', '/fawazahmed0/:date'].flatMap(filesBelow),
  errors: errorResponses({ 404: 'no file currencies/eu.json', ...TOO_MANY, 503: LOADING }),
};

function filesBelow(folder: string): DialectRoute[] {
  return [
    {
      path: `${folder}/v1/:file`,
      summary: "The currencies of fawazahmed0's exchange-api",
      schema: z.record(z.string(), z.string()),
      example: { aed: 'United Arab Emirates Dirham' },
      answer: namesIn,
    },
    {
      path: `${folder}/v1/currencies/:file`,
      summary: "The rates of a currency, as fawazahmed0's exchange-api has them",
      schema: z.looseObject({ date: z.iso.date() }),
      example: { date: '2026-03-04', eur: { aed: 4.27, eur: 1 } },
      answer: ratesIn,
    },
  ];
}

function namesIn({ params, today }: DialectRequest): DialectAnswer {
  const { name, write } = fileIn(params.file);
  if (name !== 'currencies') throw noFile(params.file);
  const wanted = { base: 'EUR', symbols: undefined, date: dayIn(params.date, today) };
  return {
    wanted,
    async write(read) {
      const { rates } = await read.ofDay(wanted);
      if (rates.length === 0) throw noFile(params.file);
      return write(inLowerCase(Object.entries(namesOf(rates.map(({ quote }) => quote)))));
    },
  };
}

function ratesIn({ params, today }: DialectRequest): DialectAnswer {
  const { name, write } = fileIn(params.file);
  const base = codeIn(name);
  if (!isCurrency(base)) throw noFile(params.file);
  const wanted = { base, symbols: undefined, date: dayIn(params.date, today) };
  return {
    wanted,
    async write(read) {
      const { date, rates } = await read.ofDay(wanted);
      if (rates.length === 0) throw noFile(params.file);
      return write({ date, [base.toLowerCase()]: inLowerCase(Object.entries(figures(rates, DIGITS))) });
    },
  };
}

/** Parses a file name into its stem and the format of its body. Throws an HttpError. */
function fileIn(file = ''): { name: string; write(value: unknown): Content } {
  const [, name, minified] = /^([a-z]+)(\.min)?\.json$/i.exec(file) ?? [];
  if (name === undefined) throw noFile(file);
  return { name, write: (value) => jsonBody(value, minified === undefined ? '\t' : 0) };
}

/** Parses a day such as `latest`, `2026-03-04` or `2026.3.4`; undefined for the newest. Throws an HttpError. */
function dayIn(text = '', today: CalendarDate): CalendarDate | undefined {
  if (text.toLowerCase() === 'latest') return undefined;
  const date = text.replace(/^(\d{4})\.(\d{1,2})\.(\d{1,2})$/, (_, ...[year, month, day]: string[]) =>
    [year, month?.padStart(2, '0'), day?.padStart(2, '0')].join('-'),
  );
  if (!isCalendarDate(date) || date > today) throw new HttpError(404, `no files of ${excerpt(text)}`);
  return date;
}

function noFile(file = ''): HttpError {
  return new HttpError(404, `no file ${excerpt(file)}`);
}

function inLowerCase<T>(entries: readonly (readonly [code: string, value: T])[]): Record<string, T> {
  return Object.fromEntries(entries.map(([code, value]) => [code.toLowerCase(), value]));
}
