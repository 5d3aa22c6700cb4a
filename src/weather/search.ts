import * as z from 'zod';
import { membersOf } from '../formats/record-formats.js';
import { integerParameter, trimmedParameter } from '../parameters/utility-parameters.js';

export const searchQuery = z.object({
  q: trimmedParameter('q', 1, 100).meta({ description: 'Beginning of a place name', example: 'Berlin' }),
  countryCode: z
    .string()
    .regex(/^[A-Za-z]{2}$/, { error: 'countryCode must be two letters, such as DE' })
    .toUpperCase()
    .meta({ description: 'ISO 3166-1 alpha-2, any case', example: 'DE' })
    .optional(),
  lang: z
    .string()
    .regex(/^[A-Za-z]{2,3}$/, { error: 'lang must be a language code of two or three letters' })
    .toLowerCase()
    .default('en')
    .meta({
      description: 'Language of the names, if available; `q` may be in it too',
      example: 'de',
    }),
  count: integerParameter('count', 1, 100).default(10).meta({ default: 10, description: 'Most results' }),
});

const shownPlace = z.object({
  name: z.string().meta({ example: 'Berlin' }),
  displayName: z.string().meta({ example: 'Berlin, State of Berlin, Germany' }),
  admin1: z.string().nullable().meta({ description: 'State or region', example: 'State of Berlin' }),
  admin2: z
    .string()
    .nullable()
    .meta({ description: 'County or district: distinguishes places of one name in a state' }),
  country: z.string().meta({ example: 'Germany' }),
  countryCode: z.string().length(2).meta({ example: 'DE' }),
  lat: z.number().meta({ example: 52.52437 }),
  lon: z.number().meta({ example: 13.41053 }),
  elevation: z.number().meta({ description: 'Metres; 0 if unknown', example: 74 }),
  timezone: z.string().meta({ description: 'IANA name', example: 'Europe/Berlin' }),
  population: z.number().int().meta({ description: '0 if unknown', example: 3_426_354 }),
});

export const searchReply = z
  .object({
    success: z.literal(true),
    query: z.string().meta({ example: 'Berlin' }),
    total: z.number().int().meta({ description: 'Number of results', example: 1 }),
    results: z.array(shownPlace),
  })
  .meta({ id: 'PlaceSearch' });

/** Degrees, metres, and "" for an unknown country or time zone. */
export type Place = Omit<z.output<typeof shownPlace>, 'displayName'>;

const countryNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** The country is that of the code, as the geocoder does not name territories. Seas have no code and are left out. */
export function presentPlaces(places: readonly Place[]) {
  return places.filter(isComplete).map((place) => {
    const country = place.country || (countryNames.of(place.countryCode) ?? '');
    const parts = [place.name, place.admin1, country].filter((part) => part?.trim());
    const displayName = [...new Set(parts)].join(', ');
    return membersOf(shownPlace, { ...place, displayName, country });
  });
}

function isComplete(place: Place): boolean {
  return place.name.trim() !== '' && /^[A-Z]{2}$/.test(place.countryCode) && place.timezone !== '';
}
