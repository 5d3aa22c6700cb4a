import { expect, it } from 'vitest';
import { QueueFull, WaitTooLong } from '../../../core/concurrency/semaphore.js';
import { toHttpError } from '../../../src/http/error-reply.js';

it.each([new WaitTooLong('waited'), new QueueFull('full')])(
  'is the 503 of a service under load where a request waited for others: %o',
  (error) => {
    expect(toHttpError(error)).toMatchObject({
      status: 503,
      message: 'too much is asked for at once',
      headers: { 'retry-after': '2' },
      cause: error,
    });
  },
);
