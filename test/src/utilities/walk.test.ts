import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hangmanRoutes } from '../../../src/hangman/hangman-routes.js';
import { seedPhrases } from '../../../src/no/seed-phrases.js';
import { startApi, type TestApi } from '../../support/api.js';
import { publish } from '../../support/coverage.js';
import { answer, type HttpStub, httpStub } from '../../support/http-stub.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { arrivelah, forecast, myMemory, openCage, openCageNone, places } from './payloads.js';
import { type Got, get, movableClock, serve } from './support.js';

/** Goes through every row of the service's description, against the whole service. With --reporter=dot --disable-console-intercept it is printed. */
interface Step {
  route: string;
  row: string;
  /** What is sent, besides the route. */
  query?: string;
  status: number;
  check?: (body: Got['body']) => void;
  /** The service in which state. */
  service?: 'well' | 'without-key' | 'upstreams-down' | 'database-down' | 'two-words';
}

const LAT_LON = 'lat=48.2081&lon=16.3743';
const hundredAndOne = Array.from({ length: 101 }, (_, n) => `word${n}`).join();

const keys =
  (...names: string[]) =>
  (body: Got['body']) =>
    expect(Object.keys(body)).toEqual(names);
const faultOf = (parameter: string) => (body: Got['body']) =>
  expect(body).toMatchObject({ success: false, errors: [{ parameter }] });
const message = (text: string) => (body: Got['body']) => expect(body.message).toBe(text);
const string = expect.any(String);
const number = expect.any(Number);
const bus = {
  eta: string,
  durationMs: number,
  load: string,
  type: string,
  feature: 'WAB',
  destinationCode: '77009',
  tracked: true,
};

const search: Step[] = [
  {
    route: '/weather/search',
    row: 'envelope',
    query: 'q=Vienna',
    status: 200,
    check: keys('success', 'query', 'total', 'results'),
  },
  {
    route: '/weather/search',
    row: 'result fields',
    query: 'q=Vienna',
    status: 200,
    check: (body) =>
      expect(body.results[0]).toEqual({
        name: string,
        displayName: string,
        admin1: string,
        admin2: null,
        country: string,
        countryCode: 'AT',
        lat: number,
        lon: number,
        elevation: number,
        timezone: string,
        population: number,
        kind: 'capital',
      }),
  },
  {
    route: '/weather/search',
    row: 'admin1 may be null',
    query: 'q=Vienna',
    status: 200,
    check: (body) => expect(body.results[2].admin1).toBeNull(),
  },
  {
    route: '/weather/search',
    row: 'countryCode filters',
    query: 'q=Vienna&countryCode=us',
    status: 200,
    check: (body) => expect(body.total).toBe(1),
  },
  {
    route: '/weather/search',
    row: 'count limits',
    query: 'q=Vienna&count=1&countryCode=AT',
    status: 200,
    check: (body) => expect(body.results).toHaveLength(1),
  },
  { route: '/weather/search', row: 'q missing', status: 400, check: faultOf('q') },
  {
    route: '/weather/search',
    row: 'upstream unreachable',
    query: 'q=Graz',
    status: 502,
    service: 'upstreams-down',
  },
];

