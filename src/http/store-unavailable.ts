import { isUnavailable } from '../../core/database/errors.js';
import { HttpError } from './errors.js';

/** Throws an HttpError 503 if the error means that the database is unreachable, otherwise the error itself. */
export function storeUnavailable(error: unknown): never {
  if (!isUnavailable(error)) throw error;
  throw new HttpError(503, 'the store can not be reached', { headers: { 'retry-after': '5' }, cause: error });
}
