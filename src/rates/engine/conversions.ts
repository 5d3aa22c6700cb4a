import { converted } from '../../../core/domain/amount.js';
import { fromDayNumber } from '../../../core/domain/dates.js';
import { roundForStorage } from '../../../core/domain/rounding.js';
import { parameterError } from '../../http/errors.js';
import type { Conversion } from '../convert/converted-lines.js';
import type { Line } from '../convert/lines.js';
import type { PairRate } from '../snapshot/rows.js';
import type { LookUps } from './look-ups.js';
import type { ResolvedRequest } from './request.js';

/** What holds for all lines. */
interface LineOptions extends Pick<ResolvedRequest, 'providers'> {
  /** The day number of those without a day of their own; undefined for the newest. */
  day: number | undefined;
  isBefore: boolean;
}

/** A line at the newest rate as of its own day, or else as of the given one. */
export function convertLine(
  line: Line,
  { day, isBefore, providers }: LineOptions,
  { newest, find, missing }: LookUps,
): Conversion | { error: string } {
  const { base, quote } = line;
  const on = line.on?.day ?? day;
  const date = on ?? newest;
  const asked = date !== undefined && isBefore ? date - 1 : date;
  const found = asked === undefined ? undefined : find(base, quote, asked);
  if (date === undefined || !found)
    return { error: missing({ base, quote, on, isBefore, asked, providers }) };
  return conversionOf(line, date, found);
}

/** A line at a rate. `asked` is the day number that the rate was looked up for. */
export function conversionOf(
  { amount, base, quote, on }: Line,
  asked: number,
  { day, rate: found }: PairRate,
): Conversion {
  const rate = roundForStorage(found);
  const date = on?.date ?? fromDayNumber(asked);
  return {
    amount,
    base,
    quote,
    date,
    observed: day === asked ? date : fromDayNumber(day),
    rate,
    result: converted(amount, rate, quote),
  };
}

/** Whether the rate must be older than the day. Throws an HttpError 422 where there is no day. */
export function isBeforeIn({
  date,
  when,
}: {
  date?: string | undefined;
  when?: 'before' | undefined;
}): boolean {
  if (when !== undefined && date === undefined)
    throw parameterError(422, 'when', 'when needs date: add the day that the rate must be older than');
  return when === 'before';
}
