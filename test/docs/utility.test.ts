import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataFile } from '../../core/process/project-files.js';
import { seedPhrases } from '../../src/no/seed-phrases.js';
import { forecast, myMemory, openCage } from '../src/utilities/payloads.js';
import { startApi, type TestApi } from '../support/api.js';
import { answer, type HttpStub, httpStub } from '../support/http-stub.js';
import { type TestDatabase, testDatabase } from '../support/postgres.js';
import { curlMissing, documented, examplesOf, run } from './examples.js';

/** Of the example of buses; it is late enough for all others. */
const BUSES_AT = '2025-05-03T08:18:30.000Z';
const WEATHER_AT = '2026-09-30T06:15:00Z';

/** What upstreams would have to send for the responses that docs/utility.md shows. */
const upstreams = {
  '/v1/search': {
    results: [
      {
        name: 'Berlin',
        latitude: 52.52437,
        longitude: 13.41053,
        elevation: 74,
        feature_code: 'PPLC',
        country_code: 'DE',
        timezone: 'Europe/Berlin',
        population: 3426354,
        country: 'Germany',
        admin1: 'State of Berlin',
      },
    ],
  },
  '/v1/forecast': weather(),
  '/': {
    services: [{ no: '155', operator: 'SBST', next: bus(747), subsequent: bus(1562), next2: bus(1562) }],
  },
  '/geocode/v1/json': {
    ...openCage,
    results: [
      {
        components: {
          'ISO_3166-1_alpha-2': 'DE',
          city: 'Berlin',
          country: 'Germany',
          country_code: 'de',
          house_number: '1',
          postcode: '10117',
          road: 'Pariser Platz',
          state: 'Berlin',
          suburb: 'Mitte',
        },
        confidence: 9,
        formatted: 'Brandenburg Gate, Pariser Platz 1, 10117 Berlin, Germany',
        geometry: { lat: 52.5163, lng: 13.3777 },
      },
    ],
  },
  '/get': myMemory('Ciao Mondo!'),
};

function weather() {
  const made = forecast(WEATHER_AT);
  Object.assign(made.current, {
    temperature_2m: 29.9,
    relative_humidity_2m: 76,
    apparent_temperature: 35.6,
    weather_code: 95,
    cloud_cover: 100,
    surface_pressure: 1006.3,
    wind_speed_10m: 11,
    wind_direction_10m: 188,
    wind_gusts_10m: 24.8,
  });
  made.minutely_15.precipitation = [9, 0.3, 0.3, 0.3, 0.2];
  const { hourly, daily } = made;
  const first = <T>(values: T[], value: T) => {
    values[0] = value;
  };
  first(hourly.temperature_2m, 31.2);
  first(hourly.precipitation_probability, 78);
  first(hourly.precipitation, 4.2);
  first(hourly.weather_code, 95);
  first(hourly.wind_speed_10m, 11.2);
  first(hourly.cloud_cover, 100);
  first(daily.temperature_2m_max, 31.3);
  first(daily.temperature_2m_min, 25.4);
  first(daily.precipitation_sum, 12.4);
  first(daily.precipitation_probability_max, 84);
  first(daily.wind_speed_10m_max, 14);
  first(daily.sunrise, '2026-09-30T06:54');
  first(daily.sunset, '2026-09-30T19:01');
  return made;
}

function bus(seconds: number) {
  return {
    time: new Date(Date.parse(BUSES_AT) + seconds * 1000).toISOString(),
    duration_ms: seconds * 1000,
    lat: 1.31,
    lng: 103.9,
    load: 'SEA',
    feature: 'WAB',
    type: 'SD',
    visit_number: 1,
    origin_code: '77009',
    destination_code: '84009',
    monitored: 1,
  };
}

describe.skipIf(curlMissing)('the examples of the utility routes', () => {
  const examples = examplesOf('docs/utility.md');
  let now = '';
  let database: TestDatabase;
  let stub: HttpStub;
  let api: TestApi;

  beforeAll(async () => {
    database = await testDatabase();
    await seedPhrases(database);
    stub = await httpStub(
      Object.fromEntries(Object.entries(upstreams).map(([path, body]) => [path, answer(body)])),
    );
    api = await startApi(database, {
      clock: () => new Date(now),
      variables: {
        OPEN_METEO_URL: stub.url,
        OPEN_METEO_GEOCODING_URL: stub.url,
        BUS_ARRIVALS_URL: stub.url,
        GEOCODER_URL: stub.url,
        OPENCAGE_API_KEY: 'key',
        TRANSLATE_URL: stub.url,
      },
    });
  });
  afterAll(async () => {
    await api?.close();
    await stub?.close();
    await database?.close();
  });

  it('are found, one at least for each of the seven routes', () => {
    expect(examples.map(({ command }) => /8080(\/[\w/-]+)/.exec(command)?.[1])).toEqual([
      '/weather/search',
      '/weather/current',
      '/sg/bus-arrivals',
      '/detect/location',
      '/translate/text',
      '/translate/text',
      '/random/hangman',
      '/no',
    ]);
  });

  it.each(examples)('$command', async ({ command, response }) => {
    now = command.includes('/sg/') ? BUSES_AT : WEATHER_AT;
    const real = JSON.parse(await run(command, api.url));
    if (response === undefined) {
      expect(real).toMatchObject({ success: true });
      return;
    }
    const shown = documented(response);
    // Their order counts too.
    expect(JSON.stringify(asShown(real, shown), null, 2)).toBe(JSON.stringify(shown, null, 2));
  });

  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  function asShown(real: any, shown: any): unknown {
    if ('hourly' in real) {
      expect([real.hourly.length, real.daily.length]).toEqual([24, 7]);
      return { ...real, hourly: real.hourly.slice(0, 1), daily: real.daily.slice(0, 1) };
    }
    if ('word' in real) {
      const words = JSON.parse(readFileSync(dataFile('words.json'), 'utf8')) as unknown[];
      expect(words).toContainEqual(expect.objectContaining({ word: shown.word, hint: shown.hint }));
      return { ...real, word: shown.word, hint: shown.hint, maxGuesses: shown.maxGuesses };
    }
    if ('reason' in real) {
      expect(JSON.parse(readFileSync(dataFile('phrases.json'), 'utf8'))).toContain(shown.reason);
      return { ...real, reason: shown.reason };
    }
    return real;
  }
});
