import pg from 'pg';
import { expect, it } from 'vitest';
import { DatabaseError } from '../../../core/database/errors.js';
import { DataOutdated, HttpError } from '../../../src/http/errors.js';
import { asUnavailable, toError, toMessage } from '../../../src/rendering/errors.js';

/** As it arrives on the event loop. */
const sent = (thrown: unknown) => toError(structuredClone(toMessage(thrown)));

const parameters = [{ parameter: 'base', message: 'unknown currency' }];

it.each([
  new HttpError(404, 'no rate'),
  new HttpError(422, 'unknown currency', { parameters, dialectCode: 'invalid_base' }),
  new HttpError(503, 'not now', { headers: { 'retry-after': '5' }, code: 'unavailable', dialectCode: 7 }),
  new DataOutdated('the database does not have this data version'),
  new DatabaseError('relation "connections" does not exist', '42P01'),
])('%s keeps its class and its fields', (error) => {
  const copy = sent(error);
  expect(copy).toBeInstanceOf(error.constructor);
  expect({ ...copy }).toEqual({ ...error });
  expect([copy.message, copy.stack]).toEqual([error.message, error.stack]);
});

it('a cause arrives, whatever it holds', () => {
  const cause = Object.assign(new TypeError('a mistake'), { connection: () => undefined });
  const copy = sent(new HttpError(503, 'not now', { cause }));
  expect(copy).toBeInstanceOf(HttpError);
  expect(copy.cause).toMatchObject({ name: 'TypeError', message: 'a mistake', stack: cause.stack });
});

it('any other error arrives as one, and so does the reason of a signal', () => {
  const copy = sent(Object.assign(new RangeError('too long'), { what: () => 1 }));
  expect(copy).toBeInstanceOf(Error);
  expect(copy).toMatchObject({ name: 'RangeError', message: 'too long' });
  expect(sent(AbortSignal.abort().reason)).toMatchObject({ name: 'AbortError' });
});

it('a database that cannot be reached is a 503, also after an error has been passed on', () => {
  const refused = new DatabaseError('no more connections', '53300');
  for (const error of [refused, sent(refused), new Error('Connection terminated unexpectedly')])
    expect(asUnavailable(error)).toMatchObject({
      status: 503,
      headers: { 'retry-after': '5' },
      cause: error,
    });
});

it.each([
  new HttpError(404, 'no rate'),
  new TypeError('a mistake'),
  new pg.DatabaseError('division by zero', 0, 'error'),
  sent(new DatabaseError('relation "connections" does not exist', '42P01')),
])('any other error stays as it is: %s', (error) => {
  expect(asUnavailable(error)).toBe(error);
});
