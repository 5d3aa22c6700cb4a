import * as z from 'zod';
import { arrayOf, parseBody } from '../relay/parse-body.js';
import type { UpstreamRequest } from '../relay/upstream-request.js';
import { givenBus, MOST_SERVICES, type Service } from './arrivals.js';

// Its own `duration_ms` may be up to 15 seconds old, so only the instant counts.
const service = z.object({ no: z.string().min(1), next: givenBus, next2: givenBus, next3: givenBus });
const body = z.object({ services: arrayOf(service, MOST_SERVICES) });

/** Relays LTA DataMall: https://github.com/cheeaun/arrivelah. A stop has five digits. */
export function arrivelahRequest(stop: string): UpstreamRequest<Service[]> {
  return {
    path: '/',
    query: { id: stop },
    parse(response) {
      const { services } = parseBody(body, response.body);
      return services.map(({ no, next, next2, next3 }) => ({ serviceNo: no, buses: [next, next2, next3] }));
    },
  };
}
