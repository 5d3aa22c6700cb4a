import * as z from 'zod';
import { parseBody } from '../relay/parse-body.js';
import { UpstreamError } from '../relay/upstream-error.js';
import type { UpstreamResponse } from '../relay/upstream-request.js';
import { type Address, type AskAddress, addressOf } from './address.js';

const body = z.object({ display_name: z.string().nullish(), address: z.record(z.string(), z.unknown()) });
const refusal = z.object({ error: z.literal('Unable to geocode') });

/** LocationIQ, https://docs.locationiq.com/reference/reverse, which accepts its key only in the query. */
export const askLocationIq: AskAddress = (upstream, point, key, signal) =>
  upstream.send(
    {
      path: '/v1/reverse',
      query: { key, ...point, format: 'json', normalizecity: 1, 'accept-language': 'en' },
      // LocationIQ reports a missing address by a 404, as any server does for a wrong path. The body distinguishes the two.
      accepts: [404],
      parse: parseResponse,
    },
    signal,
  );

function parseResponse(response: UpstreamResponse): Address | null {
  if (response.status === 404) {
    if (refusal.safeParse(response.body).success) return null;
    throw new UpstreamError('status', 'status 404');
  }
  const { display_name, address } = parseBody(body, response.body);
  return addressOf(address, display_name, {
    road: ['road', 'pedestrian', 'footway', 'path', 'residential'],
    city: ['city', 'town', 'village', 'municipality', 'hamlet', 'borough'],
    countryCode: ['country_code'],
  });
}