const weather: Step[] = [
  {
    route: '/weather/current',
    row: 'top level',
    query: LAT_LON,
    status: 200,
    check: keys(
      'success',
      'units',
      'tempUnit',
      'windUnit',
      'timezone',
      'utcOffsetSeconds',
      'current',
      'hourly',
      'daily',
    ),
  },
  {
    route: '/weather/current',
    row: 'current fields',
    query: LAT_LON,
    status: 200,
    check: (body) =>
      keys(
        'time',
        'temperature',
        'apparentTemp',
        'humidity',
        'precipitation',
        'weatherCode',
        'weatherDescription',
        'cloudCover',
        'windSpeed',
        'windGusts',
        'windDirection',
        'pressure',
        'isDay',
      )(body.current),
  },
  {
    route: '/weather/current',
    row: 'next 24 hours',
    query: LAT_LON,
    status: 200,
    check: (body) => {
      expect(body.hourly).toHaveLength(24);
      keys(
        'time',
        'temperature',
        'precipitationProbability',
        'precipitation',
        'weatherCode',
        'weatherDescription',
        'windSpeed',
        'cloudCover',
      )(body.hourly[0]);
    },
  },
  {
    route: '/weather/current',
    row: 'next 7 days',
    query: LAT_LON,
    status: 200,
    check: (body) => {
      expect(body.daily).toHaveLength(7);
      keys(
        'date',
        'weatherCode',
        'weatherDescription',
        'tempMax',
        'tempMin',
        'precipitationSum',
        'precipitationProbabilityMax',
        'windSpeedMax',
        'sunrise',
        'sunset',
      )(body.daily[0]);
    },
  },
  {
    route: '/weather/current',
    row: 'metric by default',
    query: LAT_LON,
    status: 200,
    check: (body) => expect(body).toMatchObject({ units: 'metric', tempUnit: '°C', windUnit: 'km/h' }),
  },
  {
    route: '/weather/current',
    row: 'imperial',
    query: `${LAT_LON}&units=imperial`,
    status: 200,
    check: (body) => expect(body).toMatchObject({ units: 'imperial', tempUnit: '°F', windUnit: 'mph' }),
  },
  { route: '/weather/current', row: 'lat -90', query: 'lat=-90&lon=-180', status: 200 },
  { route: '/weather/current', row: 'lat 90, lon 180', query: 'lat=90&lon=180', status: 200 },
  {
    route: '/weather/current',
    row: 'lat out of range',
    query: 'lat=91&lon=0',
    status: 400,
    check: faultOf('lat'),
  },
  {
    route: '/weather/current',
    row: 'lon out of range',
    query: 'lat=0&lon=181',
    status: 400,
    check: faultOf('lon'),
  },
  { route: '/weather/current', row: 'lat missing', query: 'lon=0', status: 400, check: faultOf('lat') },
  { route: '/weather/current', row: 'lon missing', query: 'lat=0', status: 400, check: faultOf('lon') },
  {
    route: '/weather/current',
    row: 'units unknown',
    query: `${LAT_LON}&units=si`,
    status: 400,
    check: faultOf('units'),
  },
  {
    route: '/weather/current',
    row: 'upstream unreachable',
    query: 'lat=1&lon=1',
    status: 502,
    service: 'upstreams-down',
  },
];

const buses: Step[] = [
  {
    route: '/sg/bus-arrivals',
    row: 'envelope',
    query: 'code=83139',
    status: 200,
    check: (body) => {
      keys('success', 'stopCode', 'fetchedAt', 'services')(body);
      expect(new Date(body.fetchedAt).toISOString()).toBe(body.fetchedAt);
    },
  },
  {
    route: '/sg/bus-arrivals',
    row: 'three buses a service',
    query: 'code=83139',
    status: 200,
    check: (body) =>
      expect(body.services[2]).toEqual({ serviceNo: '10', next: bus, subsequent: bus, subsequent2: bus }),
  },
  {
    route: '/sg/bus-arrivals',
    row: 'feature may be null',
    query: 'code=83139',
    status: 200,
    check: (body) => expect(body.services[3].next.feature).toBeNull(),
  },
  { route: '/sg/bus-arrivals', row: 'code missing', status: 400, check: faultOf('code') },
  {
    route: '/sg/bus-arrivals',
    row: 'code not 5 digits',
    query: 'code=8313',
    status: 400,
    check: faultOf('code'),
  },
  {
    route: '/sg/bus-arrivals',
    row: 'upstream unreachable',
    query: 'code=11111',
    status: 502,
    service: 'upstreams-down',
  },
];

