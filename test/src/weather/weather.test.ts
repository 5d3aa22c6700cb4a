import { expect, it } from 'vitest';
import { describeWeather } from '../../../src/weather/current.js';
import { weatherRoutes } from '../../../src/weather/weather-routes.js';
import { answer } from '../../support/http-stub.js';
import { forecast, places } from '../utilities/payloads.js';
import { columns, refusal, relayOf } from '../utilities/support.js';

const answers = { '/v1/search': answer(places), '/v1/forecast': answer(forecast()) };
const relay = relayOf(weatherRoutes, answers, '2026-11-21T06:15:00Z');

it('GET /weather/search answers every field, in order, complete where the upstream leaves out', async () => {
  const { status, body } = await relay.get('/weather/search?q=%20Vienna%20');
  expect(status).toBe(200);
  expect(columns(body)[0]).toBe('success,query,total,results');
  expect(body).toMatchObject({ success: true, query: 'Vienna', total: 3 });
  const fields = 'name,displayName,admin1,admin2,country,countryCode,lat,lon,elevation,timezone,population';
  expect(body.results.map(columns)).toEqual(
    [
      '["Vienna","Vienna, Austria","Vienna",null,"Austria","AT",48.20849,16.37208,171,"Europe/Vienna",1691468]',
      '["Vienna","Vienna, Virginia, United States","Virginia","Fairfax","United States","US",38.90122,-77.26526,119,"America/New_York",16522]',
      '["Vienna Court","Vienna Court, Hong Kong SAR China",null,null,"Hong Kong SAR China","HK",22.3,114.2,0,"Asia/Hong_Kong",0]',
    ].map((values) => [fields, values]),
  );
});

it('GET /weather/search asks for ten in English, or as many as wanted', async () => {
  for (const count of ['', '&count=33']) await relay.get(`/weather/search?q=Vienna${count}`);
  const asked = relay.stub.requests.map(({ query }) => query.toString());
  expect(asked).toEqual(['10', '33'].map((count) => `name=Vienna&count=${count}&language=en&format=json`));
});

it('GET /weather/search asks for names in another language, of which the copies are its own', async () => {
  await relay.get('/weather/search?q=Wien&lang=DE');
  await relay.get('/weather/search?q=Wien&lang=de');
  await relay.get('/weather/search?q=Wien');
  expect(relay.stub.requests.map(({ query }) => query.get('language'))).toEqual(['de', 'en']);
  expect(await relay.get('/weather/search?q=Wien&lang=german')).toMatchObject(refusal('lang'));
});

it('GET /weather/search filters by country itself, in any case, and cuts to size afterwards', async () => {
  const { body } = await relay.get('/weather/search?q=Vienna&countryCode=us&count=1');
  expect(body.results).toMatchObject([{ countryCode: 'US' }]);
  const asked = Object.fromEntries(relay.stub.requests[0]?.query ?? []);
  expect(asked).toMatchObject({ countryCode: 'US', count: '100' });
});

it('GET /weather/search answers nothing found with an empty list, and reads a plus sign as a blank', async () => {
  relay.stub.route('/v1/search', answer({ generationtime_ms: 0.1 }));
  const { status, body } = await relay.get('/weather/search?q=Bad+T%C3%B6lz');
  expect([status, body]).toEqual([200, { success: true, query: 'Bad Tölz', total: 0, results: [] }]);
});

it('GET /weather/search keeps answers for a day, whatever the case of the question', async () => {
  await relay.get('/weather/search?q=Vienna');
  relay.time.pass(24 * 3600 - 1);
  const { headers, body } = await relay.get('/weather/search?q=VIENNA');
  expect(relay.stub.requests).toHaveLength(1);
  expect(body.query).toBe('VIENNA');
  expect(headers).toMatchObject({ 'cache-control': 'public, max-age=86400', age: '86399' });
});

it('GET /weather/search answers a copy of any age when the upstream is down, else a 502', async () => {
  await relay.get('/weather/search?q=Vienna');
  relay.time.pass(200 * 24 * 3600);
  relay.stub.route('/v1/search', answer({ error: true, reason: 'SECRET' }, 400));
  expect(await relay.get('/weather/search?q=Vienna')).toMatchObject({ status: 200, body: { total: 3 } });
  const { status, body } = await relay.get('/weather/search?q=Graz');
  expect(status).toBe(502);
  expect(JSON.stringify(body)).not.toContain('SECRET');
});

