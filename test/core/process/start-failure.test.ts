import { expect, it } from 'vitest';
import { startFailure } from '../../../core/process/start-failure.js';

it('tells a server that takes too long from one that closes the connection', () => {
  const closed = new Error('Connection terminated unexpectedly');
  // As the driver's pool reports that connecting took too long.
  const timeout = new Error('Connection terminated due to connection timeout', { cause: closed });
  expect(startFailure(timeout)).toBe('the database does not answer in time');
  expect(startFailure(new Error('the migrations failed', { cause: timeout }))).toBe(
    'the database does not answer in time',
  );
  expect(startFailure(closed)).toMatch(/may not be PostgreSQL$/);
});
