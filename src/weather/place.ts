import type { kinds } from './search.js';

/** A place as the geocoder knows it: degrees, metres, and "" where it can't tell country or time zone. */
export interface Place {
  name: string;
  admin1: string | null;
  country: string;
  countryCode: string;
  lat: number;
  lon: number;
  elevation: number;
  timezone: string;
  population: number;
  /** GeoNames' code of what it is, such as `PPLC`; "" where unknown. */
  featureCode: string;
}

const countryNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/**
 * Places fit to be shown. The geocoder names no country for territories that are no states, so the name comes
 * from the code; what has no code or no time zone at all, such as a sea, is left out.
 */
export function presentPlaces(places: readonly Place[]) {
  return places.filter(isComplete).map((place) => {
    const country = place.country || countryName(place.countryCode);
    return {
      name: place.name,
      displayName: [...new Set([place.name, place.admin1, country].filter(isPresent))].join(', '),
      admin1: place.admin1,
      country,
      countryCode: place.countryCode,
      lat: place.lat,
      lon: place.lon,
      elevation: place.elevation,
      timezone: place.timezone,
      population: place.population,
      kind: kindOf(place.featureCode),
    };
  });
}

function isComplete(place: Place): boolean {
  return place.name.trim() !== '' && /^[A-Z]{2}$/.test(place.countryCode) && place.timezone !== '';
}

function isPresent(part: string | null): part is string {
  return part !== null && part.trim() !== '';
}

function countryName(code: string): string {
  return countryNames.of(code) ?? '';
}

type Kind = (typeof kinds)[number];

const kindsByCode: readonly [codes: RegExp, kind: Kind][] = [
  [/^PPLC$/, 'capital'],
  [/^PPLX$/, 'district'],
  [/^(PPL|STLMT)/, 'city'],
  [/^(PCL|TERR)/, 'country'],
  [/^(ADM|PRSH|RGN|ZN)/, 'region'],
  [/^(ISL|ATOL)/, 'island'],
  [/^(MT|PK|HLL|VLC|PASS|RDGE)/, 'mountain'],
  [/^(LK|STM|SEA|OCN|BAY|GULF|STRT|RSV|FLLS|GLCR)/, 'water'],
  [/^(PRK|RES)/, 'park'],
  [/^AIR/, 'airport'],
];

function kindOf(featureCode: string): Kind {
  return kindsByCode.find(([codes]) => codes.test(featureCode))?.[1] ?? 'other';
}
