import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { someRates, storeRows } from '../../support/rates.js';
import { buildService, type StartedProgram, startApiProgram, startProgram } from '../../support/service.js';
import { cli } from '../../worker/cli/support.js';

let database: TestDatabase;
const started: StartedProgram[] = [];
beforeAll(async () => {
  await buildService();
  database = await testDatabase();
  await storeRows(database, someRates('2026-03-01'));
});
afterEach(async () => {
  for (const { process: program, ended } of started.splice(0)) {
    program.kill('SIGTERM');
    await ended;
  }
});
afterAll(() => database.close());

const patiently = { timeout: 60_000, interval: 50 };
const withVariables = (except: string) => ({ DATABASE_URL: database.url, PROVIDERS_EXCEPT: except });
const blendedBy = async () =>
  (await database.pool.query('select excepted from data_versions order by version desc limit 1')).rows[0];

it.each(['src/main.js', 'worker/main.js'])('%s ends with 78 and names what is no source', async (entry) => {
  const program = await startProgram(entry, withVariables('NBU,XYZ')).ended;
  expect(program).toMatchObject({
    code: 78,
    stderr: 'almanac: PROVIDERS_EXCEPT: there is no provider XYZ\n',
  });
});

it('a worker blends by the sources that are left when it starts, and an API serves those', async () => {
  const worker = startProgram('worker/main.js', withVariables('nbu'));
  started.push(worker);
  await vi.waitFor(() => expect(worker.output()).toContain('worker is running'), patiently);
  expect(worker.output()).toContain('all history is blended without the excepted providers');
  expect(await blendedBy()).toEqual({ excepted: 'NBU' });
  const { api, url } = await startApiProgram(withVariables('NBU'));
  started.push(api);
  const paths = [
    '/v2/providers/NBU',
    ...['UAH', 'GBP'].map((code) => `/v2/rate/EUR/${code}?date=2026-03-20`),
  ];
  // Rates are served before the providers are read.
  await vi.waitFor(async () => {
    const responses = await Promise.all(paths.map((path) => fetch(`${url}${path}`)));
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 200]);
  }, patiently);
  // Who forgets the variable must not have all history blended by all sources again.
  const rebuilt = await cli(['blend', 'rebuild'], { variables: { DATABASE_URL: database.url } });
  expect(rebuilt).toMatchObject({ code: 1, stderr: expect.stringContaining('PROVIDERS_EXCEPT=NBU') });
  expect(await blendedBy()).toEqual({ excepted: 'NBU' });
});
