import * as z from 'zod';
import { addDays, type CalendarDate, type Clock, today } from '../../../core/domain/dates.js';
import { isExcepted, providerOf } from '../../../core/domain/providers.js';
import { HttpError, parameterError } from '../../http/errors.js';
import type { RequestContext } from '../../http/route.js';
import { dateParameter } from '../../parameters/currency-parameters.js';
import { noSuchProvider } from '../../parameters/hints.js';
import { check } from '../../parameters/query.js';

/** The days to read again by default: those that banks still correct. */
export const USUAL_DAYS = 14;
/** No bank has earlier rates. */
export const FIRST_DAY: CalendarDate = '1940-01-01';

export const windowBody = z.strictObject({
  from: dateParameter.optional().meta({ description: `${USUAL_DAYS} days by default` }),
  to: dateParameter
    .optional()
    .meta({ description: 'By default, the newest day that the source has when the job runs' }),
});

/** Throws an HttpError 404 for a key that is unknown or excepted. */
export function providerKey(text = ''): string {
  const key = text.trim().toUpperCase();
  if (isExcepted(key))
    throw new HttpError(404, `PROVIDERS_EXCEPT leaves ${key} out`, { code: 'unknown_provider' });
  if (!providerOf(key)) throw noSuchProvider(key);
  return key;
}

/** Throws an HttpError if the window is invalid. */
export function readWindow(context: RequestContext, clock: Clock): { from: CalendarDate; to?: CalendarDate } {
  const { from: wanted, to } = check(windowBody, bodyOf(context));
  const now = today(clock);
  if (to !== undefined && to > now) throw parameterError(422, 'to', `to lies in the future: ${to}`);
  const from = wanted ?? addDays(to ?? now, 1 - USUAL_DAYS);
  if (from < FIRST_DAY) throw parameterError(422, 'from', `from is before ${FIRST_DAY}: ${from}`);
  if (from > (to ?? now)) {
    const end = to === undefined ? 'lies in the future' : `is after to, ${to}`;
    throw parameterError(422, 'from', `from ${end}: ${from}`);
  }
  return to === undefined ? { from } : { from, to };
}

/** A missing body counts as empty. The parser leaves a body undefined if it is not JSON. */
function bodyOf({ body, headers }: RequestContext): unknown {
  if (body !== undefined) return body;
  const length = headers['content-length'];
  const isSent = headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
  if (isSent) throw new HttpError(415, 'the body must be application/json');
  return {};
}
