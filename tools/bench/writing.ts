import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { type Database, poolOf } from '../../core/database/database.js';
import { addDays, type CalendarDate } from '../../core/domain/dates.js';
import { openAnnouncements } from '../../core/queues/announcements.js';
import { rebuild } from '../../worker/blend/reblend.js';
import type { Feed } from '../../worker/feeds/feed.js';
import { recordedClient } from '../../worker/feeds/http/recorded-client.js';
import { ratesFrom } from '../../worker/feeds/reading.js';
import { importRates } from '../../worker/import/import.js';
import { ingest } from '../../worker/ingest/ingest.js';
import { syntheticCsv } from '../synth/synthetic-rates.js';
import { startApi } from './support/api.js';
import type { Context } from './support/context.js';
import { showSpread, spreadOf } from './support/statistics.js';

/** The number of rows that the targets are for. */
const FIVE_YEARS = 3_400_000;
const IMPORT_SECONDS = 40;
const BLEND_SECONDS = 15;
const NEW_DAY_MS = 500;
const PUBLISHERS = ['ECB', 'BOC', 'NBP', 'CNB', 'BCB', 'RB', 'NBU'];
/** Its entity tag changes with each data version: that of others only with their rates, and some of these are held back. */
const SHOWN = '/oxr/api/latest.json?app_id=any';
const LOOK_MS = 2;
const UPSTREAM = 'https://bank.example/';
const VISIBLE_LIMIT_MS = 30_000;

/** Measures import, blend and ingest. Returns the database that it filled. */
export async function measureWriting(context: Context): Promise<Database & { url: string }> {
  const { databases, effort, progress, record, until } = context;
  const database = await databases.create('history');
  progress(`importing ${effort.years} years of rates`);
  const chunks = [...syntheticCsv({ years: effort.years, seed: 1, until })];
  const importing = await secondsOf(async () => {
    const { rowsNew } = await importRates(database, Readable.from(chunks), { today: until });
    return rowsNew;
  });
  const share = importing.result / FIVE_YEARS;
  const millions = (importing.result / 1e6).toFixed(2);
  record({
    what: `import of ${millions} million rows, blend included`,
    measured: `${importing.seconds.toFixed(1)} s`,
    reach: `< ${(IMPORT_SECONDS * share).toFixed(1)} s`,
    ok: importing.seconds < IMPORT_SECONDS * share,
  });

  progress('blending all of it');
  const blends: number[] = [];
  for (let round = 0; round < Math.min(3, effort.rounds); round++) {
    await poolOf(database).query('truncate blended_days');
    await poolOf(database).query('checkpoint');
    blends.push((await secondsOf(() => rebuild(database))).seconds);
  }
  const blend = spreadOf(blends);
  record({
    what: `whole blend of ${millions} million rows, weeks and months included`,
    measured: `${showSpread(blend, 1)} s`,
    reach: `< ${(BLEND_SECONDS * share).toFixed(1)} s`,
    ok: blend.median < BLEND_SECONDS * share,
  });
  await measureNewDays(context, database);
  return database;
}

async function secondsOf<T>(work: () => Promise<T>): Promise<{ result: T; seconds: number }> {
  const started = performance.now();
  const result = await work();
  return { result, seconds: (performance.now() - started) / 1000 };
}

/** Measures a provider's new day: from the upstream's response until the API serves it. */
async function measureNewDays(
  { databases, progress, record, until }: Context,
  database: Database & { url: string },
): Promise<void> {
  progress('publishing new days');
  const log = pino({ level: 'silent' });
  const announcements = await openAnnouncements({ database, log });
  const api = await startApi(database.url, databases.folder);
  const known = (await (await fetch(`${api.url}/v2/rates?base=USD`)).json()) as Rate[];
  const today = addDays(until, 1);
  const times: number[] = [];
  try {
    for (const [index, key] of PUBLISHERS.entries()) {
      const before = await tagOf(api.url);
      // A little other rates each time: the same ones would change nothing that is served.
      const factor = 1 + index / 1_000;
      const rates = known.slice(0, 30).map(({ quote, rate }) => ({ quote, rate: rate * factor }));
      const access = {
        http: answering(rates),
        today,
        credentials: { status: 'present', values: {} },
      } as const;
      const source = { open: async () => access, close: async () => {} };
      const how = { database, announcements, source, log, reason: 'schedule' } as const;
      const started = performance.now();
      const stored = ingest(feedOf(key, today), { from: today }, how);
      const [result, seen] = await Promise.all([stored, untilOther(api.url, before)]);
      if (!result?.rowsNew) throw new Error(`${key} stored nothing`);
      times.push(seen - started);
    }
  } finally {
    await api.stop();
    await announcements.close();
  }
  const spread = spreadOf(times);
  record({
    what: "one provider's new day: upstream response to visible in the API",
    measured: `${showSpread(spread, 0)} ms`,
    reach: `< ${NEW_DAY_MS} ms`,
    ok: spread.median < NEW_DAY_MS,
  });
}

interface Rate {
  quote: string;
  rate: number;
}

function feedOf(key: string, date: CalendarDate): Feed {
  return {
    key,
    async *read(_window, { http }) {
      const response = await http.get(UPSTREAM);
      const rates = JSON.parse(response.text()) as Rate[];
      yield ratesFrom(response, 'any day', rates, (rate) => ({ date, base: 'USD', ...rate }));
    },
  };
}

function answering(rates: readonly Rate[]) {
  const recordedAt = new Date();
  const interaction = {
    ...{ method: 'GET', url: UPSTREAM, requestBody: null, status: 200, responseHeaders: {} },
    ...{ body: Buffer.from(JSON.stringify(rates)), recordedAt: recordedAt.toISOString() },
  };
  return recordedClient([{ name: 'rates', interactions: [interaction], recordedAt }]);
}

async function tagOf(url: string): Promise<string> {
  const response = await fetch(url + SHOWN, { method: 'HEAD' });
  return response.headers.get('etag') ?? '';
}

/** Resolves, with the time, once the response has another entity tag. */
async function untilOther(url: string, tag: string): Promise<number> {
  const limit = performance.now() + VISIBLE_LIMIT_MS;
  while ((await tagOf(url)) === tag) {
    if (performance.now() > limit) throw new Error('the published rates did not become visible');
    await delay(LOOK_MS);
  }
  return performance.now();
}
