import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { HttpError } from '../../../../src/http/errors.js';
import { asUnavailable } from '../../../../src/rates/engine/with-snapshot.js';

describe('an error of a read', () => {
  it('is a 503 that says when to come back where the database can not be reached', () => {
    const cause = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    expect(asUnavailable(cause)).toMatchObject({
      status: 503,
      message: 'the store can not be reached; rates of all providers together are still served',
      headers: { 'retry-after': '5' },
      cause,
    });
  });

  it('stays what it is otherwise', () => {
    const syntax = Object.assign(new pg.DatabaseError('syntax', 0, 'error'), { code: '42601' });
    // Such a message tells of a lost connection in an error of the driver.
    const refusal = new HttpError(422, 'invalid currency: POOL');
    for (const error of [refusal, new Error('a fault'), syntax]) {
      expect(asUnavailable(error)).toBe(error);
    }
  });
});
