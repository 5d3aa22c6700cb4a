import { beforeAll, describe, expect, it } from 'vitest';
import { HttpError, toHttpError } from '../../../../src/http/errors.js';
import { errorReply } from '../../../../src/http/reply.js';
import { dialectErrorForms, dialectRoutes } from '../../../../src/rates/dialects/dialects.js';
import { sharedApi } from '../../../support/shared.js';
import { openRoutes } from '../routes/in-process.js';

const NOW = '2026-03-20T12:00:00Z';
const PAIR = { provider: 'ECB', base: 'EUR', quote: 'USD', rate: 1.1546 };
const ROWS = ['2026-03-12', '2026-03-19'].map((date) => ({ ...PAIR, date }));
const loading = openRoutes({
  recorded: [{ at: NOW, rows: [] }],
  now: NOW,
  current: () => undefined,
  others: dialectRoutes,
});
let url: string;
let limited: string;
beforeAll(async () => {
  ({ url } = await sharedApi(ROWS, { now: NOW }));
  ({ url: limited } = await sharedApi(ROWS, { now: NOW, variables: { RATE_LIMITS: 'currency=1' } }));
});

/** The statuses of errors. The types of each service below are in the same order. */
const STATUSES = [404, 405, 429, 503, 500];
const errorsOf = (types: string, errorOf: (type: string, status: number) => object) =>
  Object.fromEntries(types.split(' ').map((type, at) => [STATUSES[at], errorOf(type, STATUSES[at] ?? 0)]));
const OXR = errorsOf(
  'not_found not_allowed access_restricted not_available not_available',
  (message, status) => ({ error: true, status, message }),
);
const APILAYER = errorsOf(
  '103:invalid_api_function 103:invalid_api_function 104:usage_limit_reached 106:no_rates_available 500:internal_error',
  (error) => ({ success: false, error: { code: Number(error.slice(0, 3)), type: error.slice(4) } }),
);
const ER = errorsOf(
  'malformed-request malformed-request quota-reached no-data-available no-data-available',
  (type) => ({ result: 'error', 'error-type': type }),
);
/** Those of `/v2`. */
const COMMON = errorsOf('- - - - -', (_, status) => ({ success: false, status }));

/** Those of files are lines of text. */
const TEXT = errorsOf('- - - - -', () => ({ text: expect.stringMatching(/^\w.*\n$/) }));
const parsed = (body: string) => (body.startsWith('{') ? JSON.parse(body) : { text: body });

/** Two paths of each service, and its errors by status. */
describe.each<[path: string, other: string, errors: Readonly<Record<number, object>>]>([
  ['/oxr/api/latest.json', '/oxr/api/historical/2026-03-19.json', OXR],
  ['/fixer/latest', '/fixer/2026-03-19', APILAYER],
  ['/currencylayer/live', '/currencylayer/api/list', APILAYER],
  ['/prebid/latest.json', '/prebid/latest.json?bases=EUR', COMMON],
  ['/er/v6/latest/EUR', '/er/v6/-/codes', ER],
  ['/firefly/2026/12/EUR.json', '/firefly/2026/12/USD.json', COMMON],
  ['/ecb/stats/eurofxref/eurofxref-daily.xml', '/ecb/rss/fxref-usd.html', TEXT],
])('%s over HTTP', (path, other, errors) => {
  it('is sent as other routes are', async () => {
    for (const target of [path, other]) {
      const reply = await fetch(url + target);
      expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
      const body = await reply.text();
      const etag = reply.headers.get('etag') ?? '';
      const keys = `${target.includes('?') ? '&' : '?'}app_id=1&access_key=2`;
      expect((await fetch(url + target + keys, { headers: { 'if-none-match': etag } })).status).toBe(304);
      const [asked = '', ...query] = target.split('?');
      expect(await (await fetch(url + [asked.toUpperCase(), ...query].join('?'))).text()).toBe(body);
    }
  });

  it('says in its own form what there is not', async () => {
    const segment = path.split('/')[1];
    for (const missing of [`/${segment}`, `/${segment}/`, `/${segment}/api/nothing.json`, `${path}/more`]) {
      const reply = await fetch(url + missing);
      expect([missing, reply.status]).toEqual([missing, 404]);
      expect(parsed(await reply.text())).toMatchObject(errors[404] ?? {});
    }
    const posted = await fetch(url + path, { method: 'POST' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect(parsed(await posted.text())).toMatchObject(errors[405] ?? {});
  });

  it('says in its own form when there are too many requests, no rates yet, or something goes wrong', async () => {
    const replies = await Promise.all([1, 2, 3].map(() => fetch(limited + path)));
    const refused = replies.find(({ status }) => status === 429) ?? expect.fail('none was refused');
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(parsed(await refused.text())).toMatchObject(errors[429] ?? {});
    const { status, text, headers } = await loading.ask(other);
    expect([status, headers['retry-after']]).toEqual([503, '2']);
    // In process, errors in the common form have no text.
    expect(text === '' ? { success: false, status } : parsed(text)).toMatchObject(errors[503] ?? {});
    const request = { url: path, headers: {} };
    const broken = errorReply(toHttpError(new Error('secret')), request, dialectErrorForms);
    expect(broken.status).toBe(500);
    expect(parsed(String(broken.content?.body))).toMatchObject(errors[500] ?? {});
    expect(String(broken.content?.body)).not.toContain('secret');
    const later = new HttpError(503, 'later', { headers: { 'retry-after': '3' } });
    expect(errorReply(later, request, dialectErrorForms).headers).toEqual(['retry-after', '3']);
  });
});

it.each([
  ['/prebid/latest.json?bases=HRK', 'no_rates'],
  ['/prebid/latest.json?bases=XXY', 'unknown_currency'],
  ['/firefly/2026/60/EUR.json', 'no_rates'],
])('the error of %s has the code of /v2: %s', async (path, code) => {
  expect(await (await fetch(url + path)).json()).toMatchObject({ code });
});
