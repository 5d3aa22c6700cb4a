import { membersOf } from '../formats/record-formats.js';
import { HttpError } from '../http/errors.js';
import { defineRoute, type Route } from '../http/route.js';
import { errorResponses, jsonResponse } from '../openapi/responses.js';
import { lenientQuery } from '../parameters/query.js';
import type { RelayingContext } from '../relay/context.js';
import { fixed } from '../relay/fixed.js';
import { ANY_AGE, createRelay } from '../relay/relay.js';
import { relayReply } from '../relay/relay-reply.js';
import { openUpstream } from '../relay/upstream.js';
import { type Address, isNowhere } from './address.js';
import { askLocationIq } from './location-iq.js';
import { askOpenCage } from './opencage.js';
import { locationExample, locationQuery, locationReply } from './schema.js';

const UNAVAILABLE = 'the address service gave no answer';
const NOWHERE = 'no address found for these coordinates';
const NO_KEY = 'this server has no key for an address service';
const DAY = 24 * 3600;

/** A geocoder, and how long its terms and the pace of changes of street names allow caching a response. */
interface Geocoder {
  name: string;
  freshSeconds: number;
  staleSeconds: number;
  ask(point: { lat: string; lon: string }, signal: AbortSignal): Promise<Address | null>;
}

/** `GET /detect/location`, from OpenCage, or from LocationIQ if only that has a key. */
export function addressRoutes(context: RelayingContext): Route[] {
  const geocoder = chooseGeocoder(context);
  const relay =
    geocoder &&
    createRelay<Address | null>(context, {
      name: `address-${geocoder.name}`,
      unavailable: UNAVAILABLE,
      freshSeconds: geocoder.freshSeconds,
      staleSeconds: geocoder.staleSeconds,
      shared: false,
    });
  return [
    defineRoute({
      method: 'get',
      path: '/detect/location',
      limit: 'relay',
      query: lenientQuery(locationQuery),
      description: {
        summary: 'The address at a point',
        description:
          'Coordinates are rounded to 4 decimals (about 11 m). Data © OpenStreetMap contributors, ODbL.',
        tags: ['Places'],
        responses: {
          200: jsonResponse('The address', locationReply, locationExample),
          ...errorResponses({
            400: 'lat must be a number from -90 to 90',
            404: NOWHERE,
            500: NO_KEY,
            502: UNAVAILABLE,
          }),
        },
      },
      async handle({ lat, lon }) {
        if (!geocoder || !relay) throw new HttpError(500, NO_KEY);
        // The geocoder gets the rounded point as well, so that the reply does not depend on which client came first.
        const point = { lat: fixed(lat, 4), lon: fixed(lon, 4) };
        const relayed = await relay.fetch([point.lat, point.lon], (signal) => geocoder.ask(point, signal));
        const address = relayed.value;
        if (!address || isNowhere(address)) throw new HttpError(404, NOWHERE);
        return relayReply(relayed, membersOf(locationReply, { success: true, lat, lon, ...address }));
      },
    }),
  ];
}

function chooseGeocoder({
  config,
  clock,
  upstreamObserver: observer,
}: RelayingContext): Geocoder | undefined {
  const openCageKey = config.OPENCAGE_API_KEY;
  if (openCageKey !== undefined) {
    const baseUrl = config.GEOCODER_URL ?? 'https://api.opencagedata.com';
    const upstream = openUpstream({ name: 'opencage', baseUrl, clock, observer, atOnce: 2 });
    return {
      name: 'opencage',
      freshSeconds: 30 * DAY,
      staleSeconds: ANY_AGE,
      ask: (point, signal) => askOpenCage(upstream, point, openCageKey, signal),
    };
  }
  const locationIqKey = config.LOCATIONIQ_API_KEY;
  if (locationIqKey === undefined) return undefined;
  const baseUrl = config.GEOCODER_URL ?? 'https://us1.locationiq.com';
  const upstream = openUpstream({ name: 'locationiq', baseUrl, clock, observer, atOnce: 2 });
  return {
    name: 'locationiq',
    // Its terms allow caching a response for 48 hours at most.
    freshSeconds: 2 * DAY,
    staleSeconds: 2 * DAY,
    ask: (point, signal) => askLocationIq(upstream, point, locationIqKey, signal),
  };
}
