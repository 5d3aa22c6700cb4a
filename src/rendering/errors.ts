import { DatabaseError, isUnavailable } from '../../core/database/errors.js';
import { errorMessages } from '../../core/process/error-message.js';
import { DataOutdated, HttpError, unavailable } from '../http/errors.js';
import { RatesNeeded } from './published-context.js';

export const { toMessage, toError } = errorMessages([HttpError, DataOutdated, DatabaseError, RatesNeeded]);

/** Returns a 503 if the error means that the database is unreachable, otherwise the error itself. */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof HttpError || !isUnavailable(error)) return error;
  return unavailable('the store cannot be reached; rates of all providers together are still served', error);
}
