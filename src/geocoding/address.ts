import type * as z from 'zod';
import type { Upstream } from '../relay/upstream.js';
import type { locationReply } from './schema.js';

/** Null if unknown. */
export type Address = Omit<z.output<typeof locationReply>, 'success' | 'lat' | 'lon'>;

/** Null if there is no address at the point. */
export type AskAddress = (
  upstream: Upstream,
  point: { lat: string; lon: string },
  key: string,
  signal: AbortSignal,
) => Promise<Address | null>;

type Components = Readonly<Record<string, unknown>>;

/** Names that vary between geocoders and places, the best first. */
type OwnNames = Readonly<Record<'road' | 'city' | 'countryCode', readonly string[]>>;

/** `formatted` is the complete address in one line. */
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