const address: Step[] = [
  {
    route: '/detect/location',
    row: 'fields',
    query: LAT_LON,
    status: 200,
    check: (body) => {
      keys(
        'success',
        'lat',
        'lon',
        'road',
        'suburb',
        'county',
        'city',
        'state',
        'postcode',
        'country',
        'countryCode',
        'formatted',
        'houseNumber',
      )(body);
      expect(body).toMatchObject({ lat: 48.2081, lon: 16.3743, county: null, countryCode: 'AT' });
    },
  },
  {
    route: '/detect/location',
    row: 'lat out of range',
    query: 'lat=-91&lon=0',
    status: 400,
    check: faultOf('lat'),
  },
  { route: '/detect/location', row: 'lon missing', query: 'lat=0', status: 400, check: faultOf('lon') },
  { route: '/detect/location', row: 'no address found', query: 'lat=0&lon=-30', status: 404 },
  {
    route: '/detect/location',
    row: 'no key configured',
    query: LAT_LON,
    status: 500,
    service: 'without-key',
  },
  {
    route: '/detect/location',
    row: 'upstream unreachable',
    query: 'lat=2&lon=2',
    status: 502,
    service: 'upstreams-down',
  },
];

const translation: Step[] = [
  {
    route: '/translate/text',
    row: 'fields',
    query: 'text=Hello&from=en&to=pt-BR',
    status: 200,
    check: (body) => {
      keys('success', 'from', 'to', 'original', 'translated', 'engine')(body);
      expect(body).toMatchObject({ from: 'en', to: 'pt-BR', original: 'Hello', engine: 'mymemory' });
    },
  },
  {
    route: '/translate/text',
    row: 'from left out',
    query: 'text=Hello&to=it',
    status: 200,
    check: (body) => expect(body.from).toBe('en'),
  },
  { route: '/translate/text', row: 'text missing', query: 'to=it', status: 400, check: faultOf('text') },
  { route: '/translate/text', row: 'to missing', query: 'text=a', status: 400, check: faultOf('to') },
  {
    route: '/translate/text',
    row: 'language unknown',
    query: 'text=a&to=zz',
    status: 400,
    check: faultOf('to'),
  },
  {
    route: '/translate/text',
    row: 'upstream unreachable',
    query: 'text=b&to=it',
    status: 502,
    service: 'upstreams-down',
  },
];

const games: Step[] = [
  {
    route: '/random/hangman',
    row: 'fields',
    status: 200,
    check: (body) => {
      keys('success', 'word', 'hint', 'maxGuesses', 'total')(body);
      expect(body).toMatchObject({ success: true, word: string, hint: string, maxGuesses: 6 });
      expect(body.total).toBeGreaterThanOrEqual(1_200);
    },
  },
  {
    route: '/random/hangman',
    row: 'maxGuesses of wordguess',
    query: 'game=wordguess',
    status: 200,
    check: (body) => expect(body.maxGuesses).toBe(body.word.length >= 5 ? 8 : 6),
  },
  {
    route: '/random/hangman',
    row: 'game unknown',
    query: 'game=chess',
    status: 400,
    check: message('"game" must be "hangman" or "wordguess".'),
  },
  { route: '/random/hangman', row: '100 words', query: `exclude=${hundredAndOne.slice(6)}`, status: 200 },
  {
    route: '/random/hangman',
    row: 'more than 100 words',
    query: `exclude=${hundredAndOne}`,
    status: 400,
    check: message('"exclude" cannot contain more than 100 words.'),
  },
  {
    route: '/random/hangman',
    row: 'all words excluded',
    query: 'exclude=barge,pump',
    status: 400,
    check: message('All words have been excluded.'),
    service: 'two-words',
  },
  {
    route: '/no',
    row: 'fields',
    status: 200,
    check: (body) => {
      keys('success', 'reason')(body);
      expect(body).toEqual({ success: true, reason: string });
    },
  },
  { route: '/no', row: 'database unreachable', status: 502, service: 'database-down' },
];

