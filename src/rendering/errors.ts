import { DatabaseError, isUnavailable } from '../../core/database/errors.js';
import { errorMessages } from '../../core/process/error-message.js';
import { DataOutdated, HttpError } from '../http/errors.js';
import { RatesNeeded } from './published-ground.js';

/** Pass on what makers throw. */
export const { toMessage, toError } = errorMessages([HttpError, DataOutdated, DatabaseError, RatesNeeded]);

/** A 503 for an error of a database that can't be reached; any other error as it is. */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof HttpError || !isUnavailable(error)) return error;
  return new HttpError(
    503,
    'the store can not be reached; rates of all providers together are still served',
    { headers: { 'retry-after': '5' }, cause: error },
  );
}
