import * as z from 'zod';
import { fixed } from '../relay/fixed.js';
import { arrayOf, parseBody } from '../relay/parse-body.js';
import type { Upstream } from '../relay/upstream.js';
import { UpstreamError } from '../relay/upstream-error.js';
import {
  type CurrentValues,
  DAYS_SHOWN,
  type DailyValues,
  type Forecast,
  HOURS_SHOWN,
  type HourlyValues,
  type Units,
} from './current.js';
import type { Place } from './search.js';

/** All hours of eight days: a server that does not support `forecast_hours` sends them all. */
const LONGEST_COLUMN = 8 * 24;

const number = z.number().nullish();
const column = arrayOf(z.number().nullable(), LONGEST_COLUMN);
// The length excludes a Z at the end.
const localMinute = z.iso.datetime({ local: true, precision: -1 }).length(16);
const times = arrayOf(z.string().nullable(), LONGEST_COLUMN);
/** Farther from UTC than any place is or was. */
const MOST_OFFSET_SECONDS = 18 * 3600;

const forecastBody = z.object({
  timezone: z.string().min(1),
  utc_offset_seconds: z.number().int().min(-MOST_OFFSET_SECONDS).max(MOST_OFFSET_SECONDS),
  current: z.object({
    time: localMinute,
    temperature_2m: number,
    apparent_temperature: number,
    relative_humidity_2m: number,
    weather_code: number,
    cloud_cover: number,
    wind_speed_10m: number,
    wind_gusts_10m: number,
    wind_direction_10m: number,
    surface_pressure: number,
    is_day: number,
  }),
  minutely_15: z.object({ time: arrayOf(localMinute, LONGEST_COLUMN), precipitation: column }).nullish(),
  hourly: z.object({
    time: arrayOf(localMinute, LONGEST_COLUMN),
    temperature_2m: column,
    precipitation_probability: column,
    precipitation: column,
    weather_code: column,
    wind_speed_10m: column,
    cloud_cover: column,
  }),
  daily: z.object({
    time: arrayOf(z.iso.date(), LONGEST_COLUMN),
    weather_code: column,
    temperature_2m_max: column,
    temperature_2m_min: column,
    precipitation_sum: column,
    precipitation_probability_max: column,
    wind_speed_10m_max: column,
    sunrise: times.optional(),
    sunset: times.optional(),
  }),
});

type ForecastBody = z.infer<typeof forecastBody>;

// The encoder omits every field that is 0 or empty, and `results` if there are none.
const textOrNone = z
  .string()
  .nullish()
  .transform((value) => value ?? '');
const numberOrNone = number.transform((value) => value ?? 0);

const MOST_PLACES = 100;

const searchBody = z
  .object({
    results: arrayOf(
      z.object({
        name: textOrNone,
        latitude: numberOrNone,
        longitude: numberOrNone,
        elevation: numberOrNone,
        country_code: textOrNone,
        country: textOrNone,
        admin1: textOrNone,
        admin2: textOrNone,
        timezone: textOrNone,
        population: numberOrNone,
        feature_code: textOrNone,
      }),
      MOST_PLACES,
    ).optional(),
    generationtime_ms: z.number().optional(),
  })
  .refine((body) => body.results !== undefined || body.generationtime_ms !== undefined);

/** More hours and days than the 24 and 7 that are shown, so that a copy two hours old still has enough. */
const HOURS = HOURS_SHOWN + 3;
const DAYS = DAYS_SHOWN + 1;
/** The quarters of an hour that add up to the precipitation of the last hour. */
const INTERVALS = 4;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NO_ELEVATION = -9999;

/** Best known first; `count` is 1 to 100, the country upper-case. https://open-meteo.com/en/docs/geocoding-api. */
export async function searchOpenMeteo(
  upstream: Upstream,
  search: { name: string; count: number; lang: string; countryCode?: string | undefined },
  key: string | undefined,
  signal: AbortSignal,
): Promise<Place[]> {
  const { results = [] } = await upstream.send(
    {
      path: '/v1/search',
      query: {
        name: search.name,
        // The service has been seen to filter by country after applying the limit, so the limit is not used then.
        count: search.countryCode ? MOST_PLACES : search.count,
        countryCode: search.countryCode,
        language: search.lang,
        format: 'json',
        apikey: key,
      },
      parse: ({ body }) => parseBody(searchBody, body),
    },
    signal,
  );
  const places = results.map((found) => ({
    name: found.name,
    admin1: found.admin1 || null,
    admin2: found.admin2 || null,
    country: found.country,
    countryCode: found.country_code.toUpperCase(),
    lat: found.latitude,
    lon: found.longitude,
    elevation: found.elevation === NO_ELEVATION ? 0 : found.elevation,
    timezone: found.timezone,
    population: Math.max(0, Math.trunc(found.population)),
    featureCode: found.feature_code,
  }));
  return places
    .filter((place) => search.countryCode === undefined || place.countryCode === search.countryCode)
    .slice(0, search.count);
}

/** In the requested units; precipitation is always in mm. Open-Meteo Forecast API, https://open-meteo.com/en/docs. */
export async function forecastOpenMeteo(
  upstream: Upstream,
  point: { lat: number; lon: number; units: Units },
  key: string | undefined,
  signal: AbortSignal,
): Promise<Forecast> {
  const ask = (timezone: string) =>
    upstream.send(
      {
        path: '/v1/forecast',
        query: forecastQuery(point, timezone),
        headers: key === undefined ? {} : { 'x-api-key': key },
        accepts: [400],
        parse: ({ status, body }) => (status === 400 ? refusedTimezone(body) : parseBody(forecastBody, body)),
      },
      signal,
    );
  // The service has no time zone for a few points.
  const body = (await ask('auto')) ?? (await ask('GMT'));
  if (!body) throw new UpstreamError('status', 'no time zone suits it');
  return {
    timezone: body.timezone,
    utcOffsetSeconds: body.utc_offset_seconds,
    current: toCurrent(body.current, precipitationOfLastHour(body)),
    hourly: toHourly(body.hourly),
    daily: toDaily(body.daily),
  };
}

