import type * as z from 'zod';
import type { Clock } from '../../core/domain/clock.js';
import { membersOf } from '../formats/record-formats.js';
import { type currentQuery, type currentReply, currentValues, dailyValues, hourlyValues } from './current.js';
import { describeWeather } from './weather-codes.js';

export type Units = z.output<typeof currentQuery>['units'];

type Values<Schema extends z.ZodObject> = Omit<z.output<Schema>, 'weatherDescription'>;
export type CurrentValues = Values<typeof currentValues>;
export type HourlyValues = Values<typeof hourlyValues>;
export type DailyValues = Values<typeof dailyValues>;

export interface Forecast {
  timezone: string;
  utcOffsetSeconds: number;
  current: CurrentValues;
  /** From the hour that had begun at the time of fetching. */
  hourly: HourlyValues[];
  /** From the day of fetching. */
  daily: DailyValues[];
}

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
  const hourly = windowFrom(forecast.hourly, (entry) => entry.time.slice(0, 13) >= hour, HOURS_SHOWN);
  const daily = windowFrom(forecast.daily, (entry) => entry.date >= day, DAYS_SHOWN);
  const metric = units === 'metric';
  return {
    success: true,
    units,
    tempUnit: metric ? '°C' : '°F',
    windUnit: metric ? 'km/h' : 'mph',
    timezone: forecast.timezone,
    utcOffsetSeconds: forecast.utcOffsetSeconds,
    current: membersOf(currentValues, described(forecast.current)),
    hourly: hourly.map((one) => membersOf(hourlyValues, described(one))),
    daily: daily.map((one) => membersOf(dailyValues, described(one))),
  };
}

function described<Values extends { weatherCode: number | null }>(values: Values) {
  return { ...values, weatherDescription: describeWeather(values.weatherCode) };
}

/** Begins earlier if fewer entries are left. */
function windowFrom<T>(entries: readonly T[], isDue: (entry: T) => boolean, length: number): T[] {
  const due = entries.findIndex(isDue);
  const latest = Math.max(0, entries.length - length);
  const start = due < 0 ? latest : Math.min(due, latest);
  return entries.slice(start, start + length);
}
