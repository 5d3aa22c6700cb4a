import { expect, test } from 'vitest';
import { HttpClientError } from '../../../core/http-client/http-client-error.js';
import * as errors from '../../../worker/feeds/feed-error.js';
import { toError, toMessage } from '../../../worker/feeds/feed-error.js';

const { CredentialsRefused, ExchangedDate, FeedError } = errors;

/** As it arrives in another thread. */
const sent = (thrown: unknown) => toError(structuredClone(toMessage(thrown)));

const request = { method: 'GET', url: 'https://bank.example' } as const;

test.each([
  new FeedError('another layout', { cause: new RangeError('too long') }),
  new ExchangedDate('13/13'),
  new HttpClientError('connection', request, 'could not be reached'),
  new CredentialsRefused('no', { cause: new HttpClientError('status', request, 'refused', { status: 403 }) }),
  new HttpClientError('status', request, 'responded with status 429', { status: 429, retryAfterMs: 10 }),
])('%s keeps its class, its fields and its cause', (error) => {
  const copy = sent(error);
  expect(copy).toBeInstanceOf(error.constructor);
  expect({ ...copy, cause: undefined }).toEqual({ ...error, cause: undefined });
  expect([copy.name, copy.message, copy.stack]).toEqual([error.name, error.message, error.stack]);
  expect(Object.keys(copy).includes('stack')).toBe(false);
  if (error.cause instanceof Error) {
    expect(copy.cause).toBeInstanceOf(error.cause instanceof HttpClientError ? HttpClientError : Error);
    expect(copy.cause).toMatchObject({ name: error.cause.name, message: error.cause.message });
  } else expect(copy.cause).toBeUndefined();
});

test('other errors lose what a message can not hold, and what is no error becomes one', () => {
  const copy = sent(Object.assign(new TypeError('a mistake'), { what: () => 1 }));
  expect(copy).toBeInstanceOf(Error);
  expect([copy.name, copy.message, 'what' in copy]).toEqual(['TypeError', 'a mistake', false]);
  expect(sent('thrown').message).toBe('thrown');
});
