import { HttpError } from './errors.js';

/** Throws the 503 of a request that needs the database. */
export function databaseUnavailable(cause: unknown): never {
  throw new HttpError(503, 'the database can not be reached', { cause, headers: { 'retry-after': '5' } });
}
