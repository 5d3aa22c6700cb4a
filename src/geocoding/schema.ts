import * as z from 'zod';
import { decimalParameter } from '../parameters/utility-parameters.js';

export const locationQuery = z.object({
  lat: decimalParameter('lat', -90, 90).meta({ description: 'Latitude', example: 52.51628 }),
  lon: decimalParameter('lon', -180, 180).meta({ description: 'Longitude', example: 13.3777 }),
});

const part = (description: string) => z.string().nullable().meta({ description });

export const locationReply = z
  .object({
    success: z.literal(true),
    lat: z.number().meta({ description: 'As given' }),
    lon: z.number().meta({ description: 'As given' }),
    road: part('Street or road'),
    suburb: part('Suburb or neighbourhood'),
    county: part('County or district'),
    city: part('City, town or village'),
    state: part('State or region'),
    postcode: part('Postal code'),
    country: part('Country name'),
    countryCode: part('ISO 3166-1 alpha-2, upper case'),
    formatted: part('The whole address in one line'),
    houseNumber: part('House number, such as `12a`'),
  })
  .meta({ id: 'Address' });

export const locationExample: z.infer<typeof locationReply> = {
  success: true,
  lat: 52.51628,
  lon: 13.3777,
  road: 'Pariser Platz',
  suburb: 'Mitte',
  county: null,
  city: 'Berlin',
  state: 'Berlin',
  postcode: '10117',
  country: 'Germany',
  countryCode: 'DE',
  formatted: 'Brandenburg Gate, Pariser Platz 1, 10117 Berlin, Germany',
  houseNumber: '1',
};
