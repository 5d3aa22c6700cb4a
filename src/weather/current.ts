import * as z from 'zod';
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

const sunTime = z
  .string()
  .nullable()
  .meta({ description: 'Local time; null if the sun does not rise or set', example: '2026-09-30T06:54' });

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
  sunrise: sunTime,
  sunset: sunTime,
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
      sunrise: '2026-09-30T06:54',
      sunset: '2026-09-30T19:01',
    },
  ],
};
