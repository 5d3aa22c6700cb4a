import { expect, it, onTestFinished, vi } from 'vitest';
import { databaseWith, someRates } from '../../support/rates.js';
import { buildService, startApiProgram, startProgram } from '../../support/service.js';
import { cli } from '../../worker/cli/support.js';
import { endWithTest, rowsOf } from '../support.js';

const TOKEN = 'a-token-of-an-operator';

it('the worker blends by the sources that are left when it starts, and the API serves those, where it may only read', async () => {
  await buildService();
  const database = await databaseWith(someRates('2026-03-01'));
  onTestFinished(() => database.close());
  const variables = { DATABASE_URL: database.url, PROVIDERS_EXCEPT: 'nbu', ADMIN_TOKEN: TOKEN };
  const worker = startProgram('worker/main.js', variables);
  await vi.waitFor(() => expect(worker.output()).toContain('worker is running'));
  worker.process.kill('SIGTERM');
  await worker.ended;
  expect(worker.output()).toContain('reblending all history');
  // An operator who forgets the variable must not have all history blended by all sources again.
  const rebuilt = await cli(['blend', 'rebuild'], { variables: { DATABASE_URL: database.url } });
  expect(rebuilt).toMatchObject({ code: 1, stderr: expect.stringContaining('PROVIDERS_EXCEPT=NBU') });
  const excepted = 'select excepted from data_versions order by version desc limit 1';
  expect(await rowsOf(database, excepted)).toEqual([['NBU']]);

  const name = new URL(database.url).pathname.slice(1);
  await database.pool.query(`alter database ${name} set default_transaction_read_only = on`);
  const { api, url } = await startApiProgram(variables);
  endWithTest(api);
  const paths = ['providers/NBU', ...['UAH', 'GBP'].map((code) => `rate/EUR/${code}?date=2026-03-20`)];
  // Rates are served before the providers are read.
  await vi.waitFor(async () => {
    const responses = await Promise.all(paths.map((path) => fetch(`${url}/v2/${path}`)));
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 200]);
  });
  expect((await fetch(`${url}/v2/rates?providers=ECB&date=2026-03-02`)).status).toBe(200);
  const asked = await fetch(`${url}/admin/providers/ECB/ingest`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: '{"from":"2026-03-02"}',
  });
  expect([asked.status, asked.headers.get('retry-after')]).toEqual([503, expect.any(String)]);
  expect(api.output()).not.toMatch(/"level":[56]0/);
  expect(await rowsOf(database, 'select phrase from refusal_phrases')).toEqual([]);
});
