import * as z from 'zod';
import { membersOf } from '../formats/record-formats.js';
import { arrayOf, parseBody } from '../relay/parse-body.js';
import type { Upstream } from '../relay/upstream.js';
import { UpstreamError } from '../relay/upstream-error.js';
import { fixed } from '../relay/upstream-request.js';
import {
  currentValues,
  DAYS_SHOWN,
  dailyValues,
  describeWeather,
  type Forecast,
  HOURS_SHOWN,
  hourlyValues,
  type Units,
} from './current.js';
import type { Place } from './search.js';

/** All hours of eight days: a server that does not support `forecast_hours` sends them all. */
const LONGEST_COLUMN = 8 * 24;

const number = z.number().nullish();
const column = arrayOf(z.number().nullable(), LONGEST_COLUMN);
// The length excludes a Z at the end.
const localMinute = z.iso.datetime({ local: true, precision: -1 }).length(16);
/** Farther from UTC than any place is or was. */
const MOST_OFFSET_SECONDS = 18 * 3600;

/** The names of values here and there. */
const CURRENT = {
  temperature: 'temperature_2m',
  apparentTemp: 'apparent_temperature',
  humidity: 'relative_humidity_2m',
  weatherCode: 'weather_code',
  cloudCover: 'cloud_cover',
  windSpeed: 'wind_speed_10m',
  windGusts: 'wind_gusts_10m',
  windDirection: 'wind_direction_10m',
  pressure: 'surface_pressure',
  isDay: 'is_day',
} as const;

const HOURLY = {
  temperature: 'temperature_2m',
  precipitationProbability: 'precipitation_probability',
  precipitation: 'precipitation',
  weatherCode: 'weather_code',
  windSpeed: 'wind_speed_10m',
  cloudCover: 'cloud_cover',
} as const;

const DAILY = {
  weatherCode: 'weather_code',
  tempMax: 'temperature_2m_max',
  tempMin: 'temperature_2m_min',
  precipitationSum: 'precipitation_sum',
  precipitationProbabilityMax: 'precipitation_probability_max',
  windSpeedMax: 'wind_speed_10m_max',
} as const;

type Names = Readonly<Record<string, string>>;

const forecastBody = z.object({
  timezone: z.string().min(1),
  utc_offset_seconds: z.number().int().min(-MOST_OFFSET_SECONDS).max(MOST_OFFSET_SECONDS),
  current: z.object({ time: localMinute, ...each(CURRENT, number) }),
  minutely_15: z.object({ time: arrayOf(localMinute, LONGEST_COLUMN), precipitation: column }).nullish(),
  hourly: z.object({ time: arrayOf(localMinute, LONGEST_COLUMN), ...each(HOURLY, column) }),
  daily: z.object({ time: arrayOf(z.iso.date(), LONGEST_COLUMN), ...each(DAILY, column) }),
});

function each<Own extends Names, Schema>(names: Own, schema: Schema) {
  const members = Object.values(names).map((name) => [name, schema]);
  return Object.fromEntries(members) as Record<Own[keyof Own], Schema>;
}

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
    current: toCurrent(body),
    hourly: toHourly(body.hourly),
    daily: toDaily(body.daily),
  };
}

function forecastQuery(point: { lat: number; lon: number; units: Units }, timezone: string) {
  const imperial = point.units === 'imperial';
  return {
    latitude: fixed(point.lat, 2),
    longitude: fixed(point.lon, 2),
    // The times are always included.
    current: Object.values(CURRENT).join(),
    minutely_15: 'precipitation',
    hourly: Object.values(HOURLY).join(),
    daily: Object.values(DAILY).join(),
    timezone,
    past_minutely_15: INTERVALS,
    forecast_minutely_15: 1,
    forecast_hours: HOURS,
    forecast_days: DAYS,
    temperature_unit: imperial ? 'fahrenheit' : 'celsius',
    wind_speed_unit: imperial ? 'mph' : 'kmh',
  };
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
  return bounded('precipitation', hourly.precipitation[hour]);
}

/** Parses a local time as if it were UTC, as only differences matter. */
function instantOf(localTime: string): number {
  return Date.parse(`${localTime}Z`);
}

function toCurrent(body: ForecastBody): Forecast['current'] {
  const { current } = body;
  const { isDay, ...values } = valuesOf(CURRENT, (name) => current[name]);
  return membersOf(currentValues, {
    ...values,
    time: current.time,
    precipitation: precipitationOfLastHour(body),
    isDay: isDay === null ? null : isDay === 1,
  });
}

function toHourly({ time, ...columns }: ForecastBody['hourly']): Forecast['hourly'] {
  checkLengths(time, columns, HOURS_SHOWN);
  return time.map((hour, at) =>
    membersOf(hourlyValues, { ...valuesOf(HOURLY, (name) => columns[name][at]), time: hour }),
  );
}

function toDaily({ time, ...columns }: ForecastBody['daily']): Forecast['daily'] {
  checkLengths(time, columns, DAYS_SHOWN);
  return time.map((date, at) =>
    membersOf(dailyValues, { ...valuesOf(DAILY, (name) => columns[name][at]), date }),
  );
}

function valuesOf<Own extends Names & { weatherCode: string }>(
  names: Own,
  given: (name: Own[keyof Own]) => number | null | undefined,
) {
  const members = Object.entries(names).map(([own, name]) => [
    own,
    bounded(name, given(name as Own[keyof Own])),
  ]);
  const values = Object.fromEntries(members) as Record<keyof Own, number | null>;
  return { ...values, weatherDescription: describeWeather(values.weatherCode ?? null) };
}

/** Throws an UpstreamError for columns of unequal lengths, or with fewer entries than a response shows. */
function checkLengths(
  { length }: readonly string[],
  columns: Readonly<Record<string, readonly unknown[]>>,
  least: number,
): void {
  if (Object.values(columns).some((values) => values.length !== length)) {
    throw new UpstreamError('invalid', 'the columns are not equally long');
  }
  if (length < least) throw new UpstreamError('invalid', `${length} entries where ${least} are needed`);
}

/** Values that are never negative, and the most that they can be. Failed model runs have been seen to return others. */
const MOST: Readonly<Record<string, number>> = {
  precipitation: Number.POSITIVE_INFINITY,
  precipitation_sum: Number.POSITIVE_INFINITY,
  precipitation_probability: 100,
  precipitation_probability_max: 100,
  relative_humidity_2m: 100,
  cloud_cover: 100,
};

function bounded(name: string, value: number | null | undefined): number | null {
  const most = MOST[name];
  return most === undefined || value == null ? (value ?? null) : Math.min(most, Math.max(0, value));
}
