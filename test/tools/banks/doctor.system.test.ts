import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../../core/process/config.js';
import type { Scenario } from '../../../tools/banks/scenario.js';
import { scenarios } from '../../../tools/banks/scenarios.js';
import { startBanks } from '../../../tools/banks/start-banks.js';
import { openHttpClient } from '../../../worker/feeds/http/live-client.js';
import { loadFeed } from '../../../worker/feeds/registry.js';
import { type Examination, examine } from '../../../worker/ingest/examine.js';
import { liveSource } from '../../../worker/ingest/feed-source.js';

const NOW = new Date('2026-03-04T12:00:00Z');
const RATES = 'FREQ,CURRENCY,TIME_PERIOD,OBS_VALUE\nD,USD,2026-03-03,1.09\n';

const answering = (status: number): Scenario => ({
  does: `answers with status ${status}`,
  ends: ['error'],
  reply: () => ({ status, headers: {}, body: new Uint8Array() }),
});
const redesigned: Scenario = {
  does: 'has renamed its columns',
  ends: ['error'],
  async reply({ recorded }) {
    const reply = await recorded();
    return { ...reply, body: Buffer.from(Buffer.from(reply.body).toString().replace('OBS_VALUE', 'VALUE')) };
  },
};

/** Banks, where they are, what each does, and what is to be found. */
const BANKS: readonly [key: string, url: string, scenario: Scenario, cause: string, says: RegExp][] = [
  [
    'ECB',
    'https://data-api.ecb.europa.eu/service/data/EXR/D..EUR.SP00.A',
    redesigned,
    'redesigned',
    /OBS_VALUE/,
  ],
  [
    'BOC',
    'https://www.bankofcanada.ca/valet/',
    scenarios['no-intermediate'],
    'chain_incomplete',
    /intermediate/,
  ],
  ['CNB', 'https://api.cnb.cz/cnbapi/', scenarios.moved, 'moved', /https:\/\//],
  ['HNB', 'https://api.hnb.hr/tecajn-eur/v3', scenarios['known-browsers'], 'blocked', /refuses/],
  ['BOE', 'https://www.bankofengland.co.uk/boeapps/', scenarios.challenge, 'blocked', /web page|HTML page/],
  ['BOM', 'https://www.mongolbank.mn/en/currency-rates/data', scenarios['all-429'], 'too_many_requests', /./],
  ['NB', 'https://data.norges-bank.no/api/', scenarios.outage, 'down', /503/],
  ['RBM', 'https://www.rbm.mw/Statistics/', scenarios['all-resets'], 'down', /ECONNRESET|broke/],
  ['NRB', 'https://www.nrb.org.np/api/forex/v1/rates', scenarios['cut-length'], 'cut_short', /part/],
  ['MMA', 'https://www.mma.gov.mv/JSON/referencerates.json', scenarios.large, 'too_large', /larger|bytes/],
  ['FRED', 'https://api.stlouisfed.org/fred/series/observations', answering(401), 'key_refused', /key/],
  ['HKMA', 'https://api.hkma.gov.hk/public/', answering(404), 'moved', /404/],
];

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'broken-banks-'));
  for (const [key, url] of BANKS) {
    const place = join(folder, key.toLowerCase(), 'recorded');
    await mkdir(place, { recursive: true });
    await writeFile(join(place, 'body'), RATES);
    const recorded = {
      method: 'GET',
      url,
      requestBody: null,
      status: 200,
      responseHeaders: { 'content-type': 'text/csv' },
      bodyFile: 'body',
      recordedAt: NOW.toUTCString(),
    };
    await writeFile(join(place, `${key.toLowerCase()}.index.json`), JSON.stringify([recorded]));
  }
});
afterAll(() => rm(folder, { recursive: true }));

test('of a dozen broken banks the doctor names each cause, and what to do', async () => {
  const scenarioOf = new Map(BANKS.map(([key, , scenario]) => [key, scenario]));
  const banks = await startBanks({
    folder,
    keys: BANKS.map(([key]) => key),
    scenarioOf: (key) => scenarioOf.get(key) ?? scenarios['as-recorded'],
  });
  const limits = { attempts: 2, backOff: 1, longestWait: 0, bytes: 8 * 1024 * 1024 };
  const client = openHttpClient({ ...banks.client, limits });
  let found: Examination[];
  try {
    // Banks that are nowhere, and one that is not read: their keys are missing.
    const keys = [...BANKS.map(([key]) => key), 'RBA', 'TCMB'];
    const feeds = await Promise.all(keys.map((key) => loadFeed(key)));
    const config = readConfig({ FRED_API_KEY: 'wrong' });
    const source = liveSource(client, config, () => NOW);
    found = await examine(feeds, source, { now: NOW, log: pino({ level: 'silent' }) });
  } finally {
    await client.close();
    await banks.close();
  }
  expect(found.map(({ provider, diagnosis }) => [provider, diagnosis?.cause])).toEqual([
    ...BANKS.map(([key, , , cause]) => [key, cause]),
    ['RBA', 'unknown_name'],
    ['TCMB', 'needs_a_key'],
  ]);
  for (const [key, , , , says] of BANKS) {
    const { likely = '', remedy = '' } = found.find(({ provider }) => provider === key)?.diagnosis ?? {};
    expect([key, likely]).toEqual([key, expect.stringMatching(says)]);
    expect(remedy).toMatch(/^\S.+[.]$/);
  }
  expect(found.filter(({ needsHand }) => !needsHand).map(({ provider }) => provider)).toEqual(['TCMB']);
}, 60_000);
