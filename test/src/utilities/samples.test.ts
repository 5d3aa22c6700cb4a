import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectFolder } from '../../../core/process/project-files.js';
import { busRoutes } from '../../../src/bus/bus-routes.js';
import { addressRoutes } from '../../../src/geocoding/address-routes.js';
import type { Route } from '../../../src/http/route.js';
import { translateRoutes } from '../../../src/translate/translate-routes.js';
import { weatherRoutes } from '../../../src/weather/weather-routes.js';
import { type HttpStub, httpStub } from '../../support/http-stub.js';
import { type Got, get, movableClock, relayingContext, serve } from './support.js';

const folder = join(projectFolder, '../shared/contract/upstreams');
const here = existsSync(folder);
if (!here) process.stdout.write(`skipped: no recorded answers of upstreams in ${folder}\n`);

let stub: HttpStub;
beforeAll(async () => {
  stub = await httpStub();
});
afterAll(() => stub.close());

/** What a route makes of a recorded answer, served as its upstream would. */
async function relayed(
  routes: (context: ReturnType<typeof relayingContext>) => Route[],
  options: { path: string; sample: string; status?: number; at?: string; variables?: Record<string, string> },
): Promise<Got> {
  const bytes = readFileSync(join(folder, `${options.sample}.json`));
  stub.route('*', (_, response) => void response.writeHead(options.status ?? 200).end(bytes));
  const variables = {
    OPEN_METEO_URL: stub.url,
    OPEN_METEO_GEOCODING_URL: stub.url,
    BUS_ARRIVALS_URL: stub.url,
    GEOCODER_URL: stub.url,
    TRANSLATE_URL: stub.url,
    ...options.variables,
  };
  const { clock } = movableClock(options.at ?? '2026-09-30T06:15:00Z');
  const api = await serve(routes(relayingContext({ variables, clock })));
  try {
    return await get(api.url + options.path);
  } finally {
    await api.close();
  }
}

describe.skipIf(!here)('recorded answers of upstreams', () => {
  it.each([
    ['open-meteo-geocoding', 200, 2],
    ['open-meteo-geocoding-full-fields', 200, 1],
    ['open-meteo-geocoding-sparse', 200, 3],
    ['open-meteo-geocoding-none', 200, 0],
  ])('%s', async (sample, status, total) => {
    const got = await relayed(weatherRoutes, { path: '/weather/search?q=abc', sample });
    expect([got.status, got.body.total]).toEqual([status, total]);
  });

  it.each(['metric', 'imperial', 'nulls'])('open-meteo-forecast-%s', async (kind) => {
    const sample = `open-meteo-forecast-${kind}`;
    const { status, body } = await relayed(weatherRoutes, {
      path: '/weather/current?lat=1.3&lon=103.8',
      sample,
    });
    expect([status, body.hourly.length, body.daily.length]).toEqual([200, 24, 7]);
  });

  it.each([
    ['open-meteo-error-400', 400],
    ['open-meteo-error-429', 429],
    ['open-meteo-error-429-daily', 429],
    ['open-meteo-error-400-timezone', 400],
  ])('%s', async (sample, upstreamStatus) => {
    const path = '/weather/current?lat=1.3&lon=103.8';
    expect((await relayed(weatherRoutes, { path, sample, status: upstreamStatus })).status).toBe(502);
  });

  it.each([
    ['arrivelah', 200],
    ['arrivelah-two-directions', 200],
    ['arrivelah-unknown-stop', 200],
    ['arrivelah-missing-id', 502],
    ['arrivelah-error', 502],
  ])('%s: %i', async (sample, status) => {
    expect((await relayed(busRoutes, { path: '/sg/bus-arrivals?code=83139', sample })).status).toBe(status);
  });

  it('arrivelah and LTA tell the same', async () => {
    const at = '2025-05-03T08:18:30Z';
    const path = '/sg/bus-arrivals?code=83139';
    const one = await relayed(busRoutes, { path, sample: 'arrivelah', at });
    const other = await relayed(busRoutes, {
      path,
      sample: 'lta-bus-arrival-v3',
      at,
      variables: { LTA_ACCOUNT_KEY: 'key' },
    });
    expect(other.body).toEqual(one.body);
    expect(one.body.services.length).toBeGreaterThan(2);
  });

  it.each([
    ['lta-bus-arrival-v3-missing-third', '82009'],
    ['lta-bus-arrival-v3-empty', '99999'],
  ])('%s', async (sample, code) => {
    const variables = { LTA_ACCOUNT_KEY: 'key' };
    expect(
      (await relayed(busRoutes, { path: `/sg/bus-arrivals?code=${code}`, sample, variables })).status,
    ).toBe(200);
  });

  it.each([
    ['opencage-reverse', 200, 'Berlin'],
    ['opencage-reverse-2018', 200, undefined],
    ['opencage-reverse-town', 200, undefined],
    ['opencage-reverse-ocean', 404, undefined],
    ['opencage-none', 404, undefined],
  ])('%s: %i', async (sample, status, city) => {
    const variables = { OPENCAGE_API_KEY: 'key' };
    const got = await relayed(addressRoutes, { path: '/detect/location?lat=1&lon=1', sample, variables });
    expect(got.status).toBe(status);
    if (city !== undefined) expect(got.body.city).toBe(city);
  });

  it.each([
    ['locationiq-reverse', 200, 200],
    ['locationiq-reverse-village', 200, 200],
    ['locationiq-error-404', 404, 404],
    ['locationiq-error-401', 401, 502],
    ['locationiq-error-429', 429, 502],
  ])('%s, sent with %i: %i', async (sample, upstreamStatus, status) => {
    const variables = { LOCATIONIQ_API_KEY: 'key' };
    const path = '/detect/location?lat=1&lon=1';
    expect((await relayed(addressRoutes, { path, sample, variables, status: upstreamStatus })).status).toBe(
      status,
    );
  });

  it.each([
    ['mymemory-ok', 200, 200],
    ['mymemory-autodetect', 200, 200],
    ['mymemory-error-same-language', 200, 200],
    ['mymemory-error-language', 200, 400],
    ['mymemory-error-too-long', 200, 502],
    ['mymemory-error-quota', 429, 502],
    ['mymemory-error-quota-status-200', 200, 502],
  ])('%s, sent with %i: %i', async (sample, upstreamStatus, status) => {
    const path = '/translate/text?text=abc&to=it';
    expect((await relayed(translateRoutes, { path, sample, status: upstreamStatus })).status).toBe(status);
  });

  it.each([
    ['libretranslate-translate-auto', 200, 200],
    ['libretranslate-translate-fixed-source', 200, 200],
    ['libretranslate-translate-misdetected', 200, 200],
    ['libretranslate-error-400-key', 400, 502],
    ['libretranslate-error-400-length', 400, 502],
    ['libretranslate-error-400-language', 400, 400],
    ['libretranslate-error-403', 403, 502],
    ['libretranslate-error-429', 429, 502],
  ])('%s, sent with %i: %i', async (sample, upstreamStatus, status) => {
    const variables = { LIBRETRANSLATE_URL: stub.url };
    const path = '/translate/text?text=abc&to=es';
    expect((await relayed(translateRoutes, { path, sample, variables, status: upstreamStatus })).status).toBe(
      status,
    );
  });
});
