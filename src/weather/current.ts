import * as z from 'zod';
import type { Clock } from '../../core/domain/dates.js';
import { readDataFile } from '../../core/process/project-files.js';
import { decimalParameter } from '../parameters/utility-parameters.js';

export const currentQuery = z.object({
  lat: decimalParameter('lat', -90, 90).meta({ description: 'Latitude', example: 1.29 }),
  lon: decimalParameter('lon', -180, 180).meta({ description: 'Longitude', example: 103.85 }),
  units: z
    .enum(['metric', 'imperial'], { error: 'units must be metric or imperial' })
    .default('metric')
    .meta({ description: 'metric: °C and km/h; imperial: °F and mph. Precipitation is in mm in both' }),
});

const value = (description: string, example: number) => z.number().nullable().meta({ description, example });
const description = z.string().meta({ example: 'Thunderstorm' });
const code = z.number().int().nullable().meta({ description: 'WMO code 4677', example: 95 });
const localTime = z.string().meta({ description: 'Local time without offset', example: '2026-09-30T14:15' });

/** A value is null if the weather model has none. Times are local, without an offset. */
export const currentValues = z.object({
  time: localTime,
  temperature: value('Air temperature', 29.9),
  apparentTemp: value('Feels-like temperature', 35.6),
  humidity: value('Relative humidity, percent', 76),
  precipitation: value('Precipitation in the last hour, mm', 1.1),
  weatherCode: code,
  weatherDescription: description,
  cloudCover: value('Percent', 100),
  windSpeed: value('At 10 m', 11),
  windGusts: value('At 10 m', 26.3),
  windDirection: value('Degrees, 0 is north', 188),
  pressure: value('Surface pressure, hPa', 1006.3),
  isDay: z.boolean().nullable().meta({ description: 'Whether the sun is up', example: true }),
});

export const hourlyValues = z.object({
  time: localTime,
  temperature: value('Air temperature', 30.1),
  precipitationProbability: value('Percent', 72),
  precipitation: value('mm', 0.8),
  weatherCode: code,
  weatherDescription: description,
  windSpeed: value('At 10 m', 10.8),
  cloudCover: value('Percent', 100),
});

export const dailyValues = z.object({
  date: z.iso.date().meta({ example: '2026-09-30' }),
  weatherCode: code,
  weatherDescription: description,
  tempMax: value('Highest air temperature', 31.2),
  tempMin: value('Lowest air temperature', 25.4),
  precipitationSum: value('mm', 9.4),
  precipitationProbabilityMax: value('Percent', 88),
  windSpeedMax: value('At 10 m', 14.1),
});

export const currentReply = z
  .object({
    success: z.literal(true),
    units: z.enum(['metric', 'imperial']),
    tempUnit: z.enum(['°C', '°F']),
    windUnit: z.enum(['km/h', 'mph']),
    timezone: z.string().meta({ description: 'IANA name', example: 'Asia/Singapore' }),
    utcOffsetSeconds: z.number().int().meta({ description: 'Local time minus UTC', example: 28_800 }),
    current: currentValues,
    hourly: z.array(hourlyValues).meta({ description: '24 entries from the current hour' }),
    daily: z.array(dailyValues).meta({ description: '7 entries from today, local time' }),
  })
  .meta({ id: 'CurrentWeather' });

export type Units = z.output<typeof currentQuery>['units'];

/** `hourly` is from the hour that had begun at the time of fetching, `daily` from the day of fetching. */
export type Forecast = Omit<z.output<typeof currentReply>, 'success' | 'units' | 'tempUnit' | 'windUnit'>;

export const HOURS_SHOWN = 24;
export const DAYS_SHOWN = 7;

/** 24 hours from the current one and 7 days from today, in local time. `forecast` may be some hours old. */
export function presentForecast(
  forecast: Forecast,
  units: Units,
  clock: Clock,
): z.output<typeof currentReply> {
  const local = new Date(clock().getTime() + forecast.utcOffsetSeconds * 1_000).toISOString();
  const [day, hour] = [local.slice(0, 10), local.slice(0, 13)];
  const metric = units === 'metric';
  return {
    success: true,
    units,
    tempUnit: metric ? '°C' : '°F',
    windUnit: metric ? 'km/h' : 'mph',
    ...forecast,
    hourly: windowFrom(forecast.hourly, (entry) => entry.time.slice(0, 13) >= hour, HOURS_SHOWN),
    daily: windowFrom(forecast.daily, (entry) => entry.date >= day, DAYS_SHOWN),
  };
}

/** Begins earlier if fewer entries are left. */
function windowFrom<T>(entries: readonly T[], isDue: (entry: T) => boolean, length: number): T[] {
  const due = entries.findIndex(isDue);
  const latest = Math.max(0, entries.length - length);
  const start = due < 0 ? latest : Math.min(due, latest);
  return entries.slice(start, start + length);
}

/** WMO table 4677 (present weather), with Open-Meteo's meanings of 0 to 3. The index is the code. */
const descriptions = readDataFile('weather_codes.json', z.array(z.string()).length(100));

/** "Unknown" for null and every number but 0 to 99. */
export function describeWeather(code: number | null): string {
  return (code === null ? undefined : descriptions[code]) ?? 'Unknown';
}
