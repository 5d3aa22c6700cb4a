import { Router } from 'express';
import { errorResponses } from '../http/error-responses.js';
import { readUtilityQuery } from '../http/utility-query.js';
import type { RelayingContext } from '../relay/context.js';
import { ANY_AGE, createRelay } from '../relay/relay.js';
import { sendRelayed } from '../relay/send-relayed.js';
import { openUpstream } from '../relay/upstream.js';
import { currentAnswer, currentExample, currentQuery, presentForecast } from './current.js';
import type { Forecast } from './forecast.js';
import { forecastOpenMeteo, searchOpenMeteo } from './open-meteo.js';
import { type Place, presentPlaces } from './place.js';
import { searchAnswer, searchExample, searchQuery } from './search.js';

/** `GET /weather/search` and `GET /weather/current`, from Open-Meteo. */
export function weatherRoutes(context: RelayingContext): Router {
  const router = Router();
  addSearch(router, context);
  addCurrent(router, context);
  return router;
}

function addSearch(router: Router, context: RelayingContext): void {
  const { config, clock, upstreamObserver: observer } = context;
  const unavailable = 'the place search service gave no answer';
  const upstream = openUpstream({
    name: 'open-meteo-geocoding',
    baseUrl: config.OPEN_METEO_GEOCODING_URL,
    clock,
    observer,
  });
  const relay = createRelay<Place[]>(context, {
    name: 'place-search',
    unavailable,
    freshSeconds: 24 * 3600,
    staleSeconds: ANY_AGE,
    shared: true,
  });
  context.document.registerPath({
    method: 'get',
    path: '/weather/search',
    summary: 'Places by name, with their coordinates',
    description:
      'Data by [Open-Meteo](https://open-meteo.com) and [GeoNames](https://www.geonames.org), CC BY.',
    tags: ['Weather'],
    request: { query: searchQuery },
    responses: {
      200: {
        description: 'Places; none is an answer too',
        content: { 'application/json': { schema: searchAnswer, example: searchExample } },
      },
      ...errorResponses({ 400: 'q is required', 502: unavailable }),
    },
  });
  router.get('/weather/search', async (request, response) => {
    const { q, countryCode, count } = readUtilityQuery(request, searchQuery);
    const answer = await relay.fetch([q.toLowerCase(), countryCode, count], (signal) =>
      searchOpenMeteo(upstream, { name: q, countryCode, count }, config.OPEN_METEO_API_KEY, signal),
    );
    const results = presentPlaces(answer.value);
    await sendRelayed(request, response, answer, { success: true, query: q, total: results.length, results });
  });
}

function addCurrent(router: Router, context: RelayingContext): void {
  const { config, clock, upstreamObserver: observer } = context;
  const unavailable = 'the weather service gave no answer';
  const upstream = openUpstream({ name: 'open-meteo', baseUrl: config.OPEN_METEO_URL, clock, observer });
  const relay = createRelay<Forecast>(context, {
    name: 'weather',
    unavailable,
    freshSeconds: 600,
    staleSeconds: 2 * 3600,
    shared: true,
  });
  context.document.registerPath({
    method: 'get',
    path: '/weather/current',
    summary: 'The weather now, hourly for 24 hours and daily for 7 days',
    description:
      'Weather data by [Open-Meteo](https://open-meteo.com), CC BY 4.0. Coordinates are rounded to 2 decimals ' +
      '(about 1 km). A value is null where the weather model gives none.',
    tags: ['Weather'],
    request: { query: currentQuery },
    responses: {
      200: {
        description: 'The weather; the example is cut to one hour and one day',
        content: { 'application/json': { schema: currentAnswer, example: currentExample } },
      },
      ...errorResponses({ 400: 'lat must be a number from -90 to 90', 502: unavailable }),
    },
  });
  router.get('/weather/current', async (request, response) => {
    const { lat, lon, units } = readUtilityQuery(request, currentQuery);
    const key = [lat.toFixed(2), lon.toFixed(2), units];
    const answer = await relay.fetch(key, (signal) =>
      forecastOpenMeteo(upstream, { lat, lon, units }, config.OPEN_METEO_API_KEY, signal),
    );
    await sendRelayed(request, response, answer, presentForecast(answer.value, units, clock));
  });
}
