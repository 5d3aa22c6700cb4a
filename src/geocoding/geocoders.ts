import * as z from 'zod';
import { arrayOf, parseBody } from '../relay/parse-body.js';
import { UpstreamError } from '../relay/upstream-error.js';
import type { UpstreamRequest } from '../relay/upstream-request.js';
import { type Address, addressOf, type Point } from './address.js';

const body = z.object({
  results: arrayOf(
    z.object({ formatted: z.string().nullish(), components: z.record(z.string(), z.unknown()) }),
    1,
  ),
});
// The quota is daily, but a paid plan raises it at once, so requests are retried now and then.
const QUOTA_COOL_DOWN_MS = 900_000;

/** OpenCage, https://opencagedata.com/api, which accepts its key only in the query. */
export function openCageRequest(point: Point, key: string): UpstreamRequest<Address | null> {
  return {
    path: '/geocode/v1/json',
    query: { q: `${point.lat},${point.lon}`, key, language: 'en', no_annotations: 1, no_record: 1 },
    accepts: [402],
    parse(response) {
      if (response.status === 402) {
        throw new UpstreamError('limited', 'status 402: the quota is used up', {
          coolDownMs: QUOTA_COOL_DOWN_MS,
        });
      }
      const [result] = parseBody(body, response.body).results;
      return result ? addressOf(result.components, result.formatted) : null;
    },
  };
}

const reverseBody = z.object({
  display_name: z.string().nullish(),
  address: z.record(z.string(), z.unknown()),
});
const refusal = z.object({ error: z.literal('Unable to geocode') });

/** LocationIQ, https://docs.locationiq.com/reference/reverse, which accepts its key only in the query. */
export function locationIqRequest(point: Point, key: string): UpstreamRequest<Address | null> {
  return {
    path: '/v1/reverse',
    query: { key, ...point, format: 'json', normalizecity: 1, 'accept-language': 'en' },
    // LocationIQ reports a missing address by a 404, as any server does for a wrong path. The body distinguishes the two.
    accepts: [404],
    parse(response) {
      if (response.status === 404) {
        if (refusal.safeParse(response.body).success) return null;
        throw new UpstreamError('status', 'status 404');
      }
      const { display_name, address } = parseBody(reverseBody, response.body);
      return addressOf(address, display_name);
    },
  };
}