const path = '/weather/current?lat=1.3&lon=103.8';

it('GET /weather/current answers every field in order', async () => {
  const { status, headers, body } = await relay.get(path);
  expect(status).toBe(200);
  expect(headers).toMatchObject({ 'cache-control': 'public, max-age=600', age: '0' });
  const { current, hourly, daily, ...rest } = body;
  expect(columns(body)[0]).toBe(
    'success,units,tempUnit,windUnit,timezone,utcOffsetSeconds,current,hourly,daily',
  );
  expect(columns(rest)[1]).toBe('[true,"metric","°C","km/h","Asia/Singapore",28800]');
  expect(columns(current)).toEqual([
    'time,temperature,apparentTemp,humidity,precipitation,weatherCode,weatherDescription,cloudCover,windSpeed,windGusts,windDirection,pressure,isDay',
    '["2026-11-21T14:15",27.4,32.1,81,0.6,53,"Moderate drizzle",92,9.4,21.6,211,1007.2,true]',
  ]);
  expect(columns(hourly[0])).toEqual([
    'time,temperature,precipitationProbability,precipitation,weatherCode,weatherDescription,windSpeed,cloudCover',
    '["2026-11-21T14:00",0,40,0.2,61,"Slight rain",8.5,70]',
  ]);
  expect(columns(daily[0])).toEqual([
    'date,weatherCode,weatherDescription,tempMax,tempMin,precipitationSum,precipitationProbabilityMax,windSpeedMax',
    '["2026-11-21",95,"Thunderstorm",31.5,24.8,4.6,77,14.2]',
  ]);
  expect(body.hourly).toHaveLength(24);
  expect(body.daily).toHaveLength(7);
});

it('GET /weather/current names its own units, and asks for precipitation in mm in both', async () => {
  const { body } = await relay.get(`${path}&units=imperial`);
  expect(body).toMatchObject({ units: 'imperial', tempUnit: '°F', windUnit: 'mph' });
  const asked = Object.fromEntries(relay.stub.requests[0]?.query ?? []);
  expect(asked).toMatchObject({ temperature_unit: 'fahrenheit', wind_speed_unit: 'mph', timezone: 'auto' });
  expect(asked).not.toHaveProperty('precipitation_unit');
});

it.each([
  ['lat=1.3004&lon=103.8001', 'lat=1.2999&lon=103.80', '1.30', '103.80'],
  ['lat=-0.001&lon=-0', 'lat=0.00&lon=-0.004', '0.00', '0.00'],
])('GET /weather/current takes %s and %s for one point', async (one, other, ...point) => {
  await relay.get(`/weather/current?${one}`);
  await relay.get(`/weather/current?${other}`);
  expect(relay.stub.requests).toHaveLength(1);
  const query = relay.stub.requests[0]?.query;
  expect([query?.get('latitude'), query?.get('longitude')]).toEqual(point);
  await relay.get(`/weather/current?${one}&units=imperial`);
  expect(relay.stub.requests).toHaveLength(2);
});

it('GET /weather/current keeps the window of a copy on the hour that has begun and on today', async () => {
  // 23:50 local time: ten minutes before the next hour and the next day.
  await relay.restart({}, '2026-11-21T15:50:00Z');
  relay.stub.route('/v1/forecast', answer(forecast('2026-11-21T15:50:00Z')));
  const window = async () => {
    const { headers, body } = await relay.get(path);
    return [headers.age, body.hourly[0].time, body.hourly.length, body.daily[0].date, body.daily.length];
  };
  expect(await window()).toEqual(['0', '2026-11-21T23:00', 24, '2026-11-21', 7]);
  relay.time.pass(595);
  expect(await window()).toEqual(['595', '2026-11-21T23:00', 24, '2026-11-21', 7]);
  relay.stub.route('/v1/forecast', answer('', 503));
  relay.time.pass(6_600);
  expect(await window()).toEqual(['7195', '2026-11-22T01:00', 24, '2026-11-22', 7]);
  relay.time.pass(6);
  expect((await relay.get(path)).status).toBe(502);
});

it('GET /weather/current shows 24 and 7 of an upstream that gives no more than that', async () => {
  relay.stub.route('/v1/forecast', answer(forecast('2020-02-29T06:15:00Z', 24, 7)));
  const { hourly, daily } = (await relay.get(path)).body;
  expect([hourly.length, daily.length]).toEqual([24, 7]);
});

