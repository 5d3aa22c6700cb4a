import { describe, expect, it } from 'vitest';
import { errorReply, toHttpError } from '../../../src/http/error-reply.js';
import { errorResponses } from '../../../src/http/error-responses.js';
import { errorBody, HttpError, parameterError } from '../../../src/http/errors.js';
import { excerpt, excerptOfList } from '../../../src/http/excerpt.js';
import { json, seeOther, uncachedJson } from '../../../src/http/reply.js';
import { storeUnavailable } from '../../../src/http/store-unavailable.js';

const requestFor = (url: string) => ({ url, headers: {} });
const withStatus = (status: unknown) => Object.assign(new Error('secret'), { status });

describe('what is thrown', () => {
  it.each([
    [new URIError('secret'), 400, 'malformed percent-encoding in the path: write % itself as %25'],
    [withStatus(413), 413, 'the body is too large'],
    [
      Object.assign(withStatus(413), { limit: 9 }),
      413,
      'the body is too large: send at most 9 bytes, or several requests',
    ],
    [
      withStatus(415),
      415,
      'the body is in a form that is not understood: send UTF-8, plain or compressed with gzip',
    ],
    [withStatus(400), 400, 'malformed request'],
    [withStatus(499), 400, 'malformed request'],
    [withStatus(399), 500, 'something went wrong on our side'],
    [withStatus(500), 500, 'something went wrong on our side'],
    [withStatus('400'), 500, 'something went wrong on our side'],
    [{ status: 400 }, 500, 'something went wrong on our side'],
    [undefined, 500, 'something went wrong on our side'],
  ])('%s becomes a %i', (thrown, status, message) => {
    const error = toHttpError(thrown);
    expect(error).toMatchObject({ status, message });
    expect(error.cause).toBe(thrown);
  });

  it('stays what it is where it is a reply', () => {
    const error = new HttpError(404, 'nothing');
    expect(toHttpError(error)).toBe(error);
    expect(error).not.toHaveProperty('cause');
  });

  it('is a 503 where the store can not be reached', () => {
    const lost = Object.assign(new Error('secret'), { code: 'ECONNREFUSED' });
    expect(() => storeUnavailable(lost)).toThrow(
      expect.objectContaining({ status: 503, cause: lost, headers: { 'retry-after': '5' } }),
    );
    const other = new Error('another');
    expect(() => storeUnavailable(other)).toThrow(other);
  });
});

describe('an error', () => {
  const error = parameterError(422, 'base', 'no such base');
  const body = {
    success: false,
    status: 422,
    message: 'no such base',
    errors: [{ parameter: 'base', message: 'no such base' }],
  };

  it('has a body that names parameters only where they are at fault', () => {
    expect(errorBody(error)).toEqual(body);
    expect(errorBody(new HttpError(404, 'gone'))).toEqual({ success: false, status: 404, message: 'gone' });
  });

  it('is never cached, and has its own headers', () => {
    const error = new HttpError(503, 'later', { headers: { 'retry-after': '2', allow: 'GET' } });
    const reply = errorReply(error, requestFor('/v2/rates'), new Map());
    expect(reply).toMatchObject({
      status: 503,
      validity: { cacheControl: 'no-store' },
      headers: ['retry-after', '2', 'allow', 'GET'],
      content: json({ success: false, status: 503, message: 'later' }),
    });
  });

  it('has the form of its path, in any case, and its own status where that has one', () => {
    const forms = new Map([
      ['other', ({ message }: HttpError) => ({ status: 200, content: json({ error: message }) })],
    ]);
    const error = new HttpError(404, 'nothing', { headers: { 'retry-after': '2' } });
    for (const target of ['/other/a?b=c', '/OTHER', '/other?d'])
      expect(errorReply(error, requestFor(target), forms)).toMatchObject({
        status: 200,
        headers: ['retry-after', '2'],
        content: json({ error: 'nothing' }),
      });
    for (const target of ['/others', '/', '/a/other'])
      expect(errorReply(error, requestFor(target), forms)).toMatchObject({ status: 404 });
  });

  it('is described by an example', () => {
    expect(errorResponses({ 404: 'nothing there' })).toMatchObject({
      404: {
        description: 'nothing there',
        content: {
          'application/json': { example: { success: false, status: 404, message: 'nothing there' } },
        },
      },
    });
  });
});

it('other replies are not cached either', () => {
  expect(uncachedJson({ a: 'é' }, 201)).toEqual({
    status: 201,
    validity: { cacheControl: 'no-store' },
    content: { type: 'application/json; charset=utf-8', body: Buffer.from('{"a":"é"}') },
  });
  expect(uncachedJson(1).status).toBe(200);
  expect(seeOther('/there', ['set-cookie', 'a=b'])).toEqual({
    status: 303,
    validity: { cacheControl: 'no-store' },
    headers: ['location', '/there', 'set-cookie', 'a=b'],
  });
});

describe('an excerpt', () => {
  it.each([
    ['a'.repeat(40), 'a'.repeat(40)],
    ['a'.repeat(41), `${'a'.repeat(40)}…`],
    [`${'a'.repeat(39)}😀`, `${'a'.repeat(39)}…`],
    [`${'a'.repeat(38)}😀b`, `${'a'.repeat(38)}😀…`],
    ['\ud83d', '\ud83d'],
  ])('of %s is %s', (text, shown) => {
    expect(excerpt(text)).toBe(shown);
  });

  it('of a list has ten, and counts the others', () => {
    const list = Array.from({ length: 11 }, (_, at) => String(at));
    expect(excerptOfList(list.slice(0, 10))).toBe('0, 1, 2, 3, 4, 5, 6, 7, 8, 9');
    expect(excerptOfList(list)).toBe('0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 1 more');
    expect(excerptOfList(['b'.repeat(50), 'a'])).toBe(`${'b'.repeat(40)}…, a`);
  });
});
