import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../support/api.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { TOKEN } from './support.js';

let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await testDatabase();
  api = await startApi(database, { variables: { ADMIN_TOKEN: TOKEN, ADMIN_PORT: '0' } });
});
afterAll(async () => {
  await api?.close();
  await database?.close();
});

const statusOf = async (base: string | undefined, path: string) =>
  (await fetch(`${base}${path}`, { redirect: 'manual', headers: { authorization: `Bearer ${TOKEN}` } }))
    .status;

it('serves operators on a port of their own, and clients on the other', async () => {
  for (const path of ['/metrics', '/admin/audit', '/admin/providers/ECB/runs', '/admin/login']) {
    expect([path, await statusOf(api.url, path)]).toEqual([path, 404]);
    expect([path, await statusOf(api.operatorUrl, path)]).toEqual([path, 200]);
  }
  for (const path of ['/admin', '/admin/queues', '/admin/anything']) {
    expect([path, await statusOf(api.url, path)]).toEqual([path, 404]);
  }
  for (const path of ['/v2/currencies', '/openapi.json']) {
    expect([path, await statusOf(api.url, path)]).toEqual([path, 200]);
    expect([path, await statusOf(api.operatorUrl, path)]).toEqual([path, 404]);
  }
  for (const url of [api.url, api.operatorUrl]) expect(await statusOf(url, '/health/live')).toBe(200);
});

it('links only to what is on the same port', async () => {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const page = await (await fetch(`${api.operatorUrl}/admin`, { headers })).text();
  const links = [...page.matchAll(/href="([^"]+)"/g)].map(([, path]) => path);
  expect(links).toEqual(['/admin/queues', '/admin/logout']);
});

it('does not describe there what is served elsewhere', async () => {
  const document = (await (await fetch(`${api.url}/openapi.json`)).json()) as { paths: object };
  expect(Object.keys(document.paths).filter((path) => /admin|metrics/.test(path))).toEqual([]);
});

it('wants the token there too', async () => {
  expect((await fetch(`${api.operatorUrl}/admin/audit`)).status).toBe(401);
  expect((await fetch(`${api.operatorUrl}/admin/anything`)).status).toBe(401);
});
