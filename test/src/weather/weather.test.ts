import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeWeather } from '../../../src/weather/weather-codes.js';
import { weatherRoutes } from '../../../src/weather/weather-routes.js';
import { answer, type HttpStub, httpStub } from '../../support/http-stub.js';
import { forecast, places } from '../utilities/payloads.js';
import { type MovableClock, movableClock, refusal, relayingContext, serve } from '../utilities/support.js';

let stub: HttpStub;
let time: MovableClock;
let api: Awaited<ReturnType<typeof serve>>;

beforeEach(async () => {
  stub = await httpStub({ '/v1/search': answer(places), '/v1/forecast': answer(forecast()) });
  time = movableClock('2026-11-21T06:15:00Z');
  api = await start();
});
afterEach(async () => {
  await api.close();
  await stub.close();
});

function start(variables: Record<string, string> = {}) {
  const context = relayingContext({
    variables: { OPEN_METEO_URL: stub.url, OPEN_METEO_GEOCODING_URL: stub.url, ...variables },
    clock: time.clock,
  });
  return serve(weatherRoutes(context));
}

describe('GET /weather/search', () => {
  it('answers every field, in order, complete where the upstream leaves out', async () => {
    const { status, body } = await api.get('/weather/search?q=%20Vienna%20');
    expect(status).toBe(200);
    expect(JSON.stringify(body)).toBe(
      JSON.stringify({
        success: true,
        query: 'Vienna',
        total: 3,
        results: [
          {
            name: 'Vienna',
            displayName: 'Vienna, Austria',
            admin1: 'Vienna',
            admin2: null,
            country: 'Austria',
            countryCode: 'AT',
            lat: 48.20849,
            lon: 16.37208,
            elevation: 171,
            timezone: 'Europe/Vienna',
            population: 1691468,
            kind: 'capital',
          },
          {
            name: 'Vienna',
            displayName: 'Vienna, Virginia, United States',
            admin1: 'Virginia',
            admin2: 'Fairfax',
            country: 'United States',
            countryCode: 'US',
            lat: 38.90122,
            lon: -77.26526,
            elevation: 119,
            timezone: 'America/New_York',
            population: 16522,
            kind: 'city',
          },
          {
            name: 'Vienna Court',
            displayName: 'Vienna Court, Hong Kong SAR China',
            admin1: null,
            admin2: null,
            country: 'Hong Kong SAR China',
            countryCode: 'HK',
            lat: 22.3,
            lon: 114.2,
            elevation: 0,
            timezone: 'Asia/Hong_Kong',
            population: 0,
            kind: 'district',
          },
        ],
      }),
    );
  });

  it('asks for ten in English, or as many as wanted', async () => {
    await api.get('/weather/search?q=Vienna');
    await api.get('/weather/search?q=Vienna&count=33');
    expect(stub.requests.map(({ query }) => Object.fromEntries(query))).toEqual([
      { name: 'Vienna', count: '10', language: 'en', format: 'json' },
      { name: 'Vienna', count: '33', language: 'en', format: 'json' },
    ]);
  });

  it('asks for names in another language, of which the copies are its own', async () => {
    await api.get('/weather/search?q=Wien&lang=DE');
    await api.get('/weather/search?q=Wien&lang=de');
    await api.get('/weather/search?q=Wien');
    expect(stub.requests.map(({ query }) => query.get('language'))).toEqual(['de', 'en']);
    expect(await api.get('/weather/search?q=Wien&lang=german')).toMatchObject(refusal('lang'));
  });

  it.each([
    ['PPLC', 'capital'],
    ['PPL', 'city'],
    ['PPLA2', 'city'],
    ['PPLX', 'district'],
    ['PCLI', 'country'],
    ['ADM1', 'region'],
    ['ISL', 'island'],
    ['MT', 'mountain'],
    ['PK', 'mountain'],
    ['LK', 'water'],
    ['PRK', 'park'],
    ['AIRP', 'airport'],
    ['CAVE', 'other'],
    [undefined, 'other'],
  ])('says of a %s that it is a %s', async (feature_code, kind) => {
    const [place] = places.results;
    stub.route('/v1/search', answer({ results: [{ ...place, feature_code }] }));
    expect((await api.get('/weather/search?q=Vienna')).body.results[0].kind).toBe(kind);
  });

  it('filters by country itself, in any case, and cuts to size afterwards', async () => {
    const { body } = await api.get('/weather/search?q=Vienna&countryCode=us&count=1');
    expect(body.results.map((place: { countryCode: string }) => place.countryCode)).toEqual(['US']);
    expect(stub.requests[0]?.query.get('countryCode')).toBe('US');
    expect(stub.requests[0]?.query.get('count')).toBe('100');
  });

  it('answers nothing found with an empty list', async () => {
    stub.route('/v1/search', answer({ generationtime_ms: 0.1 }));
    expect(await api.get('/weather/search?q=Xyzzy')).toMatchObject({
      status: 200,
      body: { success: true, query: 'Xyzzy', total: 0, results: [] },
    });
  });

  it('reads a plus sign as a blank', async () => {
    expect((await api.get('/weather/search?q=Bad+T%C3%B6lz')).body.query).toBe('Bad Tölz');
  });

  it('keeps answers for a day, whatever the case of the question', async () => {
    await api.get('/weather/search?q=Vienna');
    time.pass(24 * 3600 - 1);
    const { headers, body } = await api.get('/weather/search?q=VIENNA');
    expect(stub.requests).toHaveLength(1);
    expect(body.query).toBe('VIENNA');
    expect(headers).toMatchObject({ 'cache-control': 'public, max-age=86400', age: '86399' });
  });

  it('answers a copy of any age when the upstream is down, else a 502', async () => {
    await api.get('/weather/search?q=Vienna');
    time.pass(200 * 24 * 3600);
    stub.route('/v1/search', answer({ error: true, reason: 'SECRET' }, 400));
    expect(await api.get('/weather/search?q=Vienna')).toMatchObject({ status: 200, body: { total: 3 } });
    const { status, body } = await api.get('/weather/search?q=Graz');
    expect(status).toBe(502);
    expect(JSON.stringify(body)).not.toContain('SECRET');
  });
});

