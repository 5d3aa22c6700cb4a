import type * as z from 'zod';
import { defineRoute, type Route } from '../http/route.js';
import { errorResponses, jsonResponse } from '../openapi/responses.js';
import { lenientQuery } from '../parameters/query.js';
import { createRelay, type RelayingContext, relayReply } from '../relay/relay.js';
import { openUpstream } from '../relay/upstream.js';
import { busQuery, busReply, presentServices, type Service } from './arrivals.js';
import { arrivelahRequest, ltaRequest } from './upstreams.js';

const UNAVAILABLE = 'the bus arrival service gave no answer';

/** `GET /sg/bus-arrivals`, from LTA DataMall if a key is configured, else from arrivelah. */
export function busRoutes(context: RelayingContext): Route[] {
  const { clock } = context;
  const { requestFor, ...options } = engineOf(context.config);
  const upstream = openUpstream(context, options);
  const relay = createRelay<Service[]>(context, {
    name: 'bus',
    unavailable: UNAVAILABLE,
    freshSeconds: 15,
    staleSeconds: 60,
    shared: true,
  });
  return [
    defineRoute({
      path: '/sg/bus-arrivals',
      limit: 'relay',
      query: lenientQuery(busQuery),
      description: {
        summary: 'The next three buses of each service at a bus stop in Singapore',
        description:
          'Contains information from LTA DataMall, made available under the Singapore Open Data Licence. A service ' +
          'that runs in two directions at one stop is listed twice. A stop that does not exist has no services.',
        tags: ['Transport'],
        responses: {
          200: jsonResponse('Services in natural order', busReply),
          ...errorResponses({ 400: 'code must be 5 digits, such as 83139', 502: UNAVAILABLE }),
        },
      },
      async handle({ code }) {
        const relayed = await relay.fetch([code], (signal) => upstream.send(requestFor(code), signal));
        const body: z.infer<typeof busReply> = {
          success: true,
          stopCode: code,
          fetchedAt: new Date(relayed.fetchedAt).toISOString(),
          services: presentServices(relayed.value, clock().getTime()),
        };
        return relayReply(relayed, body);
      },
    }),
  ];
}

function engineOf({ LTA_ACCOUNT_KEY: key, BUS_ARRIVALS_URL: configured }: RelayingContext['config']) {
  if (key === undefined) {
    const baseUrl = configured ?? 'https://arrivelah2.busrouter.sg';
    return { name: 'arrivelah', baseUrl, requestFor: arrivelahRequest };
  }
  const baseUrl = configured ?? 'https://datamall2.mytransport.sg';
  return { name: 'lta', baseUrl, requestFor: (stop: string) => ltaRequest(stop, key) };
}
