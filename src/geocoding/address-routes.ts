import { membersOf } from '../formats/record-formats.js';
import { HttpError } from '../http/errors.js';
import { defineRoute, type Route } from '../http/route.js';
import { errorResponses, jsonResponse } from '../openapi/responses.js';
import { lenientQuery } from '../parameters/query.js';
import { ANY_AGE, createRelay, type RelayingContext, relayReply } from '../relay/relay.js';
import { openUpstream } from '../relay/upstream.js';
import { fixed } from '../relay/upstream-request.js';
import { type Address, isNowhere, locationQuery, locationReply, type Point } from './address.js';
import { locationIqRequest, openCageRequest } from './geocoders.js';

const UNAVAILABLE = 'the address service gave no answer';
const NOWHERE = 'no address found for these coordinates';
const NO_KEY = 'this server has no key for an address service';
const DAY = 24 * 3600;

/** `GET /detect/location`, from OpenCage, or from LocationIQ if only that has a key. */
export function addressRoutes(context: RelayingContext): Route[] {
  const find = openGeocoder(context);
  return [
    defineRoute({
      path: '/detect/location',
      limit: 'relay',
      query: lenientQuery(locationQuery),
      description: {
        summary: 'The address at a point',
        description:
          'Coordinates are rounded to 4 decimals (about 11 m). Data © OpenStreetMap contributors, ODbL.',
        tags: ['Places'],
        responses: {
          200: jsonResponse('The address', locationReply),
          ...errorResponses({
            400: 'lat must be a number from -90 to 90',
            404: NOWHERE,
            500: NO_KEY,
            502: UNAVAILABLE,
          }),
        },
      },
      async handle({ lat, lon }) {
        if (!find) throw new HttpError(500, NO_KEY);
        // The geocoder gets the rounded point as well, so that the reply does not depend on which client came first.
        const point = { lat: fixed(lat, 4), lon: fixed(lon, 4) };
        const relayed = await find(point);
        const address = relayed.value;
        if (!address || isNowhere(address)) throw new HttpError(404, NOWHERE);
        return relayReply(relayed, membersOf(locationReply, { success: true, lat, lon, ...address }));
      },
    }),
  ];
}

function openGeocoder(context: RelayingContext) {
  const geocoder = chooseGeocoder(context.config);
  if (!geocoder) return undefined;
  const { name, baseUrl, key, requestFor, freshSeconds, staleSeconds } = geocoder;
  const upstream = openUpstream(context, { name, baseUrl, atOnce: 2 });
  const relay = createRelay<Address | null>(context, {
    ...{ name: `address-${name}`, unavailable: UNAVAILABLE },
    ...{ freshSeconds, staleSeconds, shared: false },
  });
  return (point: Point) =>
    relay.fetch([point.lat, point.lon], (signal) => upstream.send(requestFor(point, key), signal));
}

/** The terms of a geocoder and the pace of changes of street names limit caching. */
function chooseGeocoder({ GEOCODER_URL, OPENCAGE_API_KEY, LOCATIONIQ_API_KEY }: RelayingContext['config']) {
  if (OPENCAGE_API_KEY !== undefined) {
    const baseUrl = GEOCODER_URL ?? 'https://api.opencagedata.com';
    const seconds = { freshSeconds: 30 * DAY, staleSeconds: ANY_AGE };
    return { name: 'opencage', baseUrl, key: OPENCAGE_API_KEY, ...seconds, requestFor: openCageRequest };
  }
  if (LOCATIONIQ_API_KEY === undefined) return undefined;
  const baseUrl = GEOCODER_URL ?? 'https://us1.locationiq.com';
  // Its terms allow caching a response for 48 hours at most.
  const seconds = { freshSeconds: 2 * DAY, staleSeconds: 2 * DAY };
  return { name: 'locationiq', baseUrl, key: LOCATIONIQ_API_KEY, ...seconds, requestFor: locationIqRequest };
}
