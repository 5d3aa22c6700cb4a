import * as z from 'zod';
import { arrayOf, parseBody } from '../relay/parse-body.js';
import { UpstreamError } from '../relay/upstream-error.js';
import type { UpstreamResponse } from '../relay/upstream-request.js';
import { type Address, type AskAddress, addressOf } from './address.js';

const body = z.object({
  results: arrayOf(
    z.object({ formatted: z.string().nullish(), components: z.record(z.string(), z.unknown()) }),
    1,
  ),
});
// The quota is daily, but a paid plan raises it at once, so requests are retried now and then.
const QUOTA_COOL_DOWN_MS = 900_000;

/** OpenCage, https://opencagedata.com/api, which accepts its key only in the query. */
export const askOpenCage: AskAddress = (upstream, point, key, signal) =>
  upstream.send(
    {
      path: '/geocode/v1/json',
      query: { q: `${point.lat},${point.lon}`, key, language: 'en', no_annotations: 1, no_record: 1 },
      accepts: [402],
      parse: parseResponse,
    },
    signal,
  );

function parseResponse(response: UpstreamResponse): Address | null {
  if (response.status === 402) {
    throw new UpstreamError('limited', 'status 402: the quota is used up', {
      coolDownMs: QUOTA_COOL_DOWN_MS,
    });
  }
  const [result] = parseBody(body, response.body).results;
  if (!result) return null;
  return addressOf(result.components, result.formatted, {
    road: ['road', 'street', 'pedestrian', 'footway', 'path'],
    city: ['city', 'town', 'village', 'municipality', '_normalized_city', 'hamlet', 'city_district'],
    countryCode: ['ISO_3166-1_alpha-2', 'country_code'],
  });
}
