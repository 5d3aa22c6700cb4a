import type { Clock } from '../../core/domain/clock.js';

export type Units = 'metric' | 'imperial';

/** A value is null where the weather model gives none. Times are local to the place, without an offset. */
export interface CurrentValues {
  time: string;
  temperature: number | null;
  apparentTemp: number | null;
  humidity: number | null;
  /** Of the last hour, in mm. */
  precipitation: number | null;
  weatherCode: number | null;
  cloudCover: number | null;
  windSpeed: number | null;
  windGusts: number | null;
  windDirection: number | null;
  pressure: number | null;
  isDay: boolean | null;
}

export interface HourlyValues {
  time: string;
  temperature: number | null;
  precipitationProbability: number | null;
  precipitation: number | null;
  weatherCode: number | null;
  windSpeed: number | null;
  cloudCover: number | null;
}

export interface DailyValues {
  date: string;
  weatherCode: number | null;
  tempMax: number | null;
  tempMin: number | null;
  precipitationSum: number | null;
  precipitationProbabilityMax: number | null;
  windSpeedMax: number | null;
  /** Null where the sun does not rise or set that day. */
  sunrise: string | null;
  sunset: string | null;
}

export interface Forecast {
  timezone: string;
  utcOffsetSeconds: number;
  current: CurrentValues;
  /** From the hour that had begun when it was fetched. */
  hourly: HourlyValues[];
  /** From the day on which it was fetched. */
  daily: DailyValues[];
}

export const HOURS_SHOWN = 24;
export const DAYS_SHOWN = 7;

/**
 * The 24 hours from the one that has begun and the 7 days from today, as local time has it now, of a forecast
 * fetched earlier. Never fewer than were fetched, where there aren't as many left.
 */
export function windowOf(forecast: Forecast, clock: Clock): Pick<Forecast, 'hourly' | 'daily'> {
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
