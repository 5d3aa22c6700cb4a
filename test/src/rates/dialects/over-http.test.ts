import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorReply, toHttpError } from '../../../../src/http/error-reply.js';
import { HttpError } from '../../../../src/http/errors.js';
import { dialectErrorForms } from '../../../../src/rates/dialects/dialects.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { type TestDatabase, testDatabase } from '../../../support/postgres.js';
import { storeRows } from '../../../support/rates.js';

const oxr = (status: number, message: string) => ({ error: true, status, message });
const apilayer = (code: number, type: string) => ({ success: false, error: { code, type } });
const er = (type: string) => ({ result: 'error', 'error-type': type });
/** That of `/v2`. */
const common = (status: number) => ({ success: false, status });

const clock = () => new Date('2026-03-20T12:00:00Z');
let database: TestDatabase;
let api: TestApi;
let limited: TestApi;
let empty: TestApi;
beforeAll(async () => {
  database = await testDatabase();
  await storeRows(database, [
    { provider: 'ECB', date: '2026-03-19', base: 'EUR', quote: 'USD', rate: 1.1546 },
  ]);
  api = await startApi(database, { clock });
  limited = await startApi(database, { clock, variables: { RATE_LIMIT_CURRENCY: '1' } });
  const { snapshot } = api.context;
  const parts = { snapshot: { ...snapshot, current: () => undefined, close: async () => {} } };
  empty = await startApi(database, { clock, parts });
}, 60_000);
afterAll(async () => {
  await empty?.close();
  await limited?.close();
  await api?.close();
  await database?.close();
});

describe.each([
  [
    '/oxr/api/latest.json',
    '/oxr/api/historical/2026-03-19.json',
    oxr(404, 'not_found'),
    oxr(405, 'not_allowed'),
  ],
  [
    '/fixer/latest',
    '/fixer/2026-03-19',
    apilayer(103, 'invalid_api_function'),
    apilayer(103, 'invalid_api_function'),
  ],
  [
    '/currencylayer/live',
    '/currencylayer/api/list',
    apilayer(103, 'invalid_api_function'),
    apilayer(103, 'invalid_api_function'),
  ],
  ['/prebid/latest.json', '/prebid/latest.json?bases=EUR', common(404), common(405)],
  ['/er/v6/latest/EUR', '/er/v6/-/codes', er('malformed-request'), er('malformed-request')],
])('%s over HTTP', (path, other, notFound, notAllowed) => {
  it('is sent as other routes are', async () => {
    for (const target of [path, other]) {
      const reply = await fetch(api.url + target);
      expect(reply.status).toBe(200);
      expect(reply.headers.get('access-control-allow-origin')).toBe('*');
      const body = await reply.text();
      const etag = reply.headers.get('etag') ?? '';
      const again = await fetch(
        `${api.url}${target}${target.includes('?') ? '&' : '?'}app_id=1&access_key=2`,
        {
          headers: { 'if-none-match': etag },
        },
      );
      expect(again.status).toBe(304);
      const head = await fetch(api.url + target, { method: 'HEAD' });
      expect(head.headers.get('etag')).toBe(etag);
      const [asked = '', ...query] = target.split('?');
      const upper = await fetch(api.url + [asked.toUpperCase(), ...query].join('?'));
      expect(await upper.text()).toBe(body);
      const options = await fetch(api.url + target, { method: 'OPTIONS' });
      expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
    }
  });

  it('tells of what there is not in its own form', async () => {
    const segment = path.split('/')[1];
    for (const missing of [`/${segment}`, `/${segment}/`, `/${segment}/api/nothing.json`, `${path}/more`]) {
      const reply = await fetch(api.url + missing);
      expect([missing, reply.status]).toEqual([missing, 404]);
      expect(await reply.json()).toMatchObject(notFound);
    }
    const posted = await fetch(api.url + path, { method: 'POST' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect(await posted.json()).toMatchObject(notAllowed);
  });
});

describe.each([
  [
    '/oxr/api/latest.json',
    oxr(429, 'access_restricted'),
    oxr(503, 'not_available'),
    oxr(500, 'not_available'),
  ],
  [
    '/fixer/latest',
    apilayer(104, 'usage_limit_reached'),
    apilayer(106, 'no_rates_available'),
    apilayer(500, 'internal_error'),
  ],
  [
    '/currencylayer/live',
    apilayer(104, 'usage_limit_reached'),
    apilayer(106, 'no_rates_available'),
    apilayer(500, 'internal_error'),
  ],
  ['/prebid/latest.json', common(429), common(503), common(500)],
  ['/er/v6/latest/EUR', er('quota-reached'), er('no-data-available'), er('no-data-available')],
  ['/firefly/2026/12/EUR.json', common(429), common(503), common(500)],
])('%s, where the service can not answer', (path, tooMany, unloaded, broken) => {
  it('says when there are too many requests', async () => {
    const replies = await Promise.all([1, 2, 3].map(() => fetch(limited.url + path)));
    const reply = replies.find(({ status }) => status === 429) ?? expect.fail('none was refused');
    expect(reply.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await reply.json()).toMatchObject(tooMany);
  });

  it('says that there are no rates yet', async () => {
    const reply = await fetch(empty.url + path);
    expect(reply.status).toBe(503);
    expect(reply.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await reply.json()).toMatchObject(unloaded);
  });

  it('says that something went wrong', () => {
    const reply = errorReply(toHttpError(new Error('secret')), { url: path, headers: {} }, dialectErrorForms);
    expect(reply.status).toBe(500);
    expect(JSON.parse(String(reply.content?.body))).toMatchObject(broken);
    expect(String(reply.content?.body)).not.toContain('secret');
    const later = new HttpError(503, 'later', { headers: { 'retry-after': '3' } });
    const { headers } = errorReply(later, { url: path, headers: {} }, dialectErrorForms);
    expect(headers).toEqual(['retry-after', '3']);
  });
});
