import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../support/api.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

const OLD = 'the-token-of-last-year';
const NEW = 'the-token-of-this-year';

let database: TestDatabase;
/** The same service before, while and after its token is replaced. */
let before: TestApi;
let between: TestApi;
let after: TestApi;

beforeAll(async () => {
  database = await testDatabase();
  [before, between, after] = await Promise.all([
    startApi(database, { variables: { ADMIN_TOKEN: OLD } }),
    startApi(database, { variables: { ADMIN_TOKEN: NEW, ADMIN_TOKEN_PREVIOUS: OLD } }),
    startApi(database, { variables: { ADMIN_TOKEN: NEW } }),
  ]);
});
afterAll(async () => {
  await Promise.all([before, between, after].map((api) => api?.close()));
  await database?.close();
});

const ask = async (api: TestApi, path: string, headers: Record<string, string>, method = 'GET') =>
  fetch(`${api.url}${path}`, { method, headers });
const withToken = (token: string) => ({ authorization: `Bearer ${token}` });

async function logIn(api: TestApi, token: string): Promise<{ cookie: string }> {
  const body = new URLSearchParams({ token });
  const reply = await fetch(`${api.url}/admin/login`, { method: 'POST', body, redirect: 'manual' });
  expect(reply.status).toBe(303);
  return { cookie: reply.headers.get('set-cookie')?.split(';', 1)[0] ?? '' };
}

it('takes two tokens while one replaces the other, and neither before or after', async () => {
  const statuses = async (api: TestApi) =>
    Promise.all(
      [OLD, NEW, `${NEW}${OLD}`].map(
        async (token) => (await ask(api, '/admin/audit', withToken(token))).status,
      ),
    );
  expect(await statuses(before)).toEqual([200, 401, 401]);
  expect(await statuses(between)).toEqual([200, 200, 401]);
  expect(await statuses(after)).toEqual([401, 200, 401]);
});

it('tells in the audit which of them was used, and neither token', async () => {
  await ask(between, '/admin/sessions/end', withToken(OLD), 'POST');
  await ask(between, '/admin/sessions/end', withToken(NEW), 'POST');
  const text = await (await ask(between, '/admin/audit?limit=2', withToken(NEW))).text();
  expect(JSON.parse(text).acts).toMatchObject([{ operator: 'token' }, { operator: 'previous token' }]);
  expect(text).not.toMatch(/the-token/);
});

it('ends a session with the token that opened it, and keeps the others', async () => {
  const opened = [await logIn(before, OLD), await logIn(between, OLD), await logIn(between, NEW)];
  const statuses = (api: TestApi) =>
    Promise.all(opened.map(async (session) => (await ask(api, '/admin', session)).status));
  expect(await statuses(before)).toEqual([200, 200, 401]);
  expect(await statuses(between)).toEqual([200, 200, 200]);
  expect(await statuses(after)).toEqual([401, 401, 200]);
});
