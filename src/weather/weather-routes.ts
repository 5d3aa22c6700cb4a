import { defineRoute, type Route } from '../http/route.js';
import { errorResponses, jsonResponse } from '../openapi/responses.js';
import { lenientQuery } from '../parameters/query.js';
import { ANY_AGE, createRelay, type RelayingContext, relayReply } from '../relay/relay.js';
import { openUpstream } from '../relay/upstream.js';
import { fixed } from '../relay/upstream-request.js';
import { currentQuery, currentReply, type Forecast, presentForecast } from './current.js';
import { forecastOpenMeteo, searchOpenMeteo } from './open-meteo.js';
import { type Place, presentPlaces, searchQuery, searchReply } from './search.js';

export function weatherRoutes(context: RelayingContext): Route[] {
  return [searchRoute(context), currentRoute(context)];
}

function searchRoute(context: RelayingContext): Route {
  const { OPEN_METEO_GEOCODING_URL: baseUrl, OPEN_METEO_API_KEY: apiKey } = context.config;
  const unavailable = 'the place search service gave no answer';
  const upstream = openUpstream(context, { name: 'open-meteo-geocoding', baseUrl });
  const relay = createRelay<Place[]>(context, {
    name: 'place-search',
    unavailable,
    freshSeconds: 24 * 3600,
    staleSeconds: ANY_AGE,
    shared: true,
  });
  return defineRoute({
    path: '/weather/search',
    limit: 'relay',
    query: lenientQuery(searchQuery),
    description: {
      operationId: 'searchPlaces',
      summary: 'Places by name, with their coordinates',
      description:
        'Data by [Open-Meteo](https://open-meteo.com) and [GeoNames](https://www.geonames.org), CC BY.',
      tags: ['Weather'],
      responses: {
        200: jsonResponse('Places, possibly none', searchReply),
        ...errorResponses({ 400: 'q is required', 502: unavailable }),
      },
    },
    async handle({ q, countryCode, lang, count }) {
      const relayed = await relay.fetch([q.toLowerCase(), countryCode, lang, count], (signal) =>
        searchOpenMeteo(upstream, { name: q, countryCode, lang, count }, apiKey, signal),
      );
      const results = presentPlaces(relayed.value);
      return relayReply(relayed, { success: true, query: q, total: results.length, results });
    },
  });
}

function currentRoute(context: RelayingContext): Route {
  const { OPEN_METEO_URL: baseUrl, OPEN_METEO_API_KEY: apiKey } = context.config;
  const unavailable = 'the weather service gave no answer';
  const upstream = openUpstream(context, { name: 'open-meteo', baseUrl });
  const relay = createRelay<Forecast>(context, {
    name: 'weather',
    unavailable,
    freshSeconds: 600,
    staleSeconds: 2 * 3600,
    shared: true,
  });
  return defineRoute({
    path: '/weather/current',
    limit: 'relay',
    query: lenientQuery(currentQuery),
    description: {
      summary: 'Weather now, hourly for 24 hours and daily for 7 days',
      description:
        'Weather data by [Open-Meteo](https://open-meteo.com), CC BY 4.0. Coordinates are rounded to 2 decimals ' +
        '(about 1 km). A value is null if the weather model has none.',
      tags: ['Weather'],
      responses: {
        200: jsonResponse('The weather; the example is cut to one hour and one day', currentReply),
        ...errorResponses({ 400: 'lat must be a number from -90 to 90', 502: unavailable }),
      },
    },
    async handle({ lat, lon, units }) {
      const key = [fixed(lat, 2), fixed(lon, 2), units];
      const relayed = await relay.fetch(key, (signal) =>
        forecastOpenMeteo(upstream, { lat, lon, units }, apiKey, signal),
      );
      return relayReply(relayed, presentForecast(relayed.value, units, context.clock));
    },
  });
}
