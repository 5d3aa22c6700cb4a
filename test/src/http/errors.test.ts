import { expect, it } from 'vitest';
import { QueueFull, WaitTooLong } from '../../../core/concurrency/semaphore.js';
import {
  databaseUnavailable,
  errorBody,
  HttpError,
  parameterError,
  toHttpError,
} from '../../../src/http/errors.js';
import { errorReply, json, seeOther, uncachedJson } from '../../../src/http/reply.js';
import { errorResponses } from '../../../src/openapi/responses.js';
import { excerpt, excerptOfList } from '../../../src/parameters/excerpt.js';

const withStatus = (status: unknown, more = {}) => Object.assign(new Error('secret'), { status, ...more });
const OURS = 'something went wrong on our side';
const FORM = 'the body is in a form that is not understood';
const BUSY = 'too many expensive requests at once';

it.each([
  [new URIError('secret'), 400, 'malformed percent-encoding in the path: write % itself as %25'],
  [withStatus(413), 413, 'the body is too large'],
  [withStatus(413, { limit: 9 }), 413, 'the body is too large: send at most 9 bytes, or several requests'],
  [withStatus(415), 415, `${FORM}: send UTF-8, plain or compressed with gzip`],
  [withStatus(400), 400, 'malformed request'],
  [withStatus(499), 400, 'malformed request'],
  [withStatus(399), 500, OURS],
  [withStatus(500), 500, OURS],
  [withStatus('400'), 500, OURS],
  [{ status: 400 }, 500, OURS],
  [undefined, 500, OURS],
  [new WaitTooLong('waited'), 503, BUSY],
  [new QueueFull('full'), 503, BUSY],
])('what is thrown, %s, becomes a %i', (thrown, status, message) => {
  const error = toHttpError(thrown);
  expect(error).toMatchObject({ status, message, headers: message === BUSY ? { 'retry-after': '2' } : {} });
  expect(error.cause).toBe(thrown);
});

it('what is thrown stays what it is where it is a reply, and is a 503 where the database is away', () => {
  const error = new HttpError(404, 'nothing');
  expect(toHttpError(error)).toBe(error);
  expect(error).not.toHaveProperty('cause');
  const lost = Object.assign(new Error('secret'), { code: 'ECONNREFUSED' });
  const unavailable = { status: 503, cause: lost, headers: { 'retry-after': '5' } };
  expect(() => databaseUnavailable(lost)).toThrow(expect.objectContaining(unavailable));
  const other = new Error('another');
  expect(() => databaseUnavailable(other)).toThrow(other);
});

const replyTo = (error: HttpError, url: string, forms = new Map()) =>
  errorReply(error, { url, headers: {} }, forms);

it('an error has a body that names parameters only where they are at fault', () => {
  const message = 'no such base';
  const errors = [{ parameter: 'base', message }];
  const body = { success: false, status: 422, code: 'invalid_parameter', message, errors };
  expect(errorBody(parameterError(422, 'base', message))).toEqual(body);
  const gone = { success: false, status: 404, code: 'not_found', message: 'gone' };
  expect(errorBody(new HttpError(404, 'gone'))).toEqual(gone);
});

it('an error is never cached, and has its own headers', () => {
  const error = new HttpError(503, 'later', { headers: { 'retry-after': '2', allow: 'GET' } });
  expect(replyTo(error, '/v2/rates')).toMatchObject({
    ...{ status: 503, validity: { cacheControl: 'no-store' }, headers: ['retry-after', '2', 'allow', 'GET'] },
    content: json({ success: false, status: 503, code: 'unavailable', message: 'later' }),
  });
});

it('an error has the form of its path, in any case, and its own status where that has one', () => {
  const form = ({ message }: HttpError) => ({ status: 200, content: json({ error: message }) });
  const forms = new Map([['other', form]]);
  const error = new HttpError(404, 'nothing', { headers: { 'retry-after': '2' } });
  const own = { status: 200, headers: ['retry-after', '2'], content: json({ error: 'nothing' }) };
  for (const target of ['/other/a?b=c', '/OTHER', '/other?d'])
    expect(replyTo(error, target, forms)).toMatchObject(own);
  for (const target of ['/others', '/', '/a/other'])
    expect(replyTo(error, target, forms)).toMatchObject({ status: 404 });
});

it('an error is described by an example', () => {
  const [description, status] = ['nothing there', 404];
  const content = { 'application/json': { example: { success: false, status, message: description } } };
  expect(errorResponses({ [status]: description })).toMatchObject({ [status]: { description, content } });
});

it('other replies are not cached either', () => {
  const validity = { cacheControl: 'no-store' };
  const content = { type: 'application/json; charset=utf-8', body: Buffer.from('{"a":"é"}') };
  expect(uncachedJson({ a: 'é' }, 201)).toEqual({ status: 201, validity, content });
  expect(uncachedJson(1).status).toBe(200);
  const headers = ['location', '/there', 'set-cookie', 'a=b'];
  expect(seeOther('/there', ['set-cookie', 'a=b'])).toEqual({ status: 303, validity, headers });
});

it.each([
  ['a'.repeat(40), 'a'.repeat(40)],
  ['a'.repeat(41), `${'a'.repeat(40)}…`],
  [`${'a'.repeat(39)}😀`, `${'a'.repeat(39)}…`],
  [`${'a'.repeat(38)}😀b`, `${'a'.repeat(38)}😀…`],
  ['\ud83d', '\ud83d'],
])('an excerpt of %s is %s', (text, shown) => {
  expect(excerpt(text)).toBe(shown);
});

it('an excerpt of a list has ten, and counts the others', () => {
  const list = Array.from({ length: 11 }, (_, at) => String(at));
  expect(excerptOfList(list.slice(0, 10))).toBe('0, 1, 2, 3, 4, 5, 6, 7, 8, 9');
  expect(excerptOfList(list)).toBe('0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 1 more');
  expect(excerptOfList(['b'.repeat(50), 'a'])).toBe(`${'b'.repeat(40)}…, a`);
});
