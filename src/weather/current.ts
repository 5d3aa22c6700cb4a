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

const value = (description: string) => z.number().nullable().meta({ description });
const description = z.string().meta({ example: 'Light drizzle' });
const code = z.number().int().nullable().meta({ description: 'WMO code 4677' });
const localTime = z.string().meta({ description: 'Local time without offset', example: '2026-09-30T14:15' });

/** A value is null if the weather model has none. Times are local, without an offset. */
export const currentValues = z.object({
  time: localTime,
  temperature: value('Air temperature'),
  apparentTemp: value('Feels-like temperature'),
  humidity: value('Relative humidity, percent'),
  precipitation: value('Precipitation in the last hour, mm'),
  weatherCode: code,
  weatherDescription: description,
  cloudCover: value('Percent'),
  windSpeed: value('At 10 m'),
  windGusts: value('At 10 m'),
  windDirection: value('Degrees, 0 is north'),
  pressure: value('Surface pressure, hPa'),
  isDay: z.boolean().nullable().meta({ description: 'Whether the sun is up' }),
});

export const hourlyValues = z.object({
  time: localTime,
  temperature: value('Air temperature'),
  precipitationProbability: value('Percent'),
  precipitation: value('mm'),
  weatherCode: code,
  weatherDescription: description,
  windSpeed: value('At 10 m'),
  cloudCover: value('Percent'),
});

export const dailyValues = z.object({
  date: z.iso.date(),
  weatherCode: code,
  weatherDescription: description,
  tempMax: value('Highest air temperature'),
  tempMin: value('Lowest air temperature'),
  precipitationSum: value('mm'),
  precipitationProbabilityMax: value('Percent'),
  windSpeedMax: value('At 10 m'),
});

export const currentReply = z
  .object({
    success: z.literal(true),
    units: z.enum(['metric', 'imperial']),
    tempUnit: z.enum(['°C', '°F']),
    windUnit: z.enum(['km/h', 'mph']),
    timezone: z.string().meta({ description: 'IANA name' }),
    utcOffsetSeconds: z.number().int().meta({ description: 'Local time minus UTC' }),
    current: currentValues,
    hourly: z.array(hourlyValues).meta({ description: '24 entries from the current hour' }),
    daily: z.array(dailyValues).meta({ description: '7 entries from today, local time' }),
  })
  .meta({ id: 'CurrentWeather' });

/** One hour and one day; a response has 24 and 7. */
export const currentExample: z.infer<typeof currentReply> = {
  success: true,
  units: 'metric',
  tempUnit: '°C',
  windUnit: 'km/h',
  timezone: 'Asia/Singapore',
  utcOffsetSeconds: 28_800,
  current: {
    time: '2026-09-30T14:15',
    temperature: 29.9,
    apparentTemp: 35.6,
    humidity: 76,
    precipitation: 1.1,
    weatherCode: 95,
    weatherDescription: 'Thunderstorm',
    cloudCover: 100,
    windSpeed: 11,
    windGusts: 26.3,
    windDirection: 188,
    pressure: 1006.3,
    isDay: true,
  },
  hourly: [
    {
      time: '2026-09-30T14:00',
      temperature: 30.1,
      precipitationProbability: 72,
      precipitation: 0.8,
      weatherCode: 95,
      weatherDescription: 'Thunderstorm',
      windSpeed: 10.8,
      cloudCover: 100,
    },
  ],
  daily: [
    {
      date: '2026-09-30',
      weatherCode: 95,
      weatherDescription: 'Thunderstorm',
      tempMax: 31.2,
      tempMin: 25.4,
      precipitationSum: 9.4,
      precipitationProbabilityMax: 88,
      windSpeedMax: 14.1,
    },
  ],
};

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
