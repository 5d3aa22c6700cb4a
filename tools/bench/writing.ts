import { createReadStream, createWriteStream } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { type Database, poolOf } from '../../core/database/database.js';
import { addDays, type CalendarDate, isWeekend } from '../../core/domain/dates.js';
import { openAnnouncements } from '../../core/queues/announcements.js';
import { rebuild } from '../../worker/blend/reblend.js';
import type { Feed } from '../../worker/feeds/feed.js';
import { openHttpClient } from '../../worker/feeds/http/live-client.js';
import { ratesFrom } from '../../worker/feeds/reading.js';
import { HEADER } from '../../worker/import/csv.js';
import { importRates } from '../../worker/import/import.js';
import { ingest } from '../../worker/ingest/ingest.js';
import { synthRates } from '../synth/synthetic-rates.js';
import { startApi } from './support/api.js';
import type { Context } from './support/context.js';
import { showSpread, spreadOf } from './support/statistics.js';

const SEED = 1;
/** The number of rows that the targets are for. */
const FIVE_YEARS = 3_400_000;
const IMPORT_SECONDS = 40;
const BLEND_SECONDS = 15;
const NEW_DAY_MS = 500;

/** Measures import, blend and ingest. Returns the database that it filled. */
export async function measureWriting(context: Context): Promise<Database & { url: string }> {
  const { databases, effort, progress, record, until } = context;
  const database = await databases.create('history');
  const file = join(databases.folder, 'history.csv');
  progress(`generating ${effort.years} years of rates`);
  await pipeline(Readable.from(lines(effort.years, until)), createWriteStream(file));

  progress('importing them');
  const { rows, seconds } = await importFile(database, file, until);
  const share = rows / FIVE_YEARS;
  record({
    what: `import of ${millions(rows)} million rows, blend included`,
    measured: `${seconds.toFixed(1)} s`,
    reach: `< ${(IMPORT_SECONDS * share).toFixed(1)} s`,
    ok: seconds < IMPORT_SECONDS * share,
  });

  progress('blending all of it');
  const blends: number[] = [];
  for (let round = 0; round < Math.min(3, effort.rounds); round++) blends.push(await timeBlend(database));
  const blend = spreadOf(blends);
  record({
    what: `whole blend of ${millions(rows)} million rows, weeks and months included`,
    measured: `${showSpread(blend, 1)} s`,
    reach: `< ${(BLEND_SECONDS * share).toFixed(1)} s`,
    ok: blend.median < BLEND_SECONDS * share,
  });

  await measureNewDays(context, database);
  return database;
}

function millions(rows: number): string {
  return (rows / 1e6).toFixed(2);
}

function* lines(years: number, until: CalendarDate): Generator<string> {
  let text = `${HEADER}\n`;
  for (const { provider, date, base, quote, rate } of synthRates({ years, seed: SEED, until })) {
    text += `${provider},${date},${base},${quote},${rate}\n`;
    if (text.length > 65_536) {
      yield text;
      text = '';
    }
  }
  yield text;
}

async function importFile(database: Database, file: string, until: CalendarDate) {
  const started = performance.now();
  const { rowsNew } = await importRates(database, createReadStream(file), { today: until });
  return { rows: rowsNew, seconds: (performance.now() - started) / 1000 };
}

/** Seconds to read all rates, blend them and commit the result into empty tables. */
export async function timeBlend(database: Database): Promise<number> {
  await poolOf(database).query('truncate blended_days, blended_weeks, blended_months');
  await poolOf(database).query('checkpoint');
  const started = performance.now();
  await rebuild(database);
  return (performance.now() - started) / 1000;
}

const PUBLISHERS = ['ECB', 'BOC', 'NBP', 'CNB', 'BCB', 'RB', 'NBU'];

/** Measures a provider's new day: from the end of the upstream's response until the API serves it. */
async function measureNewDays(
  { databases, progress, record, until }: Context,
  database: Database & { url: string },
) {
  progress('publishing new days');
  const log = pino({ level: 'silent' });
  const announcements = await openAnnouncements({ database, log });
  const api = await startApi(database.url, databases.folder);
  const next = nextBusinessDay(until);
  let respondedAt = 0;
  const times: number[] = [];
  const upstream = createServer((_request, response) => {
    response.end(published(times.length), () => {
      respondedAt = performance.now();
    });
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  const { port } = upstream.address() as AddressInfo;
  const wire = openHttpClient();
  try {
    for (const key of PUBLISHERS) {
      const feed: Feed = {
        key,
        async *read(_window, { http }) {
          const response = await http.get(`http://127.0.0.1:${port}/`);
          yield ratesFrom(response, 'any day', response.text().trim().split('\n'), (line) => {
            const [base, quote, rate] = line.split(',');
            return { date: next, base, quote, rate: Number(rate) };
          });
        },
      };
      const access = {
        http: wire,
        today: next,
        credentials: { status: 'present', values: {} },
      } as const;
      const source = { open: async () => access, close: async () => {} };
      const before = await tagOf(api.url);
      const stored = ingest(
        feed,
        { from: next },
        { database, announcements, source, log, reason: 'schedule' },
      );
      const visible = untilOther(api.url, before);
      const [result, seen] = await Promise.all([stored, visible]);
      if (!result?.rowsNew) throw new Error(`${key} stored nothing`);
      times.push(seen - respondedAt);
    }
  } finally {
    upstream.close();
    await wire.close();
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

/** Units per dollar. */
const RATES = {
  EUR: 0.87,
  GBP: 0.75,
  JPY: 158.5,
  CHF: 0.79,
  CAD: 1.37,
  AUD: 1.51,
  NZD: 1.7,
  SEK: 9.4,
  NOK: 10.1,
  DKK: 6.5,
  PLN: 3.7,
  CZK: 21.2,
  HUF: 341,
  TRY: 42,
  INR: 88,
  CNY: 7.1,
  HKD: 7.8,
  SGD: 1.29,
  KRW: 1420,
  THB: 32.5,
  MYR: 4.2,
  IDR: 16600,
  PHP: 58,
  BRL: 5.4,
  MXN: 18.4,
  ZAR: 17.3,
  ILS: 3.3,
  RON: 4.4,
  ISK: 125,
  KES: 129,
};

/** The rates of a publisher: other ones than those before, as the same ones would change nothing that is served. */
function published(publisher: number): string {
  return Object.entries(RATES)
    .map(([quote, rate]) => `USD,${quote},${(rate * (1 + publisher / 1_000)).toPrecision(6)}`)
    .join('\n');
}

function nextBusinessDay(date: CalendarDate): CalendarDate {
  const next = addDays(date, 1);
  return isWeekend(next) ? nextBusinessDay(next) : next;
}

/** Its entity tag changes with each data version: that of others only with their rates, and some of these are held back. */
const SHOWN = '/oxr/api/latest.json?app_id=any';
const LOOK_MS = 2;
const VISIBLE_LIMIT_MS = 30_000;

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
