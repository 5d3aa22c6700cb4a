import { expect, test } from 'vitest';
import { needsKeyError } from '../../../core/domain/provider-status.js';
import { plainError } from '../../../src/pages/plain-error.js';
import { en } from '../../../src/pages/shared/messages/en.js';

test.each([
  [needsKeyError(['TCMB_API_KEY']), 'It needs a key, which this service has not been given.'],
  ['HTTP 503 from https://bank.example/?key=abc', 'The source answered with an error of its own.'],
  ['HTTP 403 from https://bank.example/', 'The source refused the request.'],
  ['HTTP 404 from https://bank.example/', 'The source no longer has a page where its rates were.'],
  ['the request took longer than 30000 ms', 'The source did not answer in time.'],
  ['getaddrinfo ENOTFOUND bank.example', 'The source could not be reached.'],
  [
    'fetch failed (unable to verify the first certificate)',
    'The source could not be reached safely: its certificate was not accepted.',
  ],
  ['the column "USD" is missing', 'The source answered something that could not be read as its rates.'],
])('%s in plain words', (error, words) => {
  expect(plainError(error, en)).toBe(words);
});

test('nothing is said where nothing failed', () => {
  expect(plainError(null, en)).toBeUndefined();
});
