import * as z from 'zod';
import { arrayOf, parseBody } from '../relay/parse-body.js';
import type { Upstream } from '../relay/upstream.js';
import { type Bus, busOf, loads, MOST_SERVICES, type Service, vehicleTypes } from './arrivals.js';

const bus = z
  .object({
    time: z.iso.datetime({ offset: true }),
    load: z.enum([...loads, '']).nullish(),
    type: z.enum([...vehicleTypes, '']).nullish(),
    feature: z.enum(['WAB', '']).nullish(),
    destination_code: z.string().nullish(),
    monitored: z.number().nullish(),
  })
  .nullish();

const body = z.object({
  services: arrayOf(z.object({ no: z.string().min(1), next: bus, next2: bus, next3: bus }), MOST_SERVICES),
});

/** Relays LTA DataMall: https://github.com/cheeaun/arrivelah. A stop has five digits. */
export async function askArrivelah(
  upstream: Upstream,
  stop: string,
  signal: AbortSignal,
): Promise<Service[]> {
  const { services } = await upstream.send(
    { path: '/', query: { id: stop }, parse: (response) => parseBody(body, response.body) },
    signal,
  );
  return services.map(({ no, next, next2, next3 }) => ({
    serviceNo: no,
    buses: [toBus(next), toBus(next2), toBus(next3)],
  }));
}

/** Its own `duration_ms` may be up to 15 seconds old, so only the instant counts. */
function toBus(given: z.infer<typeof bus>): Bus | null {
  return given ? busOf({ ...given, destination: given.destination_code }) : null;
}
