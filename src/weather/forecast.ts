import type { z } from 'zod';
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

/** `forecast` may have been fetched up to some hours ago. */
export function presentForecast(
  forecast: Forecast,
  units: Units,
  clock: Clock,
): z.output<typeof currentReply> {
  const { hourly, daily } = windowOf(forecast, clock);
  const metric = units === 'metric';
  return {
    success: true,
    units,
    tempUnit: metric ? '°C' : '°F',
    windUnit: metric ? 'km/h' : 'mph',
    timezone: forecast.timezone,
    utcOffsetSeconds: forecast.utcOffsetSeconds,
    current: membersOf(currentValues, described(forecast.current)),
    hourly: hourly.map((hour) => membersOf(hourlyValues, described(hour))),
    daily: daily.map((day) => membersOf(dailyValues, described(day))),
  };
}

function described<Values extends { weatherCode: number | null }>(values: Values) {
  return { ...values, weatherDescription: describeWeather(values.weatherCode) };
}

/** 24 hours from the current one and 7 days from today, in local time. Begins earlier if fewer are left. */
function windowOf(forecast: Forecast, clock: Clock): Pick<Forecast, 'hourly' | 'daily'> {
  const local = new Date(clock().getTime() + forecast.utcOffsetSeconds * 1_000).toISOString();
  const hour = local.slice(0, 13);
  const day = local.slice(0, 10);
  return {
    hourly: windowFrom(forecast.hourly, (entry) => entry.time.slice(0, 13) >= hour, HOURS_SHOWN),
    daily: windowFrom(forecast.daily, (entry) => entry.date >= day, DAYS_SHOWN),
  };
}

function windowFrom<T>(entries: readonly T[], isDue: (entry: T) => boolean, length: number): T[] {
  const due = entries.findIndex(isDue);
  const latest = Math.max(0, entries.length - length);
  const start = due < 0 ? latest : Math.min(due, latest);
  return entries.slice(start, start + length);
}
