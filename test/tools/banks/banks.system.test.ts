import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock, toCalendarDate } from '../../../core/domain/dates.js';
import { HttpClientError } from '../../../core/http-client/http-client-error.js';
import { startBanks } from '../../../tools/banks/start-banks.js';
import { placeholderCredentials } from '../../../worker/feeds/credentials.js';
import { FeedError } from '../../../worker/feeds/feed.js';
import type { HttpClient } from '../../../worker/feeds/http/client.js';
import { openHttpClient } from '../../../worker/feeds/http/live-client.js';
import { type Recording, recordedClient } from '../../../worker/feeds/http/recorded-client.js';
import { readRates } from '../../../worker/feeds/read.js';
import { readRecordings, recordedWindow } from '../../../worker/feeds/recordings.js';
import { loadFeed } from '../../../worker/feeds/registry.js';
import { KEYS, recordBanks } from './recordings.js';
import { type Scenario, scenarios } from './scenarios.js';

const HOUR_MS = 3_600_000;
const log = pino({ level: 'silent' });
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'banks-'));
  await recordBanks(folder);
});
afterAll(() => rm(folder, { recursive: true }));

async function recordingOf(key: string): Promise<Recording> {
  const [recording] = await readRecordings(folder, key);
  if (!recording) throw new Error(`no recording of ${key}`);
  return recording;
}

/** The rows that the feed reads, and what it reports of documents that are of other days or can't be read. */
async function read(key: string, recording: Recording, http: HttpClient) {
  const feed = await loadFeed(key);
  const today = toCalendarDate(recording.recordedAt);
  const context = { http, today, log, credentials: placeholderCredentials(feed), recorded: true };
  const found = await readRates(feed, recordedWindow(recording, feed), context);
  return { rows: found.rows, reports: [...found.mismatches, ...found.unread.map(({ reason }) => reason)] };
}

type Reading = Awaited<ReturnType<typeof read>>;

/** What each reading from a bank gives through the client for banks: rows, or a message that the recording does not give. */
async function readingsOf(
  key: string,
  recording: Recording,
  { expected, scenario }: { expected: Reading; scenario: Scenario },
): Promise<(Reading['rows'] | string)[]> {
  const { ends, limits, ...behaviour } = scenario;
  let passed = 0;
  const clock = () => new Date(systemClock().getTime() + passed);
  const banks = await startBanks({ recordings: [recording], behaviour, clock });
  const client = openHttpClient({ ...banks.client, clock, limits: { backOff: 1, ...limits } });
  const readings: (Reading['rows'] | string)[] = [];
  try {
    for (const _ of ends) {
      const { rows, reports } = await read(key, recording, client).catch((error: unknown) => {
        if (error instanceof FeedError || error instanceof HttpClientError)
          return { rows: [], reports: [error.message] };
        throw error;
      });
      readings.push(reports.find((report) => !expected.reports.includes(report)) ?? rows);
      passed += HOUR_MS;
    }
  } finally {
    await client.close();
    await banks.close();
  }
  return readings;
}

describe.each(Object.entries(scenarios))('a bank that %s', (_, scenario) => {
  test.concurrent.each(KEYS)('is read as it has to be: %s', async (key) => {
    const recording = await recordingOf(key);
    const expected = await read(key, recording, recordedClient([recording]));
    expect(expected.rows.length).toBeGreaterThan(0);
    const { ends, except, says = /./ } = scenario;
    const readings = await readingsOf(key, recording, { expected, scenario });
    for (const [at, end] of ends.entries()) {
      if ((except?.[key] ?? end) === 'right') expect(readings[at]).toEqual(expected.rows);
      else {
        expect(readings[at]).toMatch(/:\/\//);
        expect(readings[at]).toMatch(says);
      }
    }
  });
});

describe('banks that are started together', () => {
  const RIEL = 'https://www.nbc.gov.kh/english/economic_research/exchange_rate.php';

  test('are each under their own name', async () => {
    const recordings = await Promise.all(KEYS.map(recordingOf));
    const banks = await startBanks({ recordings });
    const client = openHttpClient({ ...banks.client, limits: { attempts: 1 } });
    try {
      const vatu = await client.get('https://www.rbv.gov.vu/index.php/en/exchange-rates?limit1=100000');
      expect(vatu.text()).toContain('02 March 2026');
      expect((await client.get(RIEL)).cookies).toEqual(['PHPSESSID=2026-03-02; path=/', 'lang=en; path=/']);
      const forint = await client.post('http://www.mnb.hu/arfolyamok.asmx', { body: '' });
      expect(forint.text()).toContain('402,61');
      await expect(client.get('https://www.mnb.hu/')).rejects.toThrow('could not be reached (ENOTFOUND)');
      await expect(client.get('http://www.mnb.hu/other')).rejects.toThrow('status 421');
    } finally {
      await client.close();
      await banks.close();
    }
  });

  test('say what they could not answer', async () => {
    const reply = () => Promise.reject(new Error('no reply'));
    const banks = await startBanks({ recordings: [await recordingOf('ECB')], behaviour: { reply } });
    const client = openHttpClient({ ...banks.client, limits: { attempts: 1 } });
    await expect(client.get('https://data-api.ecb.europa.eu/service')).rejects.toThrow('connection broke');
    await client.close();
    await expect(banks.close()).rejects.toMatchObject({ errors: [new Error('no reply')] });
  });
});
