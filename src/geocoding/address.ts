import type { z } from 'zod';
import type { locationReply } from './schema.js';

/** The parts of an address; null if unknown. */
export type Address = Omit<z.output<typeof locationReply>, 'success' | 'lat' | 'lon'>;

/** Members of a geocoder's record under its own names. */
type Components = Readonly<Record<string, unknown>>;

/** The geocoder's names of members whose names vary, the best first. */
type OwnNames = Readonly<Record<'road' | 'city' | 'countryCode', readonly string[]>>;

/** Reads the address in a geocoder's record; `formatted` is the complete address in one line. */
export function addressOf(
  components: Components,
  formatted: string | null | undefined,
  names: OwnNames,
): Address {
  const part = (...members: readonly string[]) => firstOf(components, members);
  return {
    road: part(...names.road),
    suburb: part('suburb', 'neighbourhood', 'quarter', 'borough', 'city_district'),
    county: part('county', 'state_district'),
    city: part(...names.city),
    state: part('state', 'province', 'region'),
    postcode: part('postcode'),
    country: part('country'),
    countryCode: countryCodeOf(part(...names.countryCode)),
    formatted: formatted?.trim() || null,
    houseNumber: part('house_number'),
  };
}

/** The first of the named members that is not empty. Old records contain numbers in place of text. */
function firstOf(components: Components, names: readonly string[]): string | null {
  for (const name of names) {
    const value = components[name];
    const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
    if (text !== '') return text;
  }
  return null;
}

/** Two upper-case letters, or null. */
function countryCodeOf(text: string | null): string | null {
  const code = text?.toUpperCase() ?? '';
  return /^[A-Z]{2}$/.test(code) ? code : null;
}

/** Whether an address names at most a region such as a sea, and so is not an address. */
export function isNowhere({ formatted, countryCode, ...parts }: Address): boolean {
  return Object.values(parts).every((part) => part === null);
}