function forecastQuery(point: { lat: number; lon: number; units: Units }, timezone: string) {
  const imperial = point.units === 'imperial';
  return {
    latitude: fixed(point.lat, 2),
    longitude: fixed(point.lon, 2),
    current: valuesOf(forecastBody.shape.current),
    minutely_15: 'precipitation',
    hourly: valuesOf(forecastBody.shape.hourly),
    daily: valuesOf(forecastBody.shape.daily),
    timezone,
    past_minutely_15: INTERVALS,
    forecast_minutely_15: 1,
    forecast_hours: HOURS,
    forecast_days: DAYS,
    temperature_unit: imperial ? 'fahrenheit' : 'celsius',
    wind_speed_unit: imperial ? 'mph' : 'kmh',
  };
}

/** Requests only the values that are read. The times are always included. */
function valuesOf({ shape }: z.ZodObject): string {
  return Object.keys(shape)
    .filter((name) => name !== 'time')
    .join();
}

function refusedTimezone(body: unknown): undefined {
  const refusal = z.object({ reason: z.string() }).safeParse(body);
  if (refusal.success && /timezone/i.test(refusal.data.reason)) return undefined;
  throw new UpstreamError('status', 'status 400');
}

/** In mm: the sum of four quarters, as `current` covers only the last, or else the value of the hour that has begun. */
function precipitationOfLastHour({ current, minutely_15: quarters, hourly }: ForecastBody): number | null {
  const end = instantOf(current.time);
  const amounts = (quarters?.time ?? []).flatMap((time, at) => {
    const age = end - instantOf(time);
    const value = quarters?.precipitation[at];
    return age >= 0 && age < HOUR_MS && value != null ? [Math.max(0, value)] : [];
  });
  if (amounts.length === INTERVALS)
    return Math.round(amounts.reduce((sum, value) => sum + value, 0) * 100) / 100;
  const hour = hourly.time.findIndex((time) => time.slice(0, 13) === current.time.slice(0, 13));
  return amount(hourly.precipitation[hour]);
}

/** Parses a local time as if it were UTC, as only differences matter. */
function instantOf(localTime: string): number {
  return Date.parse(`${localTime}Z`);
}

function toCurrent(now: ForecastBody['current'], precipitation: number | null): CurrentValues {
  return {
    time: now.time,
    temperature: now.temperature_2m ?? null,
    apparentTemp: now.apparent_temperature ?? null,
    humidity: percent(now.relative_humidity_2m),
    precipitation,
    weatherCode: now.weather_code ?? null,
    cloudCover: percent(now.cloud_cover),
    windSpeed: now.wind_speed_10m ?? null,
    windGusts: now.wind_gusts_10m ?? null,
    windDirection: now.wind_direction_10m ?? null,
    pressure: now.surface_pressure ?? null,
    isDay: now.is_day == null ? null : now.is_day === 1,
  };
}

function toHourly({ time, ...columns }: ForecastBody['hourly']): HourlyValues[] {
  checkLengths([time, ...Object.values(columns)], HOURS_SHOWN);
  return time.map((hour, at) => ({
    time: hour,
    temperature: columns.temperature_2m[at] ?? null,
    precipitationProbability: percent(columns.precipitation_probability[at]),
    precipitation: amount(columns.precipitation[at]),
    weatherCode: columns.weather_code[at] ?? null,
    windSpeed: columns.wind_speed_10m[at] ?? null,
    cloudCover: percent(columns.cloud_cover[at]),
  }));
}

function toDaily({ time, sunrise, sunset, ...columns }: ForecastBody['daily']): DailyValues[] {
  checkLengths([time, ...Object.values(columns)], DAYS_SHOWN);
  return time.map((date, at) => ({
    date,
    weatherCode: columns.weather_code[at] ?? null,
    tempMax: columns.temperature_2m_max[at] ?? null,
    tempMin: columns.temperature_2m_min[at] ?? null,
    precipitationSum: amount(columns.precipitation_sum[at]),
    precipitationProbabilityMax: percent(columns.precipitation_probability_max[at]),
    windSpeedMax: columns.wind_speed_10m_max[at] ?? null,
    sunrise: timeOn(date, sunrise?.[at]),
    sunset: timeOn(date, sunset?.[at]),
  }));
}

/** Null if the sun does not rise or set: the service then sends other days. A sunset may come after midnight. */
function timeOn(date: string, time: string | null | undefined): string | null {
  if (!localMinute.safeParse(time).success || time == null) return null;
  const sinceMidnight = instantOf(time) - Date.parse(date);
  return Math.abs(sinceMidnight) < 2 * DAY_MS ? time : null;
}

/** Throws an UpstreamError for columns of unequal lengths, or with fewer entries than a response shows. */
function checkLengths([times, ...columns]: readonly (readonly unknown[])[], least: number): void {
  const length = times?.length ?? 0;
  if (columns.some((values) => values.length !== length)) {
    throw new UpstreamError('invalid', 'the columns are not equally long');
  }
  if (length < least) throw new UpstreamError('invalid', `${length} entries where ${least} are needed`);
}

/** In millimetres. Failed model runs have been seen to return negative values. */
function amount(value: number | null | undefined): number | null {
  return value == null ? null : Math.max(0, value);
}

function percent(value: number | null | undefined): number | null {
  return value == null ? null : Math.min(100, Math.max(0, value));
}
