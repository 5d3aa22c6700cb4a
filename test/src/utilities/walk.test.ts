import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedPhrases } from '../../../src/no/seed-phrases.js';
import { startApi, type TestApi } from '../../support/api.js';
import { publish } from '../../support/coverage.js';
import { type HttpStub, httpStub, type StubHandler } from '../../support/http-stub.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { openCage, openCageNone, upstreamAnswers } from './payloads.js';
import { get, movableClock, refusal, upstreamsAt } from './support.js';

type State = 'well' | 'without-key' | 'upstreams-down' | 'database-down';

const LAT_LON = 'lat=48.2081&lon=16.3743';
/** Of each route a request that is answered, and one that is not where that depends on more than its parameters. */
const WELL: [target: string, status: number, parameter?: string][] = [
  ['/weather/search?q=Vienna', 200],
  ['/weather/search', 400, 'q'],
  [`/weather/current?${LAT_LON}`, 200],
  ['/weather/current?lat=-90&lon=-180', 200],
  ['/weather/current?lat=90&lon=180', 200],
  ['/sg/bus-arrivals?code=83139', 200],
  [`/detect/location?${LAT_LON}`, 200],
  ['/detect/location?lat=0&lon=-30', 404],
  ['/translate/text?text=Hello&to=it', 200],
  ['/random/hangman', 200],
  ['/no', 200],
];

const OTHERWISE: [state: State, target: string, status: number][] = [
  ['without-key', `/detect/location?${LAT_LON}`, 500],
  ...['/weather/search?q=Graz', '/weather/current?lat=1&lon=1', '/sg/bus-arrivals?code=11111'].map(down),
  ...['/detect/location?lat=2&lon=2', '/translate/text?text=b&to=it'].map(down),
  ['database-down', '/no', 502],
  ...['/v2/rates', '/v2/currencies', '/v2/currency/EUR', '/v2/providers', '/random/hangman'].map(unaffected),
  ...['/no', '/health/live', '/openapi.json'].map(unaffected),
];

function down(target: string): [State, string, number] {
  return ['upstreams-down', target, 502];
}

function unaffected(target: string): [State, string, number] {
  return ['upstreams-down', target, 200];
}

const NOW = '2026-11-21T06:00:00Z';
const geocoder: StubHandler = ({ query }, response) => {
  const atSea = query.get('q')?.startsWith('0.0000');
  response.end(JSON.stringify(atSea ? openCageNone : openCage));
};

const services = new Map<State, TestApi>();
let database: TestDatabase;
let unreachable: TestDatabase;
let stub: HttpStub;

beforeAll(async () => {
  [database, unreachable, stub] = await Promise.all([
    testDatabase(),
    testDatabase(),
    httpStub({ ...upstreamAnswers(NOW), '/geocode/v1/json': geocoder }),
  ]);
  await seedPhrases(database);
  await database.pool.query(
    `insert into blended_days (date, quote, rate) values ('2026-03-18', 'USD', 1), ('2026-03-18', 'EUR', 0.87)`,
  );
  await publish(database, [['ECB', 'EUR', '1999-01-04', '2026-03-18']]);
  const { clock } = movableClock(NOW);
  const start = async (state: State, from: TestDatabase, variables: Record<string, string>) =>
    void services.set(state, await startApi(from, { clock, variables }));
  const [up, key] = [upstreamsAt(stub.url), { OPENCAGE_API_KEY: 'key' }];
  await start('well', database, { ...up, ...key });
  await start('without-key', database, up);
  await start('upstreams-down', database, { ...upstreamsAt('http://127.0.0.1:1'), ...key });
  await start('database-down', unreachable, up);
});
afterAll(async () => {
  for (const service of services.values()) await service.close();
  await Promise.all([database?.close(), unreachable?.close(), stub?.close()]);
});

const ask = (state: State, target: string) => get(`${services.get(state)?.url}${target}`);

describe('the utility routes of the whole service', () => {
  it.each(WELL)('%s is a %i', async (target, status, parameter) => {
    const got = await ask('well', target);
    expect(got).toMatchObject(parameter ? refusal(parameter) : { status, body: { success: status === 200 } });
  });

  it.each(OTHERWISE)('%s: %s is a %i', async (state, target, status) => {
    if (state === 'database-down') await loseDatabase();
    const { status: found, body } = await ask(state, target);
    expect(found).toBe(status);
    if (status !== 200) expect(body).toMatchObject({ success: false, status });
  });
});

/** Nobody gets into the database any more, and the sessions in it end. */
async function loseDatabase(): Promise<void> {
  const name = new URL(unreachable.url).pathname.slice(1);
  await database.pool.query(`alter database ${name} with allow_connections false`);
  await database.pool.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
    name,
  ]);
}
