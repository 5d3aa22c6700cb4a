import type * as z from 'zod';
import type { CalendarDate } from '../../../core/domain/dates.js';
import { roundForStorage } from '../../../core/domain/rounding.js';
import type { Cost } from '../../http/admission.js';
import { HttpError } from '../../http/errors.js';
import type { Content } from '../../http/reply.js';
import { excerpt } from '../../parameters/excerpt.js';
import type { Row } from '../snapshot/row.js';
import type { DayRates, Missing, RangeRates, RatesReader, WantedDay, WantedRange } from './dialect-rates.js';

/** The requests and responses of another service, served from the blended rates or those of one provider. */
export interface Dialect {
  readonly name: string;
  /** The path prefixes. Each contains all routes. All begin with the same segment. */
  readonly folders: readonly string[];
  readonly routes: readonly DialectRoute[];
  /** The descriptions of the query parameters of all routes, by name. `callback` makes any body a script. */
  readonly parameters?: Texts;
  /** The indentation of a body, in spaces or as a text. Bodies have one line if absent. */
  indent?(request: Pick<DialectRequest, 'query' | 'params'>): number | string;
  /** An example of each error, besides 429 and 503. */
  readonly errors: readonly HttpError[];
  /** Makes the error body that its clients expect, if not the default one. */
  errorBody?(error: Pick<HttpError, 'status' | 'dialectCode' | 'message'>): object;
}

type Texts = Readonly<Record<string, string>>;

export interface DialectRoute {
  /** The path below each of the folders, in the syntax of Express. */
  readonly path: string;
  /** If absent, it is made from the path. */
  readonly summary?: string;
  readonly parameters?: Texts;
  /** The parts of an example request that differ from the examples of the parameters. */
  readonly exampleOf?: Partial<DialectRequest>;
  /** The body of the example request, set by `withExamples`. */
  readonly example?: object;
  /** The schema of the response. If absent, it is derived from the example. */
  readonly schema?: z.ZodType;
  answer(request: DialectRequest): DialectAnswer;
}

export interface DialectRequest {
  /** The supported query parameters, trimmed; an empty one is absent. */
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly params: Texts;
  /** In UTC. */
  readonly today: CalendarDate;
}

/** How to respond to a request. `answer` and `body` throw an HttpError. A body is JSON, or else a `FileBody`. */
export interface DialectAnswer {
  /** The days that the body depends on. It is cached for as long as their rates. */
  readonly wanted: WantedDay | WantedRange;
  readonly cost?: Partial<Cost>;
  body(read: RatesReader): object | Promise<object>;
}

/** A body that is not JSON. */
export class FileBody {
  constructor(
    readonly type: string,
    readonly body: Content['body'],
  ) {}
}

export type Layout<Found> = (found: Found) => object;

/** Answers with the rates of a day. If there are none, the error is that of `missing`. */
export function ofDay(wanted: WantedDay, missing: Missing, layout: Layout<DayRates>): DialectAnswer {
  return { wanted, body: async (read) => layout(await read.ofDay(wanted, missing)) };
}

/** Answers with the rates of each day of a range, as `ofDay` does. */
export function ofRange(wanted: WantedRange, missing: Missing, layout: Layout<RangeRates>): DialectAnswer {
  return { wanted, body: async (read) => layout(await read.ofRange(wanted, missing)) };
}

/** An error with the code that the other service uses for it. */
export class DialectError extends HttpError {
  constructor(status: number, code: string | number, message: string) {
    super(status, message, { dialectCode: code });
  }
}

/** The error for rates that do not exist, of currencies that do. */
export function noRates(of: string): HttpError {
  return new HttpError(404, `no rates for ${of}`, { code: 'no_rates' });
}

/** The error for a file that a service does not have. */
export function noFile(file = ''): HttpError {
  return new HttpError(404, `no file ${excerpt(file)}`);
}

/** Rounds the twelve digits of `precision=full` to decimals, or significant digits below 0.1. Pegs keep their own. */
export function figure({ rate, published }: Pick<Row, 'rate' | 'published'>, digits = 6): number {
  const full = roundForStorage(rate);
  if (published) return full;
  return Number(full >= 0.1 ? full.toFixed(digits) : full.toPrecision(digits));
}

export function figures(rows: readonly Row[], digits?: number): Record<string, number> {
  return Object.fromEntries(rows.map((row) => [row.quote, figure(row, digits)]));
}
