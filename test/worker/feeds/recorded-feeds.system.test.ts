import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { toCalendarDate } from '../../../core/domain/dates.js';
import { roundForStorage } from '../../../core/domain/rounding.js';
import { projectFolder } from '../../../core/process/project-files.js';
import { NOT_ASKED_ANY_MORE, readExpectations } from '../../../tools/feeds-check/check.js';
import { unrecorded } from '../../../tools/recordings/made-up.js';
import { readWholeRecordings } from '../../../tools/recordings/whole-recordings.js';
import { placeholderCredentials } from '../../../worker/feeds/credentials.js';
import { type Feed, FeedError, type RateRow } from '../../../worker/feeds/feed.js';
import {
  type Interaction,
  type Recording,
  recordedClient,
} from '../../../worker/feeds/http/recorded-client.js';
import { readRates } from '../../../worker/feeds/read.js';
import {
  plainRecordings,
  readRecordings,
  recordedSpan,
  recordedWindow,
} from '../../../worker/feeds/recordings.js';
import { loadFeeds } from '../../../worker/feeds/registry.js';
import { byDateBaseQuote, replayRecording } from '../../../worker/feeds/replay.js';

const RECORDINGS = join(projectFolder, '..', 'shared', 'feeds');
const log = pino({ level: 'silent' });
const feeds = [...(await loadFeeds()).values()]
  .filter(({ key }) => !unrecorded.has(key))
  .map((feed) => [feed.key, feed] as const);

/** The recording that is named after the provider, or the first. */
async function mainRecording(key: string): Promise<Recording> {
  const recordings = await readRecordings(RECORDINGS, key);
  const recording = recordings.find(({ name }) => name === key.toLowerCase()) ?? recordings[0];
  if (!recording) throw new Error(`${key}: no recording`);
  return recording;
}

describe.skipIf(!existsSync(RECORDINGS))('a window that begins and ends on days with rates', () => {
  // A response of TCMB has an item for each day asked for, and no recording stands for a shorter window: see tcmb.test.ts.
  it.each(feeds.filter(([key]) => key !== 'TCMB'))('%s: has the rates of both days', async (key, feed) => {
    const recording = await mainRecording(key);
    const all = (await expectedRows(key, recording.name)) ?? (await recordedRows(feed, recording));
    const days = [...new Set(all.map(({ date }) => date))].sort();
    // Inside of what was recorded, where there is more than a day or two.
    const [first, last] = days.length > 3 ? [days[1], days.at(-2)] : [days[0], days.at(-1)];
    if (first === undefined || last === undefined) throw new Error(`${key}: no rates in the recording`);
    const read = await replayRecording(feed, recording, { from: first, to: last }, log);
    const on = (day: string, rows: readonly RateRow[]) =>
      rows.filter(({ date }) => date === day).map(({ buy: _buy, sell: _sell, ...row }) => row);
    for (const day of [first, last]) expect(on(day, read), day).toEqual(on(day, all));
    expect(read.every(({ date }) => date >= first && date <= last)).toBe(true);
  });
});

/** What should be stored of the recording, which `feeds:check` compares with what is. */
async function expectedRows(key: string, name: string): Promise<RateRow[] | undefined> {
  const expectations = await readExpectations(join(RECORDINGS, key.toLowerCase(), 'expected.json'));
  const expectation = expectations?.find((one) => one.recording === name && one.ambiguous.length === 0);
  const rows = expectation?.rows.map(([date, base, quote, rate]) => ({ date, base, quote, rate }));
  return rows?.map((row) => ({ ...row, rate: roundForStorage(row.rate) })).sort(byDateBaseQuote);
}

async function recordedRows(feed: Feed, recording: Recording): Promise<RateRow[]> {
  return replayRecording(feed, recording, recordedSpan(recording) ?? {}, log);
}

/** Sources that print a rate of their own, or of which the rate is the selling price. */
const PRINTED = new Set(
  'BAZG BCB BCCCD BCCR BCV BDL BM BNM BNRRW BOT BOTA BRB BSP CBBH CBK CBN HNB NBC NBE NRBT PMA RBM'.split(
    ' ',
  ),
);

describe.skipIf(!existsSync(RECORDINGS))('a rate with both sides', () => {
  it.each(feeds)('%s: is between them, and their midpoint unless the source prints it', async (key, feed) => {
    const recorded = await readRecordings(RECORDINGS, key);
    const whole = await readWholeRecordings(RECORDINGS, key, recorded);
    for (const recording of [...plainRecordings(recorded, key), ...whole]) {
      if (NOT_ASKED_ANY_MORE.has(`${key} ${recording.name}`)) continue;
      for (const row of await replayRecording(feed, recording, recordedWindow(recording, feed), log)) {
        const { rate, buy, sell } = row;
        if (buy === undefined || sell === undefined) continue;
        // Some sides have more digits than are stored, so the last digit of their midpoint can differ.
        const isMiddle = Math.abs((buy + sell) / 2 / rate - 1) < 1e-11;
        const isRight = buy <= rate && rate <= sell && (isMiddle || PRINTED.has(key));
        if (!isRight) expect.fail(JSON.stringify(row));
      }
    }
  });
});

interface Damage {
  name: string;
  apply(body: Uint8Array): Uint8Array;
}

const PAGE = '<!doctype html><html><body><h1>Service unavailable</h1></body></html>';
const REPLACED: readonly Damage[] = [
  { name: 'emptied', apply: () => new Uint8Array() },
  { name: 'HTML page', apply: () => Buffer.from(PAGE) },
];
const CUT: Damage = { name: 'cut at half', apply: (body) => body.subarray(0, body.length / 2) };
/** In bytes. Larger recordings take too long to be read in part. */
const LARGEST = 80_000;

describe.skipIf(!existsSync(RECORDINGS))('an error of a damaged response', () => {
  it.each(feeds)('%s: names the address, what is wrong and what was expected', async (key, feed) => {
    const recording = await mainRecording(key);
    const size = recording.interactions.reduce((sum, { body }) => sum + body.length, 0);
    for (const damage of size > LARGEST ? REPLACED : [...REPLACED, CUT]) {
      const message = await messageOf(feed, damaged(recording, damage));
      if (message === undefined) continue;
      expect(message, damage.name).toMatch(/^https?:\/\/\S+: ./);
      expect(message, damage.name).toMatch(/\b(not?|without|cut|0 of|missing|where|none|expected)\b/);
    }
  });
});

function damaged(recording: Recording, { apply }: Damage): Recording {
  const interactions = recording.interactions.map((one): Interaction => {
    const { body, status } = one;
    return status < 300 && body.length > 0 ? { ...one, body: apply(body) } : one;
  });
  return { ...recording, interactions };
}

/** The message of the FeedError that the run ends with; undefined where it ends without one. */
async function messageOf(feed: Feed, recording: Recording): Promise<string | undefined> {
  const span = recordedSpan(recording);
  const today = toCalendarDate(recording.recordedAt);
  const credentials = placeholderCredentials(feed);
  const context = { http: recordedClient([recording]), today, log, credentials, recorded: true };
  const reading = readRates(feed, { from: span?.from ?? today, to: span?.to }, context);
  const error: unknown = await reading.then(() => undefined).catch((thrown: unknown) => thrown);
  if (error === undefined || error instanceof FeedError) return error?.message;
  throw error;
}
