import type * as z from 'zod';
import { membersOf } from '../formats/record-formats.js';
import { shownPlace } from './search.js';

type ShownPlace = z.output<typeof shownPlace>;

/** Degrees, metres, and "" for an unknown country or time zone. */
export interface Place extends Omit<ShownPlace, 'displayName' | 'kind'> {
  /** GeoNames' feature code, such as `PPLC`; "" if unknown. */
  featureCode: string;
}

const countryNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** The country is that of the code, as the geocoder does not name territories. Seas have no code and are left out. */
export function presentPlaces(places: readonly Place[]) {
  return places.filter(isComplete).map((place) => {
    const country = place.country || (countryNames.of(place.countryCode) ?? '');
    const parts = [place.name, place.admin1, country].filter((part) => part?.trim());
    const displayName = [...new Set(parts)].join(', ');
    return membersOf(shownPlace, { ...place, displayName, country, kind: kindOf(place.featureCode) });
  });
}

function isComplete(place: Place): boolean {
  return place.name.trim() !== '' && /^[A-Z]{2}$/.test(place.countryCode) && place.timezone !== '';
}

const kindsByCode: readonly [codes: RegExp, kind: ShownPlace['kind']][] = [
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

function kindOf(featureCode: string): ShownPlace['kind'] {
  return kindsByCode.find(([codes]) => codes.test(featureCode))?.[1] ?? 'other';
}
