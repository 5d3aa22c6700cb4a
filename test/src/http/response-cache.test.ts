import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { NO_STORE, uncachedJson } from '../../../src/http/reply.js';
import { createResponseCache } from '../../../src/http/response-cache.js';
import { defineRoute } from '../../../src/http/route.js';

const TODAY = { dataVersion: '1', today: 5 };
/** The longest body that is kept, with its target and headers. */
const LARGEST = 2 * 2 ** 20 - 600;
const route = defineRoute({ method: 'get', path: '/a', handle: () => uncachedJson(1) });

const requestOf = (url: string, accept?: string, coding?: string) => {
  const headers = { ...(accept && { accept }), ...(coding && { 'accept-encoding': coding }) };
  return { method: 'GET', url, headers } as unknown as IncomingMessage;
};
const NONE = { validityHeaders: [], headers: [] };
const WHOLE = { status: 200, validity: NO_STORE, coding: 'br' as const, ...NONE };
const replyOf = (body: Buffer | string, dataVersion: string | undefined = '1') => ({
  route,
  whole: { ...WHOLE, body, dataVersion },
});

it.each([
  ['another target', requestOf('/b', 'a', 'b')],
  ['another type', requestOf('/a', 'c', 'b')],
  ['another coding', requestOf('/a', 'a', 'c')],
  ['headers the other way round', requestOf('/a', 'b', 'a')],
  ['no headers', requestOf('/a')],
])('a response cache tells %s apart', (_, other) => {
  const cache = createResponseCache();
  const request = requestOf('/a', 'a', 'b');
  cache.keep(request, 5, replyOf('x'));
  for (const same of [request, { ...request } as IncomingMessage])
    expect(cache.find(same, TODAY)).toEqual(replyOf('x'));
  expect(cache.find(other, TODAY)).toBeUndefined();
  expect([request, other, request].map((one) => cache.isRepeated(one))).toEqual([false, false, true]);
});

it('a response cache has replies of one day and one version of the data', () => {
  const cache = createResponseCache();
  const [one, two] = [requestOf('/1'), requestOf('/2')];
  cache.keep(one, 5, replyOf('1'));
  expect(cache.find(one, { dataVersion: '1', today: 6 })).toBeUndefined();
  expect(cache.find(one, { dataVersion: '2', today: 5 })).toBeUndefined();
  expect(cache.find(one, TODAY)).toBeDefined();
  cache.keep(two, 5, replyOf('2'));
  expect(cache.find(one, TODAY)).toBeDefined();
  cache.keep(two, 6, replyOf('2'));
  cache.keep(two, 5, replyOf('2'));
  expect(cache.find(one, TODAY)).toBeUndefined();
  cache.keep(one, 5, replyOf('1'));
  cache.keep(two, 5, replyOf('2', '2'));
  cache.keep(two, 5, replyOf('2'));
  expect(cache.find(one, TODAY)).toBeUndefined();
});

it('a response cache keeps nothing that is of no version', () => {
  const cache = createResponseCache();
  const { whole } = replyOf('1');
  cache.keep(requestOf('/1'), 5, { route, whole: { ...whole, dataVersion: undefined } });
  for (const dataVersion of ['', '1'])
    expect(cache.find(requestOf('/1'), { dataVersion, today: 5 })).toBeUndefined();
});

it('a response cache keeps short bodies as strings of their bytes', () => {
  const cache = createResponseCache();
  const bodyOf = (body: Buffer) => {
    cache.keep(requestOf('/1'), 5, replyOf(body));
    return cache.find(requestOf('/1'), TODAY)?.whole.body;
  };
  expect(bodyOf(Buffer.from('é'))).toBe(Buffer.from('é').toString('latin1'));
  expect(bodyOf(Buffer.alloc(8_192, 'a'))).toBe('a'.repeat(8_192));
  expect(bodyOf(Buffer.alloc(8_193, 'a'))).toEqual(Buffer.alloc(8_193, 'a'));
});

it('a response cache has 32 mebibytes for bodies, targets, headers and what each reply takes, a sixteenth for one', () => {
  const kept = (size: number, ...requests: IncomingMessage[]) => {
    const cache = createResponseCache();
    for (const request of requests) cache.keep(request, 5, replyOf('x'.repeat(size)));
    return requests.filter((request) => cache.find(request, TODAY)).length;
  };
  expect([kept(LARGEST, requestOf('/')), kept(LARGEST + 1, requestOf('/'))]).toEqual([1, 0]);
  const withHeaders = requestOf('/', 'a', 'bc');
  expect([kept(LARGEST - 6, withHeaders), kept(LARGEST - 5, withHeaders)]).toEqual([1, 0]);
  // Two bytes for each character of a target.
  const many = Array.from('0123456789abcdefgh', (name) => requestOf(`/${name}`));
  expect([kept(LARGEST - 4, ...many), kept(LARGEST - 3, ...many)]).toEqual([16, 15]);
});

it('a response cache has the newest eight replies to a target, by what their clients accept', () => {
  const cache = createResponseCache();
  const requests = Array.from({ length: 9 }, (_, at) => requestOf('/', `text/${at}`));
  for (const request of requests) cache.keep(request, 5, replyOf(`${request.headers.accept}`));
  cache.keep(requestOf('/', 'text/8'), 5, replyOf('again'));
  const bodies = requests.map((request) => cache.find(request, TODAY)?.whole.body);
  expect(bodies).toEqual([undefined, ...[1, 2, 3, 4, 5, 6, 7].map((at) => `text/${at}`), 'again']);
});

it('a response cache remembers many requests', () => {
  const cache = createResponseCache();
  const requests = Array.from({ length: 1_000 }, (_, at) => requestOf(`/v2/rates?date=${at}`));
  for (const request of requests) cache.isRepeated(request);
  // Some share a place in its table.
  expect(requests.filter((request) => cache.isRepeated(request)).length).toBeGreaterThan(800);
});