const unaffected: Step[] = [
  '/v2/rates',
  '/v2/currencies',
  '/v2/currency/EUR',
  '/v2/providers',
  '/random/hangman',
  '/no',
  '/health/live',
  '/openapi.json',
].map((route) => ({
  route,
  row: 'with all upstreams down',
  status: 200,
  service: 'upstreams-down' as const,
}));

const steps = [...search, ...weather, ...buses, ...address, ...translation, ...games, ...unaffected];

const table: string[][] = [];
const services = new Map<string, Pick<TestApi, 'url' | 'close'>>();
let database: TestDatabase;
let unreachable: TestDatabase;
let stub: HttpStub;

beforeAll(async () => {
  [database, unreachable, stub] = await Promise.all([testDatabase(), testDatabase(), startStub()]);
  await seedPhrases(database);
  await database.pool.query(
    `insert into blended_days (date, quote, rate) values ('2026-03-18', 'USD', 1), ('2026-03-18', 'EUR', 0.87)`,
  );
  await publish(database, [['ECB', 'EUR', '1999-01-04', '2026-03-18']]);
  const { clock } = movableClock('2026-11-21T06:00:00Z');
  const up = upstreamsAt(stub.url);
  const down = upstreamsAt('http://127.0.0.1:1');
  services.set('well', await startApi(database, { clock, variables: { ...up, OPENCAGE_API_KEY: 'key' } }));
  services.set('without-key', await startApi(database, { clock, variables: up }));
  services.set(
    'upstreams-down',
    await startApi(database, { clock, variables: { ...down, OPENCAGE_API_KEY: 'key' } }),
  );
  services.set('database-down', await startApi(unreachable, { clock, variables: up }));
  const words = ['barge', 'pump'].map((word) => ({ word, hint: 'A word' }));
  services.set('two-words', await serve(hangmanRoutes(words)));
  await unreachable.pool.query('select 1');
});

afterAll(async () => {
  for (const service of services.values()) await service.close();
  await Promise.all([database?.close(), unreachable?.close(), stub?.close()]);
  if (process.env.npm_lifecycle_event === 'walk') process.stdout.write(formatTable());
});

async function startStub(): Promise<HttpStub> {
  return httpStub({
    '/v1/search': answer(places),
    '/v1/forecast': answer(forecast('2026-11-21T06:00:00Z')),
    '/': answer(arrivelah),
    '/geocode/v1/json': ({ query }, response) => {
      const atSea = query.get('q')?.startsWith('0.0000');
      response.end(JSON.stringify(atSea ? openCageNone : openCage));
    },
    '/get': answer(myMemory('Olá')),
  });
}

function upstreamsAt(url: string) {
  return {
    OPEN_METEO_URL: url,
    OPEN_METEO_GEOCODING_URL: url,
    BUS_ARRIVALS_URL: url,
    GEOCODER_URL: url,
    TRANSLATE_URL: url,
  };
}

function formatTable(): string {
  const rows = [['route', 'case', 'status', 'ok'], ...table];
  const widths = [0, 1, 2, 3].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return `\n${lines.join('\n')}\n\n${table.filter((row) => row[3] === 'yes').length} of ${table.length} ok\n`;
}

describe('the walk', () => {
  it.each(steps)('$route: $row', async ({ route, row, query, status, check, service = 'well' }) => {
    const url = services.get(service)?.url;
    if (service === 'database-down') await loseDatabase();
    const got = await get(`${url}${route}${query === undefined ? '' : `?${query}`}`);
    const line = [route, row, String(got.status), 'NO'];
    table.push(line);
    expect(got.status).toBe(status);
    if (status !== 200) expect(got.body).toMatchObject({ success: false, status });
    check?.(got.body);
    line[3] = 'yes';
  });
});

/** Nobody gets into the database any more, and who is in is thrown out. */
async function loseDatabase(): Promise<void> {
  const name = new URL(unreachable.url).pathname.slice(1);
  await database.pool.query(`alter database ${name} with allow_connections false`);
  await database.pool.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
    name,
  ]);
}