describe('GET /weather/current', () => {
  const path = '/weather/current?lat=1.3&lon=103.8';

  it('answers every field in order', async () => {
    const { status, headers, body } = await api.get(path);
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'cache-control': 'public, max-age=600', age: '0' });
    expect(JSON.stringify({ ...body, hourly: body.hourly[0], daily: body.daily[0] })).toBe(
      JSON.stringify({
        success: true,
        units: 'metric',
        tempUnit: '°C',
        windUnit: 'km/h',
        timezone: 'Asia/Singapore',
        utcOffsetSeconds: 28800,
        current: {
          time: '2026-11-21T14:15',
          temperature: 27.4,
          apparentTemp: 32.1,
          humidity: 81,
          precipitation: 0.6,
          weatherCode: 53,
          weatherDescription: 'Moderate drizzle',
          cloudCover: 92,
          windSpeed: 9.4,
          windGusts: 21.6,
          windDirection: 211,
          pressure: 1007.2,
          isDay: true,
        },
        hourly: {
          time: '2026-11-21T14:00',
          temperature: 0,
          precipitationProbability: 40,
          precipitation: 0.2,
          weatherCode: 61,
          weatherDescription: 'Slight rain',
          windSpeed: 8.5,
          cloudCover: 70,
        },
        daily: {
          date: '2026-11-21',
          weatherCode: 95,
          weatherDescription: 'Thunderstorm',
          tempMax: 31.5,
          tempMin: 24.8,
          precipitationSum: 4.6,
          precipitationProbabilityMax: 77,
          windSpeedMax: 14.2,
          sunrise: '2026-11-21T06:46',
          sunset: '2026-11-21T18:50',
        },
      }),
    );
    expect(body.hourly).toHaveLength(24);
    expect(body.daily).toHaveLength(7);
  });

  it('names its own units, and asks for precipitation in mm in both', async () => {
    const { body } = await api.get(`${path}&units=imperial`);
    expect(body).toMatchObject({ units: 'imperial', tempUnit: '°F', windUnit: 'mph' });
    const query = stub.requests[0]?.query;
    expect(query?.get('temperature_unit')).toBe('fahrenheit');
    expect(query?.get('wind_speed_unit')).toBe('mph');
    expect(query?.has('precipitation_unit')).toBe(false);
    expect(query?.get('timezone')).toBe('auto');
  });

  it('asks once for all who ask the same at once', async () => {
    stub.route('/v1/forecast', async (_, response) => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      response.end(JSON.stringify(forecast()));
    });
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.get(path)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(stub.requests).toHaveLength(1);
  });

  it('rounds coordinates to 2 decimals, for the upstream and for its copies', async () => {
    await api.get('/weather/current?lat=1.3004&lon=103.8001');
    await api.get('/weather/current?lat=1.2999&lon=103.80');
    expect(stub.requests).toHaveLength(1);
    expect(stub.requests[0]?.query.get('latitude')).toBe('1.30');
    await api.get('/weather/current?lat=1.30&lon=103.80&units=imperial');
    expect(stub.requests).toHaveLength(2);
  });

  it('keeps the window of a copy on the hour that has begun and on today', async () => {
    // 23:50 local time: ten minutes before the next hour and the next day.
    time = movableClock('2026-11-21T15:50:00Z');
    await api.close();
    api = await start();
    stub.route('/v1/forecast', answer(forecast('2026-11-21T15:50:00Z')));
    const before = await api.get(path);
    expect(before.body.hourly[0].time).toBe('2026-11-21T23:00');
    expect(before.body.daily[0].date).toBe('2026-11-21');
    time.pass(595);
    expect((await api.get(path)).body.hourly[0].time).toBe('2026-11-21T23:00');
    stub.route('/v1/forecast', answer('', 503));
    time.pass(6_600);
    const after = await api.get(path);
    expect(after.headers.age).toBe('7195');
    expect(after.body.hourly[0].time).toBe('2026-11-22T01:00');
    expect(after.body.daily[0].date).toBe('2026-11-22');
    expect(after.body.hourly).toHaveLength(24);
    expect(after.body.daily).toHaveLength(7);
    time.pass(6);
    expect((await api.get(path)).status).toBe(502);
  });

  it('shows 24 and 7 of an upstream that gives no more than that', async () => {
    stub.route('/v1/forecast', answer(forecast('2020-02-29T06:15:00Z', 24, 7)));
    const { body } = await api.get(path);
    expect([body.hourly.length, body.daily.length]).toEqual([24, 7]);
  });

  it('passes on that a value is missing, and tames impossible ones', async () => {
    const given = forecast();
    given.current.wind_gusts_10m = null;
    given.current.weather_code = null;
    given.hourly.precipitation_probability[3] = null;
    given.hourly.precipitation[4] = -3276.8;
    given.hourly.precipitation_probability[4] = 101;
    given.hourly.weather_code[4] = 256;
    stub.route('/v1/forecast', answer(given));
    const { status, body } = await api.get(path);
    expect(status).toBe(200);
    expect(body.current).toMatchObject({
      windGusts: null,
      weatherCode: null,
      weatherDescription: 'Unknown',
    });
    expect(body.hourly[3].precipitationProbability).toBeNull();
    expect(body.hourly[4]).toMatchObject({
      precipitation: 0,
      precipitationProbability: 100,
      weatherDescription: 'Unknown',
    });
  });

  it.each([
    ['the four quarters up to the current time', [9, 0.1, 0.2, -3, 0.3], 0.6],
    ['the quarters without errors of binary fractions', [9, 0.1, 0.1, 0.1, 0.4], 0.7],
    ['the hour that has begun where a quarter is missing', [9, 0.1, null, 0.2, 0.3], 0.2],
  ])('gives the precipitation of the last hour: %s', async (_, precipitation, wanted) => {
    const given = forecast();
    stub.route('/v1/forecast', answer({ ...given, minutely_15: { ...given.minutely_15, precipitation } }));
    expect((await api.get(path)).body.current.precipitation).toBe(wanted);
    const query = stub.requests[0]?.query;
    expect(query?.get('minutely_15')).toBe('precipitation');
    expect(query?.get('past_minutely_15')).toBe('4');
  });

  it('does without quarters, night or day, and sunrises', async () => {
    const { minutely_15: _, daily, current, ...given } = forecast();
    const sunrise = ['1970-01-01T00:00', null, ...daily.sunrise.slice(2)];
    const sunset = ['2026-11-22T00:01', 'never', ...daily.sunset.slice(2)];
    const night = { ...current, is_day: 0 };
    stub.route('/v1/forecast', answer({ ...given, current: night, daily: { ...daily, sunrise, sunset } }));
    const { body } = await api.get(path);
    expect(body.current).toMatchObject({ precipitation: 0.2, isDay: false });
    expect(body.daily.slice(0, 3)).toMatchObject([
      { sunrise: null, sunset: '2026-11-22T00:01' },
      { sunrise: null, sunset: null },
      { sunrise: '2026-11-23T06:46', sunset: '2026-11-23T18:50' },
    ]);
  });

  it('takes minus zero for zero', async () => {
    await api.get('/weather/current?lat=-0.001&lon=-0');
    await api.get('/weather/current?lat=0.00&lon=-0.004');
    expect(stub.requests).toHaveLength(1);
    expect(stub.requests[0]?.query.get('latitude')).toBe('0.00');
    expect(stub.requests[0]?.query.get('longitude')).toBe('0.00');
  });

  it('asks again in GMT where the upstream knows no time zone', async () => {
    stub.route('/v1/forecast', ({ query }, response) => {
      if (query.get('timezone') === 'GMT') response.end(JSON.stringify({ ...forecast(), timezone: 'GMT' }));
      else response.writeHead(400).end('{"error":true,"reason":"Invalid timezone"}');
    });
    expect((await api.get(path)).body.timezone).toBe('GMT');
  });

  it.each([
    ['unequal columns', { ...forecast(), hourly: { ...forecast().hourly, cloud_cover: [1] } }],
    ['no hourly block', { ...forecast(), hourly: undefined }],
    ['a list of places', [forecast()]],
    ['words for numbers', { ...forecast(), current: { ...forecast().current, temperature_2m: 'hot' } }],
    ['an offset beyond any time zone', { ...forecast(), utc_offset_seconds: 8_640_000_000_000 }],
    ['an offset of a day', { ...forecast(), utc_offset_seconds: -86_400 }],
    ['a time that is none', { ...forecast(), current: { ...forecast().current, time: '2026-13-41T25:61' } }],
    ['a time in UTC', { ...forecast(), current: { ...forecast().current, time: '2026-11-21T14:15Z' } }],
    ['23 hours', forecast(undefined, 23, 8)],
    ['6 days', forecast(undefined, 27, 6)],
    ['no hours and no days', forecast(undefined, 0, 0)],
  ])('is a 502 for %s, of which no copy is kept', async (_, body) => {
    stub.route('/v1/forecast', answer(body));
    expect(await api.get(path)).toMatchObject({ status: 502, body: { success: false, status: 502 } });
    stub.route('/v1/forecast', answer(forecast()));
    expect(await api.get(path)).toMatchObject({ status: 200, headers: { age: '0' } });
  });

  it('sends its key by header', async () => {
    await api.close();
    api = await start({ OPEN_METEO_API_KEY: 'open-sesame' });
    await api.get(path);
    expect(stub.requests[0]?.headers['x-api-key']).toBe('open-sesame');
    expect(stub.requests[0]?.query.toString()).not.toContain('open-sesame');
  });
});

describe('weather codes', () => {
  it('all have a description from 0 to 99', () => {
    const described = Array.from({ length: 100 }, (_, code) => describeWeather(code));
    expect(described.filter((text) => text === 'Unknown' || text === '')).toEqual([]);
    expect(new Set(described).size).toBe(100);
  });

  it.each([
    [0, 'Clear sky'],
    [3, 'Overcast'],
    [45, 'Fog'],
    [48, 'Depositing rime fog'],
    [55, 'Dense drizzle'],
    [65, 'Heavy rain'],
    [77, 'Snow grains'],
    [82, 'Violent rain showers'],
    [95, 'Thunderstorm'],
    [96, 'Thunderstorm with slight hail'],
    [99, 'Thunderstorm with heavy hail'],
    [100, 'Unknown'],
    [-1, 'Unknown'],
    [1.5, 'Unknown'],
    [null, 'Unknown'],
  ])('%s is %s', (code, text) => {
    expect(describeWeather(code)).toBe(text);
  });
});
