import * as z from 'zod';
import { decimalParameter } from '../parameters/utility-parameters.js';

export const locationQuery = z.object({
  lat: decimalParameter('lat', -90, 90).meta({ description: 'Latitude', example: 52.51628 }),
  lon: decimalParameter('lon', -180, 180).meta({ description: 'Longitude', example: 13.3777 }),
});

const part = (description: string, example: string | null) =>
  z.string().nullable().meta({ description, example });

export const locationReply = z
  .object({
    success: z.literal(true),
    lat: z.number().meta({ description: 'As given', example: 52.51628 }),
    lon: z.number().meta({ description: 'As given', example: 13.3777 }),
    road: part('Street or road', 'Pariser Platz'),
    suburb: part('Suburb or neighbourhood', 'Mitte'),
    county: part('County or district', null),
    city: part('City, town or village', 'Berlin'),
    state: part('State or region', 'Berlin'),
    postcode: part('Postal code', '10117'),
    country: part('Country name', 'Germany'),
    countryCode: part('ISO 3166-1 alpha-2, upper case', 'DE'),
    formatted: part('The whole address in one line', 'Pariser Platz 1, 10117 Berlin, Germany'),
    houseNumber: part('House number, such as `12a`', '1'),
  })
  .meta({ id: 'Address' });

/** Null if unknown. */
export type Address = Omit<z.output<typeof locationReply>, 'success' | 'lat' | 'lon'>;

/** In degrees, rounded. */
export interface Point {
  lat: string;
  lon: string;
}

type Components = Readonly<Record<string, unknown>>;

/** Names vary between geocoders and places; the best are first. `formatted` is the complete address in one line. */
export function addressOf(components: Components, formatted: string | null | undefined): Address {
  const part = (...members: readonly string[]) => firstOf(components, members);
  return {
    road: part('road', 'street', 'pedestrian', 'footway', 'path', 'residential'),
    suburb: part('suburb', 'neighbourhood', 'quarter', 'borough', 'city_district'),
    county: part('county', 'state_district'),
    city: part(
      ...['city', 'town', 'village', 'municipality', '_normalized_city', 'hamlet'],
      ...['borough', 'city_district'],
    ),
    state: part('state', 'province', 'region'),
    postcode: part('postcode'),
    country: part('country'),
    countryCode: countryCodeOf(part('ISO_3166-1_alpha-2', 'country_code')),
    formatted: formatted?.trim() || null,
    houseNumber: part('house_number'),
  };
}

/** Old records contain numbers in place of text. */
function firstOf(components: Components, names: readonly string[]): string | null {
  for (const name of names) {
    const value = components[name];
    const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
    if (text !== '') return text;
  }
  return null;
}

function countryCodeOf(text: string | null): string | null {
  const code = text?.toUpperCase() ?? '';
  return /^[A-Z]{2}$/.test(code) ? code : null;
}

/** Whether an address names at most a region, such as a sea. */
export function isNowhere({ formatted, countryCode, ...parts }: Address): boolean {
  return Object.values(parts).every((part) => part === null);
}
