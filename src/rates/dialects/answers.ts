import { roundForStorage } from '../../../core/domain/rounding.js';
import { HttpError } from '../../http/errors.js';
import type { Content } from '../../http/reply.js';
import { excerpt } from '../../parameters/excerpt.js';
import type { Row } from '../snapshot/row.js';
import type { DialectAnswer } from './dialect.js';
import type { DayRates, Missing, RangeRates, WantedDay, WantedRange } from './dialect-rates.js';

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
