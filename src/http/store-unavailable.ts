import { isUnavailable } from '../../core/database/errors.js';
import { HttpError } from './errors.js';

/** Throws an HttpError 503 for an error by which the database can't be reached; any other error as it is. */
export function storeUnavailable(error: unknown): never {
  if (!isUnavailable(error)) throw error;
  throw new HttpError(503, 'the store can not be reached', { headers: { 'retry-after': '5' }, cause: error });
}
