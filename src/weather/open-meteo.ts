import * as z from 'zod';
import { readDataFile } from '../../core/process/project-files.js';
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

/** The name of each value at the service, its least and its most. Failed model runs have been seen to return others. */
const VARIABLES = readDataFile(
  'open_meteo_variables.json',
  z.record(z.string(), z.tuple([z.string()], z.number())),
);

/** The names at the service of the values of a schema. */
function variablesOf({ shape }: z.ZodObject): string[] {
  return Object.keys(shape).flatMap((name) => VARIABLES[name]?.[0] ?? []);
}

// The precipitation of the last hour is made from that of its quarters.
const CURRENT = variablesOf(currentValues.omit({ precipitation: true }));

const number = z.number().nullish();
const column = arrayOf(z.number().nullable(), LONGEST_COLUMN);
// The length excludes a Z at the end.
const localMinute = z.iso.datetime({ local: true, precision: -1 }).length(16);
/** Farther from UTC than any place is or was. */
const MOST_OFFSET_SECONDS = 18 * 3600;

const forecastBody = z.object({
  timezone: z.string().min(1),
  utc_offset_seconds: z.number().int().min(-MOST_OFFSET_SECONDS).max(MOST_OFFSET_SECONDS),
  current: z.object({ time: localMinute }).and(each(CURRENT, number)),
  minutely_15: z.object({ time: arrayOf(localMinute, LONGEST_COLUMN), precipitation: column }).nullish(),
  hourly: rowsOf(hourlyValues, localMinute, HOURS_SHOWN),
  daily: rowsOf(dailyValues, z.iso.date(), DAYS_SHOWN),
});

/** Hours or days in columns, as rows. Throws an UpstreamError for columns of unequal lengths, or fewer rows than a response shows. */
function rowsOf<Values extends z.ZodObject>(values: Values, time: z.ZodType<string>, least: number) {
  const columns = each(variablesOf(values), column);
  return z
    .object({ time: arrayOf(time, LONGEST_COLUMN) })
    .and(columns)
    .transform(({ time: times, ...given }) => {
      const { length } = times;
      if (Object.values(given).some((one) => one.length !== length))
        throw new UpstreamError('invalid', 'the columns are not equally long');
      if (length < least) throw new UpstreamError('invalid', `${length} entries where ${least} are needed`);
      return times.map((time, at) => {
        const row = Object.entries(given).map(([name, one]) => [name, one[at]] as const);
        return valuesAt(values, time, Object.fromEntries(row));
      });
    });
}

function each<Schema extends z.ZodType>(names: readonly string[], schema: Schema) {
  return z.object(Object.fromEntries(names.map((name) => [name, schema])));
}

type ForecastBody = z.infer<typeof forecastBody>;

// The encoder omits every field that is 0 or empty, and `results` if there are none.
const textOrNone = z
  .string()
  .nullish()
  .transform((value) => value ?? '');
const textOrNull = textOrNone.transform((value) => value || null);
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
        admin1: textOrNull,
        admin2: textOrNull,
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
  const places = results.map(({ latitude, longitude, elevation, population, country_code, ...found }) => ({
    ...found,
    countryCode: country_code.toUpperCase(),
    lat: latitude,
    lon: longitude,
    elevation: elevation === NO_ELEVATION ? 0 : elevation,
    population: Math.max(0, Math.trunc(population)),
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
    current: currentOf(body),
    hourly: body.hourly,
    daily: body.daily,
  };
}

function forecastQuery(point: { lat: number; lon: number; units: Units }, timezone: string) {
  const imperial = point.units === 'imperial';
  return {
    latitude: fixed(point.lat, 2),
    longitude: fixed(point.lon, 2),
    // The times are always included.
    current: CURRENT.join(),
    minutely_15: 'precipitation',
    hourly: variablesOf(hourlyValues).join(),
    daily: variablesOf(dailyValues).join(),
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

function currentOf(body: ForecastBody): Forecast['current'] {
  const { time, ...given } = body.current;
  const isDay = given.is_day == null ? null : given.is_day === 1;
  const precipitation = precipitationOfLastHour(body);
  return { ...valuesAt(currentValues, time, given), precipitation, isDay };
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
  const hour = current.time.slice(0, 13);
  return hourly.find(({ time }) => time.startsWith(hour))?.precipitation ?? null;
}

/** Parses a local time as if it were UTC, as only differences matter. */
function instantOf(localTime: string): number {
  return Date.parse(`${localTime}Z`);
}

type Given = Readonly<Record<string, number | null | undefined>>;

/** The values of a schema at a local time or on a day, in its order. */
function valuesAt<Values extends z.ZodObject>(values: Values, time: string, given: Given): z.output<Values> {
  const members = Object.keys(values.shape).map((name) => {
    if (name === 'time' || name === 'date') return [name, time];
    if (name === 'weatherDescription') return [name, describeWeather(valueIn('weatherCode', given))];
    return [name, valueIn(name, given)];
  });
  return Object.fromEntries(members) as z.output<Values>;
}

function valueIn(name: string, given: Given): number | null {
  const [variable = '', least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY] =
    VARIABLES[name] ?? [];
  const value = given[variable] ?? null;
  return value === null ? null : Math.min(most, Math.max(least, value));
}
