import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFolder } from '../../../core/process/project-files.js';
import { relayOf, relayRoutes } from './support.js';

const folder = join(projectFolder, '../shared/contract/upstreams');
const recordingsAreHere = existsSync(folder);

const relay = relayOf(relayRoutes);

/** By the beginning of a sample's name: the request that leads to its upstream, and the variables that choose that. */
const UPSTREAMS: [name: string, path: string, variables: () => Record<string, string>][] = [
  ['open-meteo-geocoding', '/weather/search?q=abc', () => ({})],
  ['open-meteo', '/weather/current?lat=1.3&lon=103.8', () => ({})],
  ['arrivelah', '/sg/bus-arrivals?code=83139', () => ({})],
  ['lta-bus-arrival-v3-missing-third', '/sg/bus-arrivals?code=82009', () => ({ LTA_ACCOUNT_KEY: 'key' })],
  ['lta-bus-arrival-v3-empty', '/sg/bus-arrivals?code=99999', () => ({ LTA_ACCOUNT_KEY: 'key' })],
  ['lta', '/sg/bus-arrivals?code=83139', () => ({ LTA_ACCOUNT_KEY: 'key' })],
  ['opencage', '/detect/location?lat=1&lon=1', () => ({ OPENCAGE_API_KEY: 'key' })],
  ['locationiq', '/detect/location?lat=1&lon=1', () => ({ LOCATIONIQ_API_KEY: 'key' })],
  ['mymemory', '/translate/text?text=abc&to=it', () => ({})],
  ['libretranslate', '/translate/text?text=abc&to=es', () => ({ LIBRETRANSLATE_URL: relay.stub.url })],
];

/** What a route makes of a recorded answer, served as its upstream would. */
async function relayed(sample: string, sent = 200, at = '2026-09-30T06:15:00Z') {
  const bytes = readFileSync(join(folder, `${sample}.json`));
  relay.stub.route('*', (_, response) => void response.writeHead(sent).end(bytes));
  const [, path = '', variables] = UPSTREAMS.find(([name]) => sample.startsWith(name)) ?? [];
  await relay.restart(variables?.() ?? {}, at);
  return relay.get(path);
}

/** The status with which an upstream sends them, and the status that they are answered with. */
const SAMPLES: [sent: number, status: number, samples: string][] = [
  [200, 200, 'arrivelah arrivelah-two-directions arrivelah-unknown-stop'],
  [200, 200, 'lta-bus-arrival-v3-missing-third lta-bus-arrival-v3-empty'],
  [200, 200, 'opencage-reverse opencage-reverse-2018 opencage-reverse-town'],
  [200, 200, 'locationiq-reverse locationiq-reverse-village'],
  [200, 200, 'mymemory-ok mymemory-autodetect mymemory-error-same-language'],
  [200, 200, 'libretranslate-translate-auto libretranslate-translate-fixed-source'],
  [200, 200, 'libretranslate-translate-misdetected'],
  [200, 400, 'mymemory-error-language'],
  [200, 404, 'opencage-reverse-ocean opencage-none'],
  [200, 502, 'arrivelah-missing-id arrivelah-error mymemory-error-too-long mymemory-error-quota-status-200'],
  [400, 400, 'libretranslate-error-400-language'],
  [400, 502, 'open-meteo-error-400 open-meteo-error-400-timezone'],
  [400, 502, 'libretranslate-error-400-key libretranslate-error-400-length'],
  [401, 502, 'locationiq-error-401'],
  [403, 502, 'libretranslate-error-403'],
  [404, 404, 'locationiq-error-404'],
  [429, 502, 'open-meteo-error-429 open-meteo-error-429-daily locationiq-error-429'],
  [429, 502, 'mymemory-error-quota libretranslate-error-429'],
];

describe.skipIf(!recordingsAreHere)('recorded answers of upstreams', () => {
  const each = SAMPLES.flatMap(([sent, status, samples]) =>
    samples.split(' ').map((sample) => ({ sample, sent, status })),
  );
  it.each(each)('$sample, sent with $sent: $status', async ({ sample, sent, status }) => {
    expect((await relayed(sample, sent)).status).toBe(status);
  });

  it.each([
    ['open-meteo-geocoding', { total: 2 }],
    ['open-meteo-geocoding-full-fields', { total: 1 }],
    ['open-meteo-geocoding-sparse', { total: 3 }],
    ['open-meteo-geocoding-none', { total: 0 }],
    ['opencage-reverse', { city: 'Berlin' }],
  ])('%s is answered with %j', async (sample, body) => {
    expect(await relayed(sample)).toMatchObject({ status: 200, body });
  });

  it.each(['metric', 'imperial', 'nulls'])('open-meteo-forecast-%s', async (kind) => {
    const { status, body } = await relayed(`open-meteo-forecast-${kind}`);
    expect([status, body.hourly.length, body.daily.length]).toEqual([200, 24, 7]);
  });

  it('arrivelah and LTA say the same', async () => {
    const at = '2025-05-03T08:18:30Z';
    const { body } = await relayed('arrivelah', 200, at);
    expect((await relayed('lta-bus-arrival-v3', 200, at)).body).toEqual(body);
    expect(body.services.length).toBeGreaterThan(2);
  });
});