it('GET /weather/current passes on that a value is missing, and tames impossible ones', async () => {
  const given = forecast();
  given.current.wind_gusts_10m = null;
  given.current.weather_code = null;
  given.hourly.precipitation_probability[3] = null;
  given.hourly.precipitation[4] = -3276.8;
  given.hourly.precipitation_probability[4] = 101;
  given.hourly.weather_code[4] = 256;
  relay.stub.route('/v1/forecast', answer(given));
  const { status, body } = await relay.get(path);
  expect(status).toBe(200);
  const weatherDescription = 'Unknown';
  expect(body.current).toMatchObject({ windGusts: null, weatherCode: null, weatherDescription });
  const tamed = { precipitation: 0, precipitationProbability: 100, weatherDescription };
  expect(body.hourly.slice(3, 5)).toMatchObject([{ precipitationProbability: null }, tamed]);
});

it.each([
  ['the four quarters up to the current time', [9, 0.1, 0.2, -3, 0.3], 0.6],
  ['the quarters without errors of binary fractions', [9, 0.1, 0.1, 0.1, 0.4], 0.7],
  ['the hour that has begun where a quarter is missing', [9, 0.1, null, 0.2, 0.3], 0.2],
])('GET /weather/current gives the precipitation of the last hour: %s', async (_, precipitation, wanted) => {
  const given = forecast();
  given.minutely_15.precipitation = precipitation;
  relay.stub.route('/v1/forecast', answer(given));
  expect((await relay.get(path)).body.current.precipitation).toBe(wanted);
  const query = Object.fromEntries(relay.stub.requests[0]?.query ?? []);
  expect(query).toMatchObject({ minutely_15: 'precipitation', past_minutely_15: '4' });
});

it('GET /weather/current does without quarters, and tells night from day', async () => {
  const { minutely_15: _, ...given } = forecast();
  given.current.is_day = 0;
  relay.stub.route('/v1/forecast', answer(given));
  const { body } = await relay.get(path);
  expect(body.current).toMatchObject({ precipitation: 0.2, isDay: false });
});

it('GET /weather/current asks again in GMT where the upstream knows no time zone', async () => {
  relay.stub.route('/v1/forecast', ({ query }, response) => {
    if (query.get('timezone') === 'GMT') response.end(JSON.stringify({ ...forecast(), timezone: 'GMT' }));
    else response.writeHead(400).end('{"error":true,"reason":"Invalid timezone"}');
  });
  expect((await relay.get(path)).body.timezone).toBe('GMT');
  relay.stub.route('/v1/forecast', answer({ error: true, reason: 'Invalid timezone' }, 400));
  expect((await relay.get('/weather/current?lat=-90&lon=0')).status).toBe(502);
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
])('GET /weather/current is a 502 for %s, of which no copy is kept', async (_, body) => {
  relay.stub.route('/v1/forecast', answer(body));
  expect(await relay.get(path)).toMatchObject({ status: 502, body: { success: false, status: 502 } });
  relay.stub.route('/v1/forecast', answer(forecast()));
  expect(await relay.get(path)).toMatchObject({ status: 200, headers: { age: '0' } });
});

it('GET /weather/current sends its key by header', async () => {
  await relay.restart({ OPEN_METEO_API_KEY: 'open-sesame' });
  await relay.get(path);
  expect(relay.stub.requests[0]?.headers['x-api-key']).toBe('open-sesame');
  expect(relay.stub.requests[0]?.query.toString()).not.toContain('open-sesame');
});

it('weather codes all have a description from 0 to 99', () => {
  const described = Array.from({ length: 100 }, (_, code) => describeWeather(code));
  expect(described.filter((text) => text === 'Unknown' || text === '')).toEqual([]);
  expect(new Set(described).size).toBe(100);
});

it.each([
  [0, 'Clear sky'],
  [48, 'Depositing rime fog'],
  [77, 'Snow grains'],
  [96, 'Thunderstorm with slight hail'],
  [99, 'Thunderstorm with heavy hail'],
  [100, 'Unknown'],
  [-1, 'Unknown'],
  [1.5, 'Unknown'],
])('weather codes: %s is %s', (code, text) => expect(describeWeather(code)).toBe(text));
