import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { uncachedJson } from '../../../src/http/reply.js';
import { createResponseCache } from '../../../src/http/response-cache.js';
import { defineRoute } from '../../../src/http/route.js';

const TODAY = { dataVersion: '1', today: 5 };
const route = defineRoute({ method: 'get', path: '/a', handle: () => uncachedJson(1) });

const requestOf = (url: string, headers: Record<string, string> = {}) =>
  ({ method: 'GET', url, headers }) as unknown as IncomingMessage;
const replyOf = (body: Buffer | string, dataVersion: string | undefined = '1') => ({
  route,
  whole: { status: 200, validity: { cacheControl: 'x' }, headers: [], contentHeaders: [], body, dataVersion },
});

describe('a response cache', () => {
  it.each([
    ['another target', requestOf('/b', { accept: 'a', 'accept-encoding': 'b' })],
    ['another type', requestOf('/a', { accept: 'c', 'accept-encoding': 'b' })],
    ['another coding', requestOf('/a', { accept: 'a', 'accept-encoding': 'c' })],
    ['headers the other way round', requestOf('/a', { accept: 'b', 'accept-encoding': 'a' })],
    ['no headers', requestOf('/a')],
  ])('tells %s apart', (_, other) => {
    const cache = createResponseCache();
    const request = requestOf('/a', { accept: 'a', 'accept-encoding': 'b' });
    cache.keep(request, 5, replyOf('x'));
    expect(cache.find(request, TODAY)).toEqual(replyOf('x'));
    expect(cache.find({ ...request } as IncomingMessage, TODAY)).toEqual(replyOf('x'));
    expect(cache.find(other, TODAY)).toBeUndefined();
    expect(cache.isRepeated(request)).toBe(false);
    expect(cache.isRepeated(other)).toBe(false);
    expect(cache.isRepeated(request)).toBe(true);
  });

  it('has replies of one day and one version of the data', () => {
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

  it('keeps nothing that is of no version', () => {
    const cache = createResponseCache();
    const { route, whole } = replyOf('1');
    cache.keep(requestOf('/1'), 5, { route, whole: { ...whole, dataVersion: undefined } });
    expect(cache.find(requestOf('/1'), { dataVersion: '', today: 5 })).toBeUndefined();
    expect(cache.find(requestOf('/1'), TODAY)).toBeUndefined();
  });

  it('keeps short bodies as strings of their bytes', () => {
    const cache = createResponseCache();
    const bodyOf = (body: Buffer) => {
      cache.keep(requestOf('/1'), 5, replyOf(body));
      return cache.find(requestOf('/1'), TODAY)?.whole.body;
    };
    expect(bodyOf(Buffer.from('é'))).toBe(Buffer.from('é').toString('latin1'));
    expect(bodyOf(Buffer.alloc(8_192, 'a'))).toBe('a'.repeat(8_192));
    expect(bodyOf(Buffer.alloc(8_193, 'a'))).toEqual(Buffer.alloc(8_193, 'a'));
  });

  it('has 32 mebibytes for bodies, targets and what each reply takes, of which one may have a sixteenth', () => {
    const largest = 2 * 2 ** 20 - 600;
    const keeps = (size: number, targets: readonly string[]) => {
      const cache = createResponseCache();
      const requests = targets.map((target) => requestOf(target));
      for (const request of requests) cache.keep(request, 5, replyOf('x'.repeat(size)));
      return requests.filter((request) => cache.find(request, TODAY)).length;
    };
    expect([keeps(largest, ['/']), keeps(largest + 1, ['/'])]).toEqual([1, 0]);
    // Two bytes for each character of a target.
    const targets = Array.from('0123456789abcdefgh', (name) => `/${name}`);
    expect([keeps(largest - 4, targets), keeps(largest - 3, targets)]).toEqual([16, 15]);
  });

  it('has the newest eight replies to a target, by what their clients accept', () => {
    const cache = createResponseCache();
    const requests = Array.from({ length: 9 }, (_, at) => requestOf('/', { accept: `text/${at}` }));
    for (const request of requests) cache.keep(request, 5, replyOf(`${request.headers.accept}`));
    cache.keep(requestOf('/', { accept: 'text/8' }), 5, replyOf('again'));
    const bodies = requests.map((request) => cache.find(request, TODAY)?.whole.body);
    expect(bodies).toEqual([undefined, ...[1, 2, 3, 4, 5, 6, 7].map((at) => `text/${at}`), 'again']);
  });

  it('counts the headers that a reply is for', () => {
    const cache = createResponseCache();
    const largest = 2 * 2 ** 20 - 600;
    const request = requestOf('/', { accept: 'a', 'accept-encoding': 'bc' });
    cache.keep(request, 5, replyOf('x'.repeat(largest - 5)));
    expect(cache.find(request, TODAY)).toBeUndefined();
    cache.keep(request, 5, replyOf('x'.repeat(largest - 6)));
    expect(cache.find(request, TODAY)).toBeDefined();
  });

  it('remembers many requests', () => {
    const cache = createResponseCache();
    const requests = Array.from({ length: 1_000 }, (_, at) => requestOf(`/v2/rates?date=${at}`));
    for (const request of requests) cache.isRepeated(request);
    const remembered = requests.filter((request) => cache.isRepeated(request)).length;
    // Some share a place in its table.
    expect(remembered).toBeGreaterThan(800);
  });
});
