import { isUnavailable } from '../../../core/database/errors.js';
import { HttpError } from '../../http/errors.js';

/** Converts an error to a 503 if the database can't be reached; returns any other error as it is. */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof HttpError || !isUnavailable(error)) return error;
  return new HttpError(
    503,
    'the store can not be reached; rates of all providers together are still served',
    { headers: { 'retry-after': '5' }, cause: error },
  );
}
