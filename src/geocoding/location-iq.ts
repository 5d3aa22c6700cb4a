import * as z from 'zod';
import { parseBody } from '../relay/parse-body.js';
import { UpstreamError } from '../relay/upstream-error.js';
import type { UpstreamRequest } from '../relay/upstream-request.js';
import { type Address, addressOf, type Point } from './address.js';

const body = z.object({ display_name: z.string().nullish(), address: z.record(z.string(), z.unknown()) });
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
      const { display_name, address } = parseBody(body, response.body);
      return addressOf(address, display_name);
    },
  };
}
