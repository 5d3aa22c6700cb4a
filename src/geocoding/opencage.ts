import { z } from 'zod';
import { arrayOf, parseBody } from '../relay/parse-body.js';
import type { Upstream } from '../relay/upstream.js';
import { UpstreamError } from '../relay/upstream-error.js';
import type { UpstreamResponse } from '../relay/upstream-request.js';
import { type Address, countryCodeOf, firstOf } from './address.js';

const body = z.object({
  results: arrayOf(
    z.object({ formatted: z.string().nullish(), components: z.record(z.string(), z.unknown()) }),
    1,
  ),
});
// The quota is the day's; a paid plan lifts it at once, so that it is tried again now and then.
const QUOTA_COOL_DOWN_MS = 900_000;

/**
 * The address at a point, null where there is none. OpenCage, https://opencagedata.com/api. Its key goes in the
 * query, the only place where it takes one.
 */
export async function askOpenCage(
  upstream: Upstream,
  point: { lat: string; lon: string },
  key: string,
  signal: AbortSignal,
): Promise<Address | null> {
  return upstream.send(
    {
      path: '/geocode/v1/json',
      query: { q: `${point.lat},${point.lon}`, key, language: 'en', no_annotations: 1, no_record: 1 },
      accepts: [402],
      parse: parseResponse,
    },
    signal,
  );
}

function parseResponse(response: UpstreamResponse): Address | null {
  if (response.status === 402) {
    throw new UpstreamError('limited', 'status 402: the quota is used up', {
      coolDownMs: QUOTA_COOL_DOWN_MS,
    });
  }
  const [result] = parseBody(body, response.body).results;
  if (!result) return null;
  const { components, formatted } = result;
  const part = (...names: string[]) => firstOf(components, names);
  return {
    road: part('road', 'street', 'pedestrian', 'footway', 'path'),
    suburb: part('suburb', 'neighbourhood', 'quarter', 'borough', 'city_district'),
    county: part('county', 'state_district'),
    city: part('city', 'town', 'village', 'municipality', '_normalized_city', 'hamlet', 'city_district'),
    state: part('state', 'province', 'region'),
    postcode: part('postcode'),
    country: part('country'),
    countryCode: countryCodeOf(part('ISO_3166-1_alpha-2', 'country_code')),
    formatted: formatted?.trim() || null,
    houseNumber: part('house_number'),
  };
}
